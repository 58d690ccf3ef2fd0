import { beforeAll, describe, expect, it } from 'vitest';
import { forEachEngine } from '../../test/support/databases/databases.ts';
import { addUsageRows, usageRow } from '../../test/support/history/usage-rows.ts';
import { insertUser } from '../accounts/user-store.ts';
import type { Database } from '../db/db.ts';
import type { UsageRecordRow } from '../db/schema.ts';
import { type DayGroup, dayMs } from './usage-day.ts';
import { addToDays } from './usage-prune-store.ts';
import {
  countByModel,
  countCodeByUser,
  countCodes,
  countUsage,
  readDurations,
  readLastRequests,
  readUserActivity,
} from './usage-stats.ts';

const nowMs = Date.UTC(2026, 10, 20);
const range = { fromMs: nowMs, toMs: nowMs + 1_000 };
const nothing = { fromMs: nowMs - 10, toMs: nowMs - 5 };

forEachEngine((engine) => {
  describe('within a range', () => {
    let database: Database;

    beforeAll(async () => {
      database = await engine.open();
      await addUsers(database, ['usr_a', 'usr_b', 'usr_c', 'usr_d']);
      const failed = { status: 'failed' } as const;
      await addUsageRows(database, [
        usageRow({ userId: 'usr_a' }, range.fromMs - 1, { model: 'm-before' }),
        took(1_000, { user_id: 'usr_a' }),
        took(9_000, { user_id: 'usr_b' }),
        took(3_000, { user_id: 'usr_a', model: 'm-2' }),
        took(2_000, { user_id: 'usr_b', model: 'm-2', images: 2, cost: 80_000 }),
        took(1, { user_id: 'usr_a', ...failed, code: 'upstream_error' }),
        took(60_000, { user_id: 'usr_b', ...failed, code: 'upstream_error' }),
        took(60_000, { user_id: 'usr_b', ...failed, code: 'rate_limit', model: null }),
        took(60_000, { user_id: 'usr_b', ...failed, status: 'canceled', code: 'client_gone' }),
        usageRow({ userId: 'usr_a' }, range.toMs - 1, { status: 'running' }),
        usageRow({ userId: 'usr_a' }, range.toMs, { model: 'm-after' }),
      ]);
      await database.transaction(async (trx) => {
        await addToDays(trx, [dayOf('usr_c', 8), dayOf('usr_c', 9), dayOf('usr_a', 9)]);
      });
    });

    it('counts what became of requests, and what they cost', async () => {
      expect(await countUsage(database, range)).toEqual({
        byStatus: { running: 1, succeeded: 4, failed: 3, canceled: 1 },
        cost: 200_000,
      });
      expect(await countUsage(database, nothing)).toEqual({
        byStatus: { running: 0, succeeded: 0, failed: 0, canceled: 0 },
        cost: 0,
      });
    });

    it('counts codes, the most frequent first', async () => {
      expect(await countCodes(database, range)).toEqual([
        { code: 'upstream_error', records: 2 },
        { code: 'client_gone', records: 1 },
        { code: 'rate_limit', records: 1 },
      ]);
    });

    it('tells how long requests that succeeded took', async () => {
      const shares = [0.5, 0.9, 0, 1];
      expect(await readDurations(database, range, shares)).toEqual([2_000, 9_000, 1_000, 9_000]);
      expect(await readDurations(database, nothing, [0.5])).toEqual([null]);
    });

    it('counts requests by the model they asked for', async () => {
      const counts = { 'gen-image-2': 6, 'm-2': 2 };
      expect(await countByModel(database, range)).toEqual(new Map(Object.entries(counts)));
    });

    it('tells what each of some users did, also who did nothing', async () => {
      expect([...(await readUserActivity(database, ['usr_a', 'usr_c'], range))]).toEqual([
        ['usr_a', { requests: 4, cost: 80_000 }],
        ['usr_c', { requests: 0, cost: 0 }],
      ]);
      expect(await readUserActivity(database, [], range)).toEqual(new Map());
    });

    it('tells when each user last began a request, by the day where no record is kept', async () => {
      const users = ['usr_a', 'usr_b', 'usr_c', 'usr_d'];
      expect([...(await readLastRequests(database, users))]).toEqual([
        ['usr_a', range.toMs],
        ['usr_b', range.fromMs],
        ['usr_c', 9 * dayMs],
      ]);
    });
  });

  it('counts a code for those who got it the most often, up to a limit', async () => {
    const database = await engine.open();
    const code = 'insufficient_quota';
    const refused = { usr_a: 1, usr_b: 3, usr_c: 2, usr_d: 1 };
    await addUsers(database, Object.keys(refused));
    const rows = Object.entries(refused).flatMap(([userId, times]) =>
      Array.from({ length: times }, () => usageRow({ userId }, nowMs, { code })),
    );
    await addUsageRows(database, [...rows, usageRow({ userId: 'usr_a' }, nowMs)]);
    const count = async (limit: number) => [
      ...(await countCodeByUser(database, range, code, { limit })),
    ];
    expect(await count(3)).toEqual([
      ['usr_b', 3],
      ['usr_c', 2],
      ['usr_a', 1],
    ]);
    expect(await count(4)).toContainEqual(['usr_d', 1]);
  });
});

/** A request of the range that took so many milliseconds. */
function took(ms: number, changes: Partial<UsageRecordRow> & { user_id: string }) {
  const startedAt = range.fromMs;
  return usageRow({ userId: changes.user_id }, startedAt, { ended_at: startedAt + ms, ...changes });
}

function dayOf(userId: string, day: number): DayGroup {
  const kind = { api_key_id: '', model: 'gen-image-2', operation: 'generation' } as const;
  const sums = { records: 1, images: 1, cost: 40_000 };
  return { day: day * dayMs, user_id: userId, ...kind, status: 'succeeded', code: '', ...sums };
}

async function addUsers(database: Database, ids: readonly string[]): Promise<void> {
  await database.transaction(async (trx) => {
    for (const id of ids) {
      const account = { email: `${id}@example.com`, name: id, role: 'user' as const };
      const times = { createdAt: nowMs, disabledAt: null, erasedAt: null };
      await insertUser(trx, { id, ...account, ...times, slotsMax: null });
    }
  });
}
