import { beforeAll, expect, it } from 'vitest';
import { forEachEngine } from '../../test/support/databases/databases.ts';
import type { Database } from './db.ts';

/** A number that needs more than four bytes, and one micro more than a float of four bytes keeps. */
const large = 2 ** 33 + 1;
const largest = Number.MAX_SAFE_INTEGER;

forEachEngine((engine) => {
  let database: Database;
  beforeAll(async () => {
    database = await engine.open();
  });

  it('has no number that is narrower than 8 bytes, or not whole', async () => {
    const tables = await database.kysely.introspection.getTables();
    const types = new Set(
      tables.flatMap(({ columns }) => columns.map(({ dataType }) => dataType.toLowerCase())),
    );
    // Not ours: the migrator's own tables have two columns of its making.
    const ofTheMigrator =
      engine.name === 'sqlite' ? ['varchar(255)', 'integer'] : ['varchar', 'int4'];
    const integer = engine.name === 'sqlite' ? 'bigint' : 'int8';
    expect([...types].sort()).toEqual([integer, 'text', ...ofTheMigrator].sort());
  });

  it('keeps amounts beyond 2^32 and up to the largest in every column of money', async () => {
    await database.transaction(async (trx) => {
      const { kysely } = trx;
      const user = { id: 'usr_1', email: 'a@example.com', name: 'a', role: 'user' } as const;
      await kysely
        .insertInto('users')
        .values({ ...user, preferences: '{}', email_unproven: 0, created_at: large })
        .execute();
      const key = { id: 'key_1', user_id: 'usr_1', name: 'k', hash: 'h' };
      await kysely
        .insertInto('api_keys')
        .values({ ...key, prefix: 'tin', last_four: 'abcd', kind: 'api', created_at: large })
        .execute();
      await kysely
        .insertInto('key_budgets')
        .values({
          api_key_id: 'key_1',
          user_id: 'usr_1',
          zone: 'UTC',
          spend_max: largest,
          monthly_spend_max: largest,
          held: large,
          spent: largest,
          spent_in_month: large,
        })
        .execute();
      await kysely
        .insertInto('wallets')
        .values({
          user_id: 'usr_1',
          balance: largest,
          held: large,
          in_flight: 1,
          transaction_count: 1,
        })
        .execute();
      await kysely
        .insertInto('wallet_transactions')
        .values({
          id: 'txn_1',
          user_id: 'usr_1',
          seq: large,
          kind: 'charge',
          amount: -largest,
          balance_after: large,
          trace_id: 'tr_1',
          actor: 'system',
          created_at: large,
        })
        .execute();
      await kysely
        .insertInto('holds')
        .values({
          trace_id: 'tr_1',
          user_id: 'usr_1',
          api_key_id: 'key_1',
          budget_month: '2026-11',
          process_id: 'proc_1',
          amount: largest,
          cost: large,
          state: 'settled',
          created_at: large,
          ended_at: large,
        })
        .execute();
      await kysely
        .insertInto('usage_records')
        .values({
          trace_id: 'tr_1',
          user_id: 'usr_1',
          operation: 'generation',
          status: 'succeeded',
          images_requested: 2,
          images: 2,
          unit_price: large,
          cost: 2 * large,
          stream: 0,
          started_at: large,
        })
        .execute();
      await kysely
        .insertInto('prices')
        .values({ model_id: 'gen-image-2', seq: 1, amount: largest, actor: 'test', created_at: 1 })
        .execute();
      await kysely
        .updateTable('models')
        .set({ price: largest })
        .where('id', '=', 'gen-image-2')
        .execute();
    });
    expect(await one('wallets')).toMatchObject({ balance: largest, held: large });
    expect(await one('wallet_transactions')).toMatchObject({
      seq: large,
      amount: -largest,
      balance_after: large,
    });
    expect(await one('holds')).toMatchObject({ amount: largest, cost: large });
    expect(await one('usage_records')).toMatchObject({ unit_price: large, cost: 2 * large });
    expect(await one('prices')).toMatchObject({ amount: largest });
    const models = await database.kysely.selectFrom('models').selectAll().execute();
    expect(models.find(({ id }) => id === 'gen-image-2')).toMatchObject({ price: largest });
  });

  function one(table: 'wallets' | 'wallet_transactions' | 'holds' | 'usage_records' | 'prices') {
    return database.kysely.selectFrom(table).selectAll().executeTakeFirstOrThrow();
  }
});
