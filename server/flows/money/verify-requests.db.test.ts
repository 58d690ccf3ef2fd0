/** What a request is counted by, changed by hand: its key and its times, in the record, the charge or the total. */
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { amount, testAdmin } from '../../../test/support/console/test-admin.ts';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { payAPicture } from '../../../test/support/history/traced-person.ts';
import {
  addSpender,
  admissionOf,
  type Spender,
  settlementOf,
  startProcess,
} from '../../../test/support/money/spending.ts';
import type { Database } from '../../db/db.ts';
import { pruneUsageBatch } from '../installation/prune-history.ts';
import { admit, settle } from './hold-money.ts';
import { refundCharge } from './refund-charge.ts';
import { refundOwn } from './refund-undelivered.ts';
import { verifyBooks } from './verify-books.ts';

const allRecords = { beforeMs: Number.MAX_SAFE_INTEGER, after: null, limit: 10 };

forEachEngine((engine) => {
  let database: Database;
  let spender: Spender;
  let other: Spender;
  let traceId: string;

  beforeEach(async () => {
    database = await engine.open();
    spender = await addSpender(database, '5.00');
    other = await addSpender(database, '5.00');
    traceId = await payAPicture(database, spender);
  });

  const change = (statement: string) => sql.raw(statement).execute(database.kysely);
  const found = async () =>
    (await verifyBooks(database)).violations.map(({ invariant, subject }) => [invariant, subject]);

  /** The trace ID of a request whose picture nobody took. */
  async function returnedByService(): Promise<string> {
    const { clock } = testAdmin(database);
    const { id: processId } = await startProcess(database);
    const terms = admissionOf(spender, { processId });
    await admit(database, clock, terms);
    await settle(database, clock, settlementOf(terms.traceId));
    await refundOwn(database, clock, { traceId: terms.traceId, code: 'client_gone' });
    return terms.traceId;
  }

  describe('a request is found that has', () => {
    it.each([
      ['another key', `update usage_records set api_key_id = 'key_x'`],
      ['no key', `update usage_records set api_key_id = null`],
      ['another beginning', `update usage_records set started_at = started_at - 1`],
      [
        'another time of its charge',
        `update wallet_transactions set created_at = created_at + 1 where kind = 'charge'`,
      ],
    ])('%s', async (_what, statement) => {
      expect(await found()).toEqual([]);
      await change(statement);
      expect(await found()).toEqual([['a request has the key and the times of its hold', traceId]]);
    });
  });

  describe('a record is found that', () => {
    const invariant = 'a charged request has succeeded unless the service returned its charge';

    it('tells of a success whose charge the service returned', async () => {
      const returned = await returnedByService();
      expect(await found()).toEqual([]);
      await change(`update usage_records
        set status = 'succeeded', code = null, images = 1, cost = unit_price
        where trace_id = '${returned}'`);
      expect(await found()).toEqual([[invariant, returned]]);
    });

    it('tells of a failure whose charge an administrator returned', async () => {
      await refundCharge(testAdmin(database, 'grey'), { traceId, amount: null });
      expect(await found()).toEqual([]);
      await change(`update usage_records
        set status = 'failed', code = 'interrupted', images = 0, cost = 0
        where trace_id = '${traceId}'`);
      expect(await found()).toEqual([[invariant, traceId]]);
    });
  });

  describe('a daily total is found that is of another', () => {
    beforeEach(async () => {
      await database.transaction((trx) => pruneUsageBatch(trx, allRecords));
    });

    it.each([
      ['user', `update usage_days set user_id = '#'`],
      ['key', `update usage_days set api_key_id = 'key_x'`],
      ['day', `update usage_days set day = day - 86400000`],
      ['later day', `update usage_days set day = day + 86400000`],
      ['status', `update usage_days set status = 'failed'`],
    ])('%s', async (_what, statement) => {
      expect(await found()).toEqual([]);
      await change(statement.replace('#', other.userId));
      const invariant = 'a daily total is what the charges come to whose records went into it';
      expect(await found()).toEqual([[invariant, traceId]]);
    });
  });

  it('a charge is found that was not returned although its hold says so, once its record is pruned', async () => {
    const returned = await returnedByService();
    await database.transaction((trx) => pruneUsageBatch(trx, allRecords));
    expect(await found()).toEqual([]);
    await change(`delete from wallet_transactions where kind = 'refund'`);
    await change(`update wallets set balance = balance - ${amount('0.10')},
      transaction_count = transaction_count - 1 where user_id = '${spender.userId}'`);
    const invariant = 'a hold marked as refunded got its whole cost back';
    expect(await found()).toContainEqual([invariant, returned]);
  });

  it('a key is found whose budget is another user’s', async () => {
    await change(
      `update key_budgets set user_id = '${other.userId}' where user_id = '${spender.userId}'`,
    );
    expect(await found()).toEqual([
      ['a user has a wallet, a wallet its user, and a key its budget', spender.apiKeyId],
    ]);
  });
});
