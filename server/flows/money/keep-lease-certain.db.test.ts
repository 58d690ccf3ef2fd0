import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { type FailingDatabase, failing } from '../../../test/support/databases/failing-database.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { patience } from '../../../test/support/patience.ts';
import type { Database } from '../../db/db.ts';
import { systemClock } from '../../lib/clock.ts';
import { createLogger } from '../../lib/logger.ts';
import { Lease } from './keep-lease.ts';

const leaseMs = 60_000;
const renewMs = 5_000;

forEachEngine((engine) => {
  let database: Database;
  let renewals: FailingDatabase;
  let clock: ManualClock;
  let lease: Lease;
  let lines: string[];

  beforeEach(async () => {
    lines = [];
    database = await engine.open();
    renewals = failing(database);
    clock = new ManualClock(systemClock.now());
    lease = new Lease({
      db: database,
      renewals,
      clock,
      log: createLogger('info', { write: (line) => lines.push(line) }),
      leaseMs,
      renewMs,
      isKnown: () => false,
      onSwept: () => {},
    });
    await lease.start();
    onTestFinished(() => lease.stop());
  });

  it('is certain since it last took its lease, and not before', async () => {
    const begun = clock.monotonic();
    clock.advance(renewMs);
    await clock.untilSleeping();
    expect(lease.isCertainSince(begun)).toBe(true);

    renewals.fates = Array.from({ length: leaseMs / renewMs }, () => 'is lost');
    while (renewals.fates.length > 0) {
      clock.advance(renewMs);
      await clock.untilSleeping();
    }
    const inDoubt = clock.monotonic();
    expect(lease.isCertainSince(inDoubt)).toBe(false);
    clock.advance(renewMs);
    await vi.waitFor(() => expect(lease.isCertain()).toBe(true), patience);
    expect([begun, inDoubt].map((since) => lease.isCertainSince(since))).toEqual([false, false]);
    expect(lease.isCertainSince(clock.monotonic())).toBe(true);
  });

  it.each([
    ['monotonic', 'now'],
    ['other', 'monotonic'],
  ] as const)(
    'is certain from when it asked for its lease on by its %s clock, however late it heard',
    async (_by, still) => {
      vi.spyOn(clock, still).mockReturnValue(clock[still]());
      const heardLate = vi.spyOn(renewals, 'runChain').mockImplementationOnce((chain, params) => {
        clock.advance(renewMs - 1);
        return database.runChain(chain, params);
      });
      clock.advance(renewMs);
      await vi.waitFor(() => expect(heardLate).toHaveBeenCalled(), patience);
      await clock.untilSleeping();
      clock.advance(leaseMs - renewMs);
      expect(lease.isCertain()).toBe(true);
      clock.advance(1);
      expect(lease.isCertain()).toBe(false);
    },
  );

  it('is in doubt after a sleep of the machine that its monotonic clock did not count', async () => {
    const charged = clock.monotonic();
    clock.advance(1);
    vi.spyOn(clock, 'monotonic').mockReturnValue(charged + 1);
    expect(lease.isCertain()).toBe(true);
    clock.advance(leaseMs);
    expect(lease.isCertain()).toBe(false);
    await vi.waitFor(() => expect(lease.isCertain()).toBe(true), patience);
    expect(lease.isCertainSince(charged)).toBe(false);
  });

  it('tells once that the clock of the machine is another than PostgreSQL’s, and once that it is right again', async () => {
    const hourMs = 3_600_000;
    let aheadMs = 0;
    vi.spyOn(clock, 'now').mockImplementation(() => systemClock.now() + aheadMs);
    const offsets: (string | null)[] = [];
    for (aheadMs of [0, hourMs, hourMs, 0, -hourMs]) {
      clock.advance(renewMs);
      await clock.untilSleeping();
      const offsetMs = lease.clockOffsetMs();
      offsets.push(offsetMs === null ? null : `${Math.round(offsetMs / hourMs)} h`);
    }
    const told = lines.map((line) => /"level":"(\w+)".*"msg":"(.*)"/.exec(line)?.slice(1));
    if (engine.name === 'sqlite') {
      expect({ offsets, told }).toEqual({ offsets: offsets.map(() => null), told: [] });
      return;
    }
    expect(offsets).toEqual(['0 h', '1 h', '1 h', '0 h', '-1 h']);
    const wrong = ['warn', 'the clock of this machine is not that of PostgreSQL'];
    const right = ['info', 'the clock of this machine is that of PostgreSQL again'];
    expect(told).toEqual([wrong, right, wrong]);
  });
});
