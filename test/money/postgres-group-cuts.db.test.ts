/** Requests that share a transaction of PostgreSQL, whose connection is cut at each message of it in turn. */
import { sql } from 'kysely';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { isUnavailable } from '../../server/db/database-error.ts';
import type { Database } from '../../server/db/db.ts';
import { openDatabase } from '../../server/db/open.ts';
import type { HoldState } from '../../server/db/schema.ts';
import { releaseSurely, settleSurely, undoSurely } from '../../server/flows/money/end-hold.ts';
import {
  type Admission,
  admit,
  release,
  type Settlement,
  settle,
} from '../../server/flows/money/hold-money.ts';
import { must } from '../../server/lib/assert.ts';
import { makeId } from '../../server/lib/ids.ts';
import { readHold } from '../../server/wallets/delivery-store.ts';
import { amount } from '../support/console/test-admin.ts';
import { forEachEngine } from '../support/databases/databases.ts';
import { FaultyProxy, type MessageWay } from '../support/databases/faulty-proxy.ts';
import { hurriedClock } from '../support/hurried-clock.ts';
import {
  addSpender,
  admissionOf,
  type Spender,
  settlementOf,
  startProcess,
  violationsOf,
  walletOf,
} from '../support/money/spending.ts';

const clock = hurriedClock(50);
const triesMax = 3;

