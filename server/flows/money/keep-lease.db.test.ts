import { spawnSync } from 'node:child_process';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { type FailingDatabase, failing } from '../../../test/support/databases/failing-database.ts';
import { leaseUntil, shortenLease } from '../../../test/support/databases/lease-time.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import {
  addSpender,
  admissionOf,
  type Spender,
  settlementOf,
  violationsOf,
  walletOf,
} from '../../../test/support/money/spending.ts';
import { patience } from '../../../test/support/patience.ts';
import type { Database } from '../../db/db.ts';
import { systemClock } from '../../lib/clock.ts';
import { createLogger } from '../../lib/logger.ts';
import { claimDelivery, readHold } from '../../wallets/delivery-store.ts';
import { listProcesses, renewLease } from '../../wallets/lease-store.ts';
import { admit, settle } from './hold-money.ts';
import { Lease } from './keep-lease.ts';
import { sweepHolds } from './sweep-holds.ts';

const log = createLogger('silent');
const leaseMs = 60_000;
const renewMs = 5_000;

const elsewhere = { host: 'another machine' };
const lapsed = { ...elsewhere, forMs: -1 };
type LeaseChanges = { host?: string; pid?: number; startedAt?: number; forMs?: number };

forEachEngine((engine) => {
  let database: Database;
  let renewals: FailingDatabase;
  let clock: ManualClock;
  let spender: Spender;

  beforeEach(async () => {
    database = await engine.open();
    renewals = failing(database);
    clock = new ManualClock(systemClock.now());
    spender = await addSpender(database, '1.00');
  });

  async function startLease(
    isKnown: (traceId: string) => boolean = () => false,
    db: Database = database,
  ): Promise<Lease> {
    const lease = new Lease({
      db,
      renewals,
      clock,
      log,
      leaseMs,
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
  async function leaseOf(id: string, changes: LeaseChanges) {
    const [own] = await listProcesses(database);
    const identity = { pid: 1, startedAt: clock.now(), host: own?.host ?? '', ...changes, id };
    await renewLease(database, identity, changes.forMs ?? leaseMs);
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

    it('and what it was handing over under a claim, also when others have swept before', async () => {
      const other = await startLease();
      const { pid } = spawnSync(process.execPath, ['--version']);
      await leaseOf('proc_gone', { pid });
      const traceId = await admittedBy('proc_gone');
      await settle(database, clock, settlementOf(traceId));
      await claimDelivery(database, { traceId, claimMs: 3_600_000 });
      await database.kysely
        .updateTable('processes')
        .set({ lease_until: 1 })
        .where('id', '<>', other.processId)
        .execute();
      expect(await sweepHolds(database, clock)).toMatchObject({ refunded: 0 });
      await startLease();
      expect(await walletOf(database, spender.userId)).toBe('1.00 balance, 0.00 held, 0 slots');
      expect(await violationsOf(database)).toEqual([]);
    });

    it('has a lease when it is ready, although clearing up took longer than one lasts', async () => {
      const connection = failing(database);
      vi.spyOn(connection, 'transaction').mockImplementationOnce((work) => {
        clock.advance(leaseMs);
        return database.transaction(work);
      });
      expect((await startLease(undefined, connection)).isCertain()).toBe(true);
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
      await leaseOf('proc_elsewhere', { ...elsewhere, pid });
      const traceId = await admittedBy('proc_elsewhere');
      await startLease();
      expect(await readHold(database, traceId)).toMatchObject({ state: 'open' });
    });

    it('gives another machine the time of a lease to renew the one that is over', async () => {
      for (const id of ['proc_alive', 'proc_dead']) await leaseOf(id, lapsed);
      const dead = await admittedBy('proc_dead');
      await startLease();
      const alive = await admittedBy('proc_alive');
      for (let rounds = 1; rounds < leaseMs / renewMs; rounds++) await goOn();
      expect([await stateOf(alive), await stateOf(dead)]).toEqual(['open', 'open']);
      await leaseOf('proc_alive', elsewhere);
      await expectExpiredSoon(dead);
      expect(await stateOf(alive)).toBe('open');
    });
  });

  describe('a process that runs', () => {
    it('renews its lease and sweeps what others left', async () => {
      const lease = await startLease();
      const before = await shortenLease(database, lease);
      const traceId = await admittedBy('proc_never_there');
      clock.advance(renewMs);
      await vi.waitFor(async () => {
        expect(await leaseUntil(database, lease)).toBeGreaterThan(before);
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
      const connection = failing(database);
      const lease = await startLease(undefined, connection);
      await admittedBy('proc_never_there');
      const stuck = Promise.withResolvers<null>();
      onTestFinished(() => stuck.resolve(null));
      const sweeping = vi.spyOn(connection, 'runChain').mockReturnValueOnce(stuck.promise);
      clock.advance(renewMs);
      await vi.waitFor(() => expect(sweeping).toHaveBeenCalled(), patience);
      const before = await shortenLease(database, lease);
      await clock.untilSleeping();
      clock.advance(renewMs);
      await vi.waitFor(async () => {
        expect(await leaseUntil(database, lease)).toBeGreaterThan(before);
      }, patience);
      expect(sweeping).toHaveBeenCalledOnce();
    });

    it('sweeps again when a sweep has failed', async () => {
      const connection = failing(database);
      await startLease(undefined, connection);
      const traceId = await admittedBy('proc_never_there');
      connection.fates = ['is lost'];
      await goOn();
      await expect.poll(() => connection.fates, patience).toEqual([]);
      await expectExpiredSoon(traceId);
    });

    it('goes on when it could not renew for once', async () => {
      const lease = await startLease();
      renewals.fates = ['is lost'];
      clock.advance(renewMs);
      await clock.untilSleeping();
      expect(renewals.fates).toEqual([]);
      const before = await shortenLease(database, lease);
      clock.advance(renewMs);
      await vi.waitFor(async () => {
        expect(await leaseUntil(database, lease)).toBeGreaterThan(before);
      }, patience);
    });
  });

  it.each([
    ['a time in which nobody could', () => loseLease()],
    ['a renewal that failed, while its own lease still ran', () => loseLease(1)],
    ['a sleep of the machine that its monotonic clock did not count', sleepUncounted],
    ["a step of the database's clock, which is set ahead", () => setDatabase(2 * leaseMs)],
    ['the same, where it is set back', () => setDatabase(-8 * 3_600_000)],
  ])('gives others the time of a lease to renew theirs, after %s', async (_what, happens) => {
    const lease = await startLease();
    for (let rounds = 0; rounds <= leaseMs / renewMs; rounds++) await goOn();
    for (const id of ['proc_alive', 'proc_dead']) await leaseOf(id, lapsed);
    const [alive, dead] = [await admittedBy('proc_alive'), await admittedBy('proc_dead')];
    await happens();
    await goOn();
    await vi.waitFor(() => expect(lease.isCertain()).toBe(true), patience);
    for (let rounds = 2; rounds < leaseMs / renewMs; rounds++) await goOn();
    expect([await stateOf(alive), await stateOf(dead)]).toEqual(['open', 'open']);
    await leaseOf('proc_alive', elsewhere);
    await expectExpiredSoon(dead);
    expect(await stateOf(alive)).toBe('open');
  });

  it('does not wait for who is known to be gone', async () => {
    await startLease();
    await loseLease();
    const traceId = await admittedBy('proc_never_there');
    clock.advance(renewMs);
    await vi.waitFor(async () => expect(await stateOf(traceId)).toBe('expired'), patience);
  });

  it('does not keep from stopping when the database is away', async () => {
    const connection = failing(database);
    const lease = await startLease(undefined, connection);
    connection.fates = ['is lost'];
    await lease.stop();
    expect(clock.sleeping).toBe(0);
    expect(await listProcesses(database)).toHaveLength(1);
  });

  it('a process that stops gives up its lease', async () => {
    const lease = await startLease();
    await lease.stop();
    expect(await listProcesses(database)).toEqual([]);
    expect(clock.sleeping).toBe(0);
  });

  it('a process that stops while it renews its lease gives it up all the same', async () => {
    const lease = await startLease();
    const way = Promise.withResolvers<void>();
    const renewing = vi.spyOn(renewals, 'runChain').mockImplementationOnce(async (...renewal) => {
      await way.promise;
      return database.runChain(...renewal);
    });
    clock.advance(renewMs);
    await vi.waitFor(() => expect(renewing).toHaveBeenCalledOnce(), patience);
    const stopped = lease.stop();
    // Whatever does not wait for the renewal is done by then.
    await database.transaction(listProcesses);
    way.resolve();
    await stopped;
    await renewing.mock.results[0]?.value;
    expect(await listProcesses(database)).toEqual([]);
    expect(clock.sleeping).toBe(0);
  });

  it('a process that stops ends neither the lease nor a claim of another one', async () => {
    const lease = await startLease();
    await leaseOf('proc_alive', { pid: process.ppid });
    const working = await admittedBy('proc_alive');
    const claimed = await admittedBy('proc_never_there');
    await settle(database, clock, settlementOf(claimed));
    await claimDelivery(database, { traceId: claimed, claimMs: 3_600_000 });
    await lease.stop();
    expect(await sweepHolds(database, clock)).toMatchObject({ expired: 0, refunded: 0 });
    expect(await readHold(database, working)).toMatchObject({ state: 'open' });
  });

  /** To the next pause between two renewals. */
  async function goOn(): Promise<void> {
    clock.advance(renewMs);
    await clock.untilSleeping();
  }

  /** In less than the time of a lease. */
  async function expectExpiredSoon(traceId: string): Promise<void> {
    let rounds = 0;
    const stateLater = async () => {
      // A sweep that is still under way lets none begin in the next round.
      rounds++;
      await goOn();
      return stateOf(traceId);
    };
    await expect.poll(stateLater, { ...patience, interval: 250 }).toBe('expired');
    expect(rounds).toBeLessThan(leaseMs / renewMs);
  }

  /** By default until a lease has run out without a renewal. */
  async function loseLease(lost = leaseMs / renewMs): Promise<void> {
    renewals.fates = Array.from({ length: lost }, () => 'is lost');
    while (renewals.fates.length > 0) await goOn();
  }

  async function sleepUncounted(): Promise<void> {
    const now = clock.now.bind(clock);
    vi.spyOn(clock, 'now').mockImplementation(() => now() + leaseMs);
  }

  /** The end of the next renewal is so far from now. */
  async function setDatabase(byMs: number): Promise<void> {
    vi.spyOn(renewals, 'runChain').mockImplementationOnce(async (chain, params) => {
      const renewed = await database.runChain(chain, params);
      if (renewed) Object.assign(renewed, { lease_until: systemClock.now() + byMs });
      return renewed;
    });
  }

  async function stateOf(traceId: string): Promise<string | undefined> {
    return (await readHold(database, traceId))?.state;
  }
});
