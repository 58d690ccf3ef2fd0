import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { failing } from '../../../test/support/databases/failing-database.ts';
import { interceptTransactions } from '../../../test/support/databases/intercepted-database.ts';
import {
  addSpender,
  admissionOf,
  forgetProcess,
  type Spender,
  settlementOf,
  startProcess,
  violationsOf,
  walletOf,
} from '../../../test/support/money/spending.ts';
import type { Database } from '../../db/db.ts';
import { systemClock } from '../../lib/clock.ts';
import { claimDelivery, markDelivered } from '../../wallets/delivery-store.ts';
import { listLeased, listProcesses } from '../../wallets/lease-store.ts';
import { type Admission, admit, settle } from './hold-money.ts';
import { sweepHolds } from './sweep-holds.ts';

const nothing = { expired: 0, refunded: 0, stuck: [] };

forEachEngine((engine) => {
  let database: Database;
  let spender: Spender;
  let process: Awaited<ReturnType<typeof startProcess>>;

  beforeEach(async () => {
    database = await engine.open();
    spender = await addSpender(database, '1.00');
    process = await startProcess(database);
  });

  describe('the sweep', () => {
    it('expires what a dead process left open', async () => {
      const { traceId } = await admitted();
      await process.die();
      expect(await sweepHolds(database, systemClock)).toEqual({ ...nothing, expired: 1 });
      expect(await holdOf(traceId)).toMatchObject({ state: 'expired', cost: null });
      expect(await recordOf(traceId)).toMatchObject({
        status: 'failed',
        code: 'interrupted',
        cost: 0,
        images: 0,
        ended_at: expect.any(Number),
      });
      expect(await auditOf(traceId)).toMatchObject([
        {
          actor: 'system',
          action: 'hold.expire',
          reason: 'its process stopped renewing its lease',
        },
      ]);
      expect(await walletOf(database, spender.userId)).toBe('1.00 balance, 0.00 held, 0 slots');
      expect(await violationsOf(database)).toEqual([]);
    });

    it('returns what a dead process charged and did not hand over', async () => {
      const { traceId } = await admitted();
      await settle(database, systemClock, settlementOf(traceId));
      await process.die();
      expect(await sweepHolds(database, systemClock)).toEqual({ ...nothing, refunded: 1 });
      expect(await transactionsOf(traceId)).toMatchObject([
        { kind: 'charge', amount: -100_000, balance_after: 900_000 },
        {
          kind: 'refund',
          amount: 100_000,
          balance_after: 1_000_000,
          actor: 'system',
          reason: 'not delivered',
        },
      ]);
      expect(await recordOf(traceId)).toMatchObject({
        status: 'failed',
        code: 'interrupted',
        cost: 0,
      });
      expect(await auditOf(traceId)).toMatchObject([{ action: 'charge.refund', actor: 'system' }]);
      expect(await violationsOf(database)).toEqual([]);
    });

    it('leaves alone what was handed over before its process died', async () => {
      const { traceId } = await admitted();
      await settle(database, systemClock, settlementOf(traceId));
      await database.transaction((trx) => markDelivered(trx, [traceId], systemClock.now()));
      await process.die();
      expect(await sweepHolds(database, systemClock)).toEqual(nothing);
      expect(await walletOf(database, spender.userId)).toBe('0.90 balance, 0.00 held, 0 slots');
    });

    it('leaves alone what belongs to a living process', async () => {
      const { traceId } = await admitted();
      const paid = await admitted();
      await settle(database, systemClock, settlementOf(paid.traceId));
      expect(await sweepHolds(database, systemClock)).toEqual(nothing);
      expect(await holdOf(traceId)).toMatchObject({ state: 'open' });
      expect(await holdOf(paid.traceId)).toMatchObject({ refunded_at: null });
    });

    it("ends what a process left that died before the database's clock was set back", async () => {
      const { traceId } = await admitted();
      await database.kysely
        .updateTable('processes')
        .set((row) => ({ lease_until: row('lease_until', '+', 8 * 3_600_000) }))
        .execute();
      expect(await sweepHolds(database, systemClock)).toEqual({ ...nothing, expired: 1 });
      expect(await holdOf(traceId)).toMatchObject({ state: 'expired' });
      expect(await listLeased(database)).toEqual([]);
    });

    it('leaves alone what belongs to a process that renews its lease at the last moment', async () => {
      const { traceId } = await admitted();
      const paid = await admitted();
      await settle(database, systemClock, settlementOf(paid.traceId));
      await process.die();
      const late: Database = {
        ...failing(database),
        runChain: async (chain, params) => {
          await process.live();
          return database.runChain(chain, params);
        },
      };
      expect(await sweepHolds(late, systemClock)).toEqual(nothing);
      expect(await holdOf(traceId)).toMatchObject({ state: 'open' });
      expect(await holdOf(paid.traceId)).toMatchObject({ refunded_at: null });
    });

    it('is given up when the database goes away, and asks it for no other hold', async () => {
      await admitted();
      await admitted();
      await process.die();
      const connection = failing(database);
      connection.fates = ['is lost'];
      await expect(sweepHolds(connection, systemClock)).rejects.toThrow('Connection terminated');
      expect(connection.writes).toBe(1);
    });

    it('takes a process for dead whose lease is not there at all', async () => {
      await admitted();
      await forgetProcess(database, process.id);
      expect(await sweepHolds(database, systemClock)).toEqual({ ...nothing, expired: 1 });
    });

    it('does everything once, by however many at the same time', async () => {
      for (let i = 0; i < 3; i++) {
        await admitted();
        const { traceId } = await admitted();
        await settle(database, systemClock, settlementOf(traceId));
      }
      await process.die();
      const other = engine.openAgain(database);
      const sweeps = [database, other, database, other].map((db) => sweepHolds(db, systemClock));
      const results = await Promise.all(sweeps);
      expect(results.reduce((sum, { expired }) => sum + expired, 0)).toBe(3);
      expect(results.reduce((sum, { refunded }) => sum + refunded, 0)).toBe(3);
      expect(results.flatMap(({ stuck }) => stuck)).toEqual([]);
      expect(await walletOf(database, spender.userId)).toBe('1.00 balance, 0.00 held, 0 slots');
      expect(await violationsOf(database)).toEqual([]);
    });

    it('and a claim at the same moment: one of them decides', async () => {
      const terms = await Promise.all(Array.from({ length: 6 }, () => admitted()));
      for (const { traceId } of terms) await settle(database, systemClock, settlementOf(traceId));
      await process.die();
      const race = raceWith(engine.openAgain(database), (traceId) =>
        claimDelivery(database, { traceId, claimMs: 60_000 }),
      );
      const { refunded } = await sweepHolds(race.database, systemClock);
      const claims = await Promise.all(race.others);
      expect(claims).toHaveLength(terms.length);
      expect(refunded).toBe(claims.filter((isClaimed) => !isClaimed).length);
      expect(await sweepHolds(database, systemClock)).toEqual(nothing);
      expect(await transactionsOfKind('refund')).toHaveLength(refunded);
      expect(await violationsOf(database)).toEqual([]);
    });

    it('keeps a dead process in mind as long as something of it is claimed', async () => {
      const { traceId } = await admitted();
      await settle(database, systemClock, settlementOf(traceId));
      await claimDelivery(database, { traceId, claimMs: 60_000 });
      // So long ago that it would be forgotten otherwise.
      await process.die(25 * 3_600_000);
      expect(await sweepHolds(database, systemClock)).toEqual(nothing);
      expect(await listProcesses(database)).toMatchObject([{ id: process.id }]);
      await forgetProcess(database, process.id);
      expect(await sweepHolds(database, systemClock)).toEqual({ ...nothing, refunded: 1 });
      expect(await listProcesses(database)).toEqual([]);
    });

    it('and a settlement at the same moment: one of them happens', async () => {
      const terms = await Promise.all(Array.from({ length: 6 }, () => admitted()));
      await process.die();
      const race = raceWith(engine.openAgain(database), (traceId) =>
        settle(database, systemClock, settlementOf(traceId)),
      );
      const { expired } = await sweepHolds(race.database, systemClock);
      const charges = (await Promise.all(race.others)).filter((charge) => charge !== null);
      expect(charges).toHaveLength(terms.length - expired);
      // What was settled first is swept next.
      await sweepHolds(database, systemClock);
      expect(await transactionsOfKind('refund')).toHaveLength(charges.length);
      expect(await walletOf(database, spender.userId)).toBe('1.00 balance, 0.00 held, 0 slots');
      expect(await violationsOf(database)).toEqual([]);
    });

    it.each(['open', 'settled'])(
      'frees the Idempotency-Key of what it finds %s, so that the request may be made again',
      async (state) => {
        const idempotency = { key: 'k', fingerprint: 'f' };
        const { traceId } = await admitted({ idempotency });
        if (state === 'settled') await settle(database, systemClock, settlementOf(traceId));
        await process.die();
        await sweepHolds(database, systemClock);
        await process.live();
        const again = admissionOf(spender, { processId: process.id, idempotency });
        expect(await admit(database, systemClock, again)).toEqual({ kind: 'admitted' });
      },
    );

    it('forgets processes whose lease has been over for a day, and no other', async () => {
      const [long, almost] = [await startProcess(database), await startProcess(database)];
      await long.die(24 * 3_600_000);
      await almost.die(23 * 3_600_000);
      await sweepHolds(database, systemClock);
      const left = (await listProcesses(database)).map(({ id }) => id);
      expect(new Set(left)).toEqual(new Set([process.id, almost.id]));
    });

    it('ends everybody else’s holds although one wallet is damaged, and says which', async () => {
      const damaged = await admitted();
      const other = await addSpender(database, '1.00');
      await admit(database, systemClock, admissionOf(other, { processId: process.id }));
      // Less is held than the hold says, so that giving it back would break a constraint.
      await sql
        .raw(`update wallets set held = 0 where user_id = '${spender.userId}'`)
        .execute(database.kysely);
      await process.die();
      const { expired, stuck } = await sweepHolds(database, systemClock);
      expect({ expired, stuck: stuck.map(({ traceId }) => traceId) }).toEqual({
        expired: 1,
        stuck: [damaged.traceId],
      });
      expect(await walletOf(database, other.userId)).toBe('1.00 balance, 0.00 held, 0 slots');
    });

    it('ends everybody else’s holds although the database cannot read what belongs to one', async () => {
      const traceIds = [(await admitted()).traceId, (await admitted()).traceId];
      await process.die();
      const broken = failing(database);
      broken.fates = ['meets damage'];
      const { expired, stuck } = await sweepHolds(broken, systemClock);
      expect({ expired, stuck: stuck.map(({ traceId }) => traceId) }).toEqual({
        expired: 1,
        stuck: [traceIds.toSorted()[0]],
      });
    });

    it('goes through more holds than fit in one page', async () => {
      const rich = await addSpender(database, '60');
      const terms = Array.from({ length: 510 }, () =>
        admissionOf(rich, { processId: process.id, slotsMax: 1_000 }),
      );
      await Promise.all(terms.map((each) => admit(database, systemClock, each)));
      await process.die();
      expect(await sweepHolds(database, systemClock)).toEqual({ ...nothing, expired: 510 });
    });
  });

  async function admitted(changes: Partial<Admission> = {}): Promise<Admission> {
    const terms = admissionOf(spender, { processId: process.id, ...changes });
    expect(await admit(database, systemClock, terms)).toEqual({ kind: 'admitted' });
    return terms;
  }

  const holdOf = (traceId: string) =>
    database.kysely
      .selectFrom('holds')
      .selectAll()
      .where('trace_id', '=', traceId)
      .executeTakeFirst();

  const recordOf = (traceId: string) =>
    database.kysely
      .selectFrom('usage_records')
      .selectAll()
      .where('trace_id', '=', traceId)
      .executeTakeFirst();

  const auditOf = (subject: string) =>
    database.kysely
      .selectFrom('audit_entries')
      .selectAll()
      .where('subject', '=', subject)
      .execute();

  const transactionsOf = (traceId: string) =>
    database.kysely
      .selectFrom('wallet_transactions')
      .selectAll()
      .where('trace_id', '=', traceId)
      .orderBy('seq')
      .execute();

  const transactionsOfKind = (kind: 'charge' | 'refund') =>
    database.kysely
      .selectFrom('wallet_transactions')
      .selectAll()
      .where('kind', '=', kind)
      .execute();
});

/**
 * The same database, on which something else is done to each hold in the moment in which a sweep ends it: by turns
 * a little before that begins and a little after, as SQLite does one after the other.
 */
function raceWith<T>(database: Database, doElse: (traceId: string) => Promise<T>) {
  const others: Promise<T>[] = [];
  const racing: Database = {
    ...interceptTransactions(database, {}),
    runChain: (chain, params) => {
      const isFirst = others.length % 2 === 0;
      const begin = () => others.push(doElse(String(params['traceId'])));
      if (isFirst) begin();
      const ending = database.runChain(chain, params);
      if (!isFirst) begin();
      return ending;
    },
  };
  return { database: racing, others };
}