forEachEngine((engine) => {
  const options = {
    skip: engine.name !== 'postgres',
    meta: { skippedBecause: 'concerns the connections of PostgreSQL' },
  };

  describe('requests in one transaction', options, () => {
    let database: Database;
    let proxy: FaultyProxy;
    let spenders: Spender[];
    let processId: string;
    let db: Database;

    beforeEach(async () => {
      database = await engine.open();
      const url = must(engine.locationOf(database).url, 'an address');
      proxy = await FaultyProxy.start(url);
      onTestFinished(() => proxy.stop());
      spenders = await Promise.all(['20', '20', '20'].map((money) => addSpender(database, money)));
      ({ id: processId } = await startProcess(database));
      db = openThrough(proxy.urlOf(url));
      onTestFinished(() => db.close());
    });

    const admissions = () =>
      spenders.map((spender) => {
        const idempotency = { key: makeId('tr', clock.now()), fingerprint: 'same' };
        return admissionOf(spender, { processId, idempotency });
      });

    async function admitted(): Promise<readonly Admission[]> {
      const all = admissions();
      const outcomes = await Promise.all(all.map((each) => admit(database, clock, each)));
      expect(outcomes.map(({ kind }) => kind)).toEqual(all.map(() => 'admitted'));
      return all;
    }

    async function statesOf(all: readonly Admission[]) {
      const holds = await Promise.all(all.map(({ traceId }) => readHold(database, traceId)));
      return holds.map((hold) => hold?.state ?? null);
    }

    async function expectUntouched(): Promise<void> {
      const wallets = await Promise.all(spenders.map(({ userId }) => walletOf(database, userId)));
      expect(wallets).toEqual(spenders.map(() => '20.00 balance, 0.00 held, 0 slots'));
    }

    /** Has a group cut off after each number of messages that are fewer than it has. */
    async function cutEverywhere(
      { prepare, work, states, finish }: Stage,
      { way, isFirst }: Where,
    ) {
      let isCut = true;
      let messages = 0;
      for (; isCut; messages++) {
        if (!isFirst) {
          const before = await prepare();
          await Promise.all(before.map(work));
          await finish(before);
        }
        const all = await prepare();
        if (isFirst) {
          await db.close();
          db = openThrough(proxy.urlOf(must(engine.locationOf(database).url, 'an address')));
        }
        // Signs in, where the connection is new or the one before was cut.
        await sql`select 1`.execute(db.kysely);
        proxy.breakAfter = { way, messages };
        const told = await Promise.allSettled(all.map(work));
        isCut = proxy.breakAfter === null;
        proxy.breakAfter = null;
        const refused = told.filter(
          (each) => each.status === 'rejected' && isUnavailable(each.reason),
        );
        expect(refused).toHaveLength(isCut ? all.length : 0);
        const hasHappened = !isCut || way === 'answered';
        const state = hasHappened ? states.after : states.before;
        expect(await statesOf(all)).toEqual(all.map(() => state));
        await finish(all);
      }
      expect(await violationsOf(database)).toEqual([]);
      return messages - 1;
    }

    const undoAll = async (all: readonly Admission[]) => {
      const undo = ({ traceId }: Admission) =>
        undoSurely(db, clock, { traceId, code: 'unavailable' }, triesMax);
      await Promise.all(all.map(undo));
      await expectUntouched();
    };

    const settlementFor = ({ traceId, userId }: Admission, changes: Partial<Settlement> = {}) => ({
      ...settlementOf(traceId),
      userId,
      ...changes,
    });

    const releaseOf = ({ traceId, userId }: Admission) =>
      ({ traceId, userId, status: 'failed', code: 'upstream_error', attempts: '[]' }) as const;

    const stages: Record<string, Stage> = {
      'an admit, which is given up': {
        prepare: async () => admissions().map((each) => ({ ...each, idempotency: null })),
        work: (each) => admit(db, clock, each),
        states: { before: null, after: 'open' },
        finish: undoAll,
      },
      'an admit with an Idempotency-Key, which is given up and sent again': {
        prepare: async () => admissions(),
        work: (each) => admit(db, clock, each),
        states: { before: null, after: 'open' },
        finish: async (all) => {
          await undoAll(all);
          const again = all.map((each) => ({ ...each, traceId: makeId('tr', clock.now()) }));
          const outcomes = await Promise.all(again.map((each) => admit(db, clock, each)));
          expect(outcomes.map(({ kind }) => kind)).toEqual(all.map(() => 'admitted'));
          await undoAll(again);
        },
      },
      'a settle, which is tried again': {
        prepare: admitted,
        work: (each) => settle(db, clock, settlementFor(each)),
        states: { before: 'open', after: 'settled' },
        finish: async (all) => {
          const surely = (each: Admission) =>
            settleSurely(db, clock, settlementFor(each), triesMax);
          const charged = await Promise.all(all.map(surely));
          expect(charged.map((each) => each?.cost)).toEqual(all.map(() => amount('0.10')));
          expect(await transactionsOf(database, all)).toEqual(all.map(() => 'charge'));
          await undoAll(all);
        },
      },
      'a settle that writes notices, which is given up': {
        prepare: admitted,
        work: (each) => settle(db, clock, settlementFor(each, { lowBalance: amount('20.00') })),
        states: { before: 'open', after: 'settled' },
        finish: undoAll,
      },
      'a release, which is tried again': {
        prepare: admitted,
        work: (each) => release(db, clock, releaseOf(each)),
        states: { before: 'open', after: 'released' },
        finish: async (all) => {
          await Promise.all(all.map((each) => releaseSurely(db, clock, releaseOf(each), triesMax)));
          await expectUntouched();
          expect(await transactionsOf(database, all)).toEqual([]);
        },
      },
    };

    describe.each(Object.entries(stages))('of %s', (_, stage) => {
      it.each([
        ['before each message to a new connection', { way: 'asked', isFirst: true }, 13],
        ['before each message to one that has done it before', { way: 'asked', isFirst: false }, 9],
        ['before each answer of a new one', { way: 'answered', isFirst: true }, 19],
        [
          'before each answer of one that has done it before',
          { way: 'answered', isFirst: false },
          13,
        ],
      ] as const)(
        'happens wholly or not, and all are told that nobody knows: %s',
        { timeout: 120_000 },
        async (_where, where, messages) => {
          expect(await cutEverywhere(stage, where)).toBe(messages);
        },
      );
    });
  });
});

function openThrough(url: string): Database {
  return openDatabase({
    url,
    dataDir: '',
    // What follows a cut is on another connection.
    connectionsMax: 1,
    connectTimeoutMs: 30_000,
    onBackgroundError: () => {},
  });
}

interface Stage {
  prepare: () => Promise<readonly Admission[]>;
  /** Those of all share a transaction. */
  work: (admission: Admission) => Promise<unknown>;
  states: Record<'before' | 'after', HoldState | null>;
  /** What a caller does who was told that it failed, or that it was done. */
  finish: (all: readonly Admission[]) => Promise<void>;
}

interface Where {
  way: MessageWay;
  /** Whether the connection has to be told the statements. */
  isFirst: boolean;
}

async function transactionsOf({ kysely }: Database, all: readonly Admission[]) {
  const traceIds = all.map(({ traceId }) => traceId);
  const rows = await kysely
    .selectFrom('wallet_transactions')
    .select('kind')
    .where('trace_id', 'in', traceIds)
    .execute();
  return rows.map(({ kind }) => kind);
}
