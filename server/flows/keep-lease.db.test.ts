import { spawnSync } from 'node:child_process';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { forEachEngine } from '../../test/support/databases.ts';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { patience } from '../../test/support/patience.ts';
import {
  addSpender,
  admissionOf,
  type Spender,
  violationsOf,
  walletOf,
} from '../../test/support/spending.ts';
import type { Database } from '../db/db.ts';
import { systemClock } from '../lib/clock.ts';
import { createLogger } from '../lib/logger.ts';
import { listProcesses, readHold, renewLease } from '../wallets/lease-store.ts';
import { admit } from './hold-money.ts';
import { Lease } from './keep-lease.ts';

const log = createLogger('silent');
const renewMs = 5_000;

forEachEngine((engine) => {
  let database: Database;
  let clock: ManualClock;
  let spender: Spender;

  beforeEach(async () => {
    database = await engine.open();
    clock = new ManualClock(systemClock.now());
    spender = await addSpender(database, '1.00');
  });

  async function startLease(isKnown: (traceId: string) => boolean = () => false): Promise<Lease> {
    const lease = new Lease({
      db: database,
      renewals: database,
      clock,
      log,
      leaseMs: 60_000,
      renewMs,
      isKnown,
      onSwept: () => {},
    });
    await lease.start();
    onTestFinished(() => lease.stop());
    return lease;
  }

  /** A request admitted by `processId`, whose lease would run for another minute. */
  async function admittedBy(processId: string): Promise<string> {
    const terms = admissionOf(spender, { processId });
    expect(await admit(database, clock, terms)).toEqual({ kind: 'admitted' });
    return terms.traceId;
  }

  /** The lease of a process as `changes` describe it: otherwise it is this one, on this machine. */
  async function leaseOf(id: string, changes: { host?: string; pid?: number; startedAt?: number }) {
    const [own] = await listProcesses(database);
    const identity = { pid: 1, startedAt: clock.now(), host: own?.host ?? '', ...changes, id };
    await renewLease(database, identity, 60_000);
  }

  describe('a process that starts', () => {
    it('has a lease from then on', async () => {
      const lease = await startLease();
      expect(await listProcesses(database)).toMatchObject([
        { id: lease.processId, pid: process.pid },
      ]);
    });

    it('ends at once what a neighbour left whose process is gone', async () => {
      await startLease();
      const { pid } = spawnSync(process.execPath, ['--version']);
      await leaseOf('proc_gone', { pid });
      const traceId = await admittedBy('proc_gone');
      await startLease();
      expect(await readHold(database, traceId)).toMatchObject({ state: 'expired' });
      expect(await walletOf(database, spender.userId)).toBe('1.00 balance, 0.00 held, 0 slots');
      expect(await violationsOf(database)).toEqual([]);
    });

    it('ends at once what a predecessor left that had the same process ID', async () => {
      await startLease();
      await leaseOf('proc_before', { pid: process.pid, startedAt: 1 });
      const traceId = await admittedBy('proc_before');
      await startLease();
      expect(await readHold(database, traceId)).toMatchObject({ state: 'expired' });
    });

    it('leaves a living neighbour alone', async () => {
      await startLease();
      await leaseOf('proc_alive', { pid: process.ppid });
      const traceId = await admittedBy('proc_alive');
      await startLease();
      expect(await readHold(database, traceId)).toMatchObject({ state: 'open' });
    });

    it('leaves another machine alone, where the process ID means another process', async () => {
      await startLease();
      const { pid } = spawnSync(process.execPath, ['--version']);
      await leaseOf('proc_elsewhere', { pid, host: 'another machine' });
      const traceId = await admittedBy('proc_elsewhere');
      await startLease();
      expect(await readHold(database, traceId)).toMatchObject({ state: 'open' });
    });
  });

  describe('a process that runs', () => {
    it('renews its lease and sweeps what others left', async () => {
      const lease = await startLease();
      const before = await leaseUntil(lease.processId);
      const traceId = await admittedBy('proc_never_there');
      clock.advance(renewMs);
      await vi.waitFor(async () => {
        expect(await leaseUntil(lease.processId)).toBeGreaterThan(before);
        expect(await readHold(database, traceId)).toMatchObject({ state: 'expired' });
      }, patience);
    });

    it('keeps its own holds as long as it knows them, and ends them when it does not', async () => {
      const known = new Set<string>();
      const lease = await startLease((traceId) => known.has(traceId));
      const working = await admittedBy(lease.processId);
      const stray = await admittedBy(lease.processId);
      known.add(working);
      clock.advance(120_000);
      await vi.waitFor(async () => {
        expect(await readHold(database, stray)).toMatchObject({ state: 'released' });
      }, patience);
      expect(await readHold(database, working)).toMatchObject({ state: 'open' });
    });

    it('renews its lease while a sweep takes its time', async () => {
      const lease = await startLease();
      await admittedBy('proc_never_there');
      const stuck = Promise.withResolvers<null>();
      onTestFinished(() => stuck.resolve(null));
      const sweeping = vi.spyOn(database, 'runChain').mockReturnValueOnce(stuck.promise);
      clock.advance(renewMs);
      await vi.waitFor(() => expect(sweeping).toHaveBeenCalled(), patience);
      const before = await leaseUntil(lease.processId);
      await clock.untilSleeping();
      clock.advance(renewMs);
      await vi.waitFor(async () => {
        expect(await leaseUntil(lease.processId)).toBeGreaterThan(before);
      }, patience);
      expect(sweeping).toHaveBeenCalledOnce();
    });

    it('goes on when it could not renew for once', async () => {
      const lease = await startLease();
      const renewing = vi.spyOn(database, 'transaction');
      renewing.mockRejectedValueOnce(new Error('the database is gone'));
      clock.advance(renewMs);
      await clock.untilSleeping();
      const before = await leaseUntil(lease.processId);
      clock.advance(renewMs);
      await vi.waitFor(async () => {
        expect(await leaseUntil(lease.processId)).toBeGreaterThan(before);
      }, patience);
    });
  });

  it('a process that stops gives up its lease', async () => {
    const lease = await startLease();
    await lease.stop();
    expect(await listProcesses(database)).toEqual([]);
    expect(clock.sleeping).toBe(0);
  });

  async function leaseUntil(id: string): Promise<number> {
    const row = await database.kysely
      .selectFrom('processes')
      .select('lease_until')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return row.lease_until;
  }
});
