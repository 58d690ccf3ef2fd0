import { spawnSync } from 'node:child_process';
import { beforeEach, describe, expect, it } from 'vitest';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import type { Database } from '../../db/db.ts';
import { systemClock } from '../../lib/clock.ts';
import { isoTime } from '../../lib/time-text.ts';
import { listLeased, renewLease } from '../../wallets/lease-store.ts';
import { hostId } from '../money/keep-lease.ts';
import { refuseWhileServed } from './running-services.ts';

const elsewhere = { host: 'elsewhere boot namespace', pid: 7, startedAt: 5 };
const leaseMs = 60_000;

forEachEngine((engine) => {
  let database: Database;
  beforeEach(async () => {
    database = await engine.open();
  });

  describe('a database on which a service runs', () => {
    it('is refused with the end of the lease, where nobody can ask whether the process lives', async () => {
      await renewLease(database, { ...elsewhere, id: 'proc_1' }, leaseMs);
      const { lease_until: until } = await database.kysely
        .selectFrom('processes')
        .select('lease_until')
        .executeTakeFirstOrThrow();
      await expect(refuseWhileServed(database)).rejects.toThrow(
        `(process 7 on elsewhere, or it has died and its lease runs until ${isoTime(until)})`,
      );
    });

    it('is refused in the name of the one that came first, of several', async () => {
      for (const [id, pid] of [
        ['proc_2', 8],
        ['proc_1', 7],
        ['proc_3', 9],
      ] as const) {
        await renewLease(database, { ...elsewhere, id, pid }, leaseMs);
      }
      await expect(refuseWhileServed(database)).rejects.toThrow('(process 7 on elsewhere');
    });

    it('is refused although another one before it has crashed', async () => {
      const { pid } = spawnSync(process.execPath, ['--version']);
      const startedAt = systemClock.now();
      await renewLease(database, { id: 'proc_1', host: hostId(), pid, startedAt }, leaseMs);
      await renewLease(database, { ...elsewhere, id: 'proc_2' }, leaseMs);
      await expect(refuseWhileServed(database)).rejects.toThrow('(process 7 on elsewhere');
    });

    it('is free when its lease is over', async () => {
      await renewLease(database, { ...elsewhere, id: 'proc_1' }, 0);
      await renewLease(database, { ...elsewhere, id: 'proc_2' }, -1);
      await expect(refuseWhileServed(database)).resolves.toBeUndefined();
    });
  });

  it('processes whose lease runs are told with all that is known of them', async () => {
    const before = systemClock.now();
    await renewLease(database, { ...elsewhere, id: 'proc_1' }, leaseMs);
    await renewLease(database, { ...elsewhere, id: 'proc_2' }, -1);
    const [leased, ...others] = await listLeased(database);
    expect(leased).toMatchObject({ ...elsewhere, id: 'proc_1' });
    expect(leased?.leaseUntil).toBeGreaterThan(before);
    expect(others).toEqual([]);
  });
});
