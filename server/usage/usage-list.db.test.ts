import { beforeAll, describe, expect, it } from 'vitest';
import { testAdmin } from '../../test/support/console/test-admin.ts';
import { forEachEngine } from '../../test/support/databases/databases.ts';
import type { Database } from '../db/db.ts';
import type { UsageRecordRow } from '../db/schema.ts';
import { openAccount } from '../flows/users/open-account.ts';
import type { Position } from '../lib/turned-page.ts';
import { findUsage, listUsage, turnUsage, type UsageFilter } from './usage-list.ts';
import { sumUsage } from './usage-sums.ts';

const firstPage = { after: null, limit: 100 };

forEachEngine((engine) => {
  describe('among a handful of records', () => {
    let database: Database;
    let alice = '';

    beforeAll(async () => {
      database = await engine.open();
      const users = [];
      for (const name of ['alice', 'bob']) users.push(await addUser(database, name));
      const [first = '', second = ''] = users;
      alice = first;
      await addRecords(database, [
        record(1, { user_id: alice, status: 'succeeded', images: 2, cost: 80_000 }),
        record(2, {
          user_id: alice,
          status: 'failed',
          code: 'upstream_error',
          api_key_id: 'key_b',
        }),
        record(3, { user_id: second, status: 'succeeded', images: 1, cost: 40_000, model: 'm-2' }),
        record(4, { user_id: second, status: 'canceled', code: 'client_gone' }),
        record(5, { user_id: alice, status: 'failed', code: 'rate_limit', model: null }),
      ]);
    });

    it.each<[string, (alice: string) => UsageFilter, number[]]>([
      ['everything, newest first', () => ({}), [5, 4, 3, 2, 1]],
      ['a user', (userId) => ({ userId }), [5, 2, 1]],
      ['a model', () => ({ model: 'm-2' }), [3]],
      ['a status', () => ({ status: 'failed' }), [5, 2]],
      ['a code', () => ({ code: 'client_gone' }), [4]],
      ['an API key', () => ({ apiKeyId: 'key_b' }), [2]],
      ['a trace ID', () => ({ traceId: 'tr_3' }), [3]],
      ['a range, its end left out', () => ({ fromMs: 2_000, toMs: 4_000 }), [3, 2]],
      ['several at once', (userId) => ({ userId, status: 'failed', fromMs: 3_000 }), [5]],
      ['what matches nothing', () => ({ model: 'm-9' }), []],
    ])('finds by %s', async (_what, filterFor, expected) => {
      const { items } = await listUsage(database, filterFor(alice), firstPage);
      expect(items.map(({ traceId }) => traceId)).toEqual(expected.map((n) => `tr_${n}`));
    });

    it('adds up all that match, not only a page', async () => {
      expect(await sumUsage(database, {})).toEqual({
        records: 5,
        images: 3,
        cost: 120_000,
        unbilled: 3,
      });
      expect(await sumUsage(database, { userId: alice })).toEqual({
        records: 3,
        images: 2,
        cost: 80_000,
        unbilled: 2,
      });
      expect(await sumUsage(database, { model: 'm-9' })).toEqual({
        records: 0,
        images: 0,
        cost: 0,
        unbilled: 0,
      });
    });

    it('goes on after the last of a page', async () => {
      const first = await listUsage(database, { userId: alice }, { after: null, limit: 2 });
      expect(first.items.map(({ traceId }) => traceId)).toEqual(['tr_5', 'tr_2']);
      const second = await listUsage(database, { userId: alice }, { after: first.next, limit: 2 });
      expect(second).toMatchObject({ items: [{ traceId: 'tr_1' }], next: null });
    });

    it.each<[string, Position, number[]]>([
      ['older than one in it', { place: '3000.tr_3', towards: 'older' }, [2]],
      ['newer than one in it', { place: '2000.tr_2', towards: 'newer' }, [3]],
      ['older than one behind its end', { place: '5000.tr_5', towards: 'older' }, [3, 2]],
      ['older than its end', { place: '4000.tr_9', towards: 'older' }, [3, 2]],
      ['older than one before its beginning', { place: '1000.tr_1', towards: 'older' }, []],
      ['newer than one before its beginning', { place: '500.tr_0', towards: 'newer' }, [3, 2]],
      ['newer than one behind its end', { place: '5000.tr_5', towards: 'newer' }, []],
    ])('stays in the range: what is %s', async (_where, position, expected) => {
      const range = { fromMs: 2_000, toMs: 4_000 };
      const { items } = await turnUsage(database, range, { position, limit: 100 });
      expect(items.map(({ traceId }) => traceId)).toEqual(expected.map((n) => `tr_${n}`));
    });

    it('refuses a place that is none', async () => {
      for (const after of ['', 'tr_1', '1000', '1000.', '1000.tr_1 ', '-1.tr_1']) {
        const page = { after, limit: 1 };
        await expect(listUsage(database, {}, page)).rejects.toMatchObject({ param: 'cursor' });
      }
    });

    it('shows one record as it is', async () => {
      expect(await findUsage(database, 'tr_1')).toEqual({
        traceId: 'tr_1',
        userId: alice,
        apiKeyId: 'key_a',
        model: 'm-1',
        operation: 'generation',
        status: 'succeeded',
        code: null,
        imagesRequested: 2,
        images: 2,
        unitPrice: 40_000,
        cost: 80_000,
        stream: false,
        size: '1024x1024',
        quality: 'high',
        outputFormat: 'png',
        startedAt: 1_000,
        endedAt: 1_500,
        attempts: [{ fault: null }],
        asked: null,
      });
      expect(await findUsage(database, 'tr_9')).toBeNull();
    });
  });

  it('adds up costs beyond what 32 bits hold', async () => {
    const database = await engine.open();
    const user_id = await addUser(database, 'rich');
    const cost = 3_000_000_000_000;
    const rows = [1, 2].map((n) => record(n, { user_id, images: 1, unit_price: cost, cost }));
    await addRecords(
      database,
      rows.map((row) => ({ ...row, status: 'succeeded' })),
    );
    expect((await sumUsage(database, {})).cost).toBe(2 * cost);
  });
});

function record(n: number, changes: Partial<UsageRecordRow>): UsageRecordRow {
  return {
    trace_id: `tr_${n}`,
    user_id: '',
    api_key_id: 'key_a',
    model: 'm-1',
    operation: 'generation',
    status: 'failed',
    code: null,
    images_requested: 2,
    images: 0,
    unit_price: 40_000,
    cost: 0,
    stream: 0,
    size: '1024x1024',
    quality: 'high',
    output_format: 'png',
    started_at: n * 1_000,
    ended_at: n * 1_000 + 500,
    attempts: '[{"fault":null}]',
    asked: null,
    ...changes,
  };
}

async function addUser(database: Database, name: string): Promise<string> {
  const email = `${name}@example.com`;
  const account = { email, name, role: 'user', slotsMax: null, topUp: null } as const;
  return (await openAccount(testAdmin(database), account)).id;
}

async function addRecords(database: Database, rows: readonly UsageRecordRow[]): Promise<void> {
  await database.transaction((trx) =>
    trx.kysely.insertInto('usage_records').values(rows).execute(),
  );
}
