/** What no constraint keeps from being written, and one check alone finds. */
import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { payAPicture } from '../../../test/support/history/traced-person.ts';
import {
  addSpender,
  admissionOf,
  forgetProcess,
  type Spender,
  settlementOf,
  startProcess,
} from '../../../test/support/money/spending.ts';
import type { Database } from '../../db/db.ts';
import { systemClock } from '../../lib/clock.ts';
import { claimDelivery } from '../../wallets/delivery-store.ts';
import { admit, settle } from './hold-money.ts';
import { refundOwn } from './refund-undelivered.ts';
import { verifyBooks } from './verify-books.ts';

forEachEngine((engine) => {
  let database: Database;
  let spender: Spender;

  beforeEach(async () => {
    database = await engine.open();
    spender = await addSpender(database, '5.00');
  });

  const change = (statement: string) => sql.raw(statement).execute(database.kysely);
  const found = async () =>
    (await verifyBooks(database)).violations.map(({ invariant, subject }) => [invariant, subject]);

  it('a number that no transaction has', async () => {
    await payAPicture(database, spender);
    await change('update wallet_transactions set seq = 0 where seq = 1');
    const invariant = 'each balance_after = the one before + amount';
    expect(await found()).toEqual([
      [invariant, spender.userId],
      [invariant, spender.userId],
    ]);
  });

  it('transactions that are counted and were never there', async () => {
    const { userId } = await addSpender(database, '0');
    await change(`update wallets set transaction_count = 1 where user_id = '${userId}'`);
    expect(await found()).toEqual([['balance = Σ transactions = last balance_after', userId]]);
  });

  it('a refund in another wallet than its charge', async () => {
    const traceId = await charged();
    await refundOwn(database, systemClock, { traceId, code: 'client_gone' });
    const other = await addSpender(database, '0');
    await change(`update wallet_transactions set user_id = '${other.userId}', seq = 1
      where kind = 'refund'`);
    expect(await found()).toContainEqual([
      'a refund has its charge and is never more than it',
      traceId,
    ]);
  });

  describe('a charge whose process is gone', () => {
    it.each([
      // Of real time: a busy machine may look some seconds later.
      ['was claimed until a moment ago', 50_000, []],
      ['was claimed until long ago', 61_000, ['no hold is older than its lease']],
    ])('%s', async (_what, agoMs, invariants) => {
      const traceId = await charged();
      await change(`update holds set ended_at = 1 where trace_id = '${traceId}'`);
      await change(`update wallet_transactions set created_at = 1 where trace_id = '${traceId}'`);
      await claimDelivery(database, { traceId, claimMs: -agoMs });
      expect(await found()).toEqual(invariants.map((invariant) => [invariant, traceId]));
    });
  });

  /** By a process that has no lease any more, and not handed over. */
  async function charged(): Promise<string> {
    const { id: processId } = await startProcess(database);
    const terms = admissionOf(spender, { processId });
    await admit(database, systemClock, terms);
    await settle(database, systemClock, settlementOf(terms.traceId));
    await forgetProcess(database, processId);
    return terms.traceId;
  }
});
