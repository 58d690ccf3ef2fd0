import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { forEachEngine } from '../../test/support/databases.ts';
import { addSpender } from '../../test/support/spending.ts';
import { amount, type TestAdmin, testAdmin } from '../../test/support/test-admin.ts';
import type { Database } from '../db/db.ts';
import { must } from '../lib/assert.ts';
import { createCodes } from './create-codes.ts';
import { redeemCode } from './redeem-code.ts';
import { takePaymentReport } from './take-payment-report.ts';
import { verifyBooks } from './verify-books.ts';

const invariant = 'a paid payment and a redeemed code have one top-up of their amount';

forEachEngine((engine) => {
  let database: Database;
  let admin: TestAdmin;
  let userId: string;

  beforeEach(async () => {
    database = await engine.open();
    admin = testAdmin(database);
    ({ userId } = await addSpender(database, '1.00'));
    await addSpender(database, '2.00');
    await takePaymentReport(admin, {
      type: 'payment.paid',
      provider: 'paypal',
      payment_id: 'p-1',
      user: userId,
      amount: amount('5'),
      currency: 'USD',
    });
    const order = { amount: amount('3'), count: 2, note: null, expiresAt: null, prefix: 'tin' };
    const [secret] = (await createCodes(admin, order)).secrets;
    await redeemCode(admin, { userId, text: must(secret, 'a code') });
  });

  const found = async () =>
    (await verifyBooks(database)).violations.map((each) => [each.invariant, each.detail]);

  it('finds nothing where all is credited, and a code not redeemed yet', async () => {
    expect(await found()).toEqual([]);
  });

  describe.each([
    { what: 'a payment', table: 'payments', owner: 'user_id', micros: 5_000_000 },
    { what: 'a code', table: 'codes', owner: 'redeemed_by', micros: 3_000_000 },
  ])('$what is found', ({ table, owner, micros }) => {
    const credited = 'transaction_id is not null';
    const another = `(select user_id from wallets where user_id <> '#')`;
    const credit = `(select transaction_id from ${table} where ${credited})`;

    it.each([
      {
        when: 'without its top-up',
        by: `update ${table} set transaction_id = null where ${credited}`,
        detail: `amount ${micros}, credited nothing`,
      },
      {
        when: 'of more than its top-up',
        by: `update ${table} set amount = amount + 1 where ${credited}`,
        detail: `amount ${micros + 1}, credited ${micros}`,
      },
      {
        when: 'in another wallet than its user’s',
        by: `update ${table} set ${owner} = ${another} where ${credited}`,
        detail: `amount ${micros}, credited nothing`,
      },
      {
        when: 'for which there is a movement that is no top-up',
        by: `update wallet_transactions set kind = 'adjustment' where id = ${credit}`,
        detail: `amount ${micros}, credited nothing`,
      },
    ])('$when', async ({ by, detail }) => {
      await sql.raw(by.replaceAll('#', userId)).execute(database.kysely);
      expect(await found()).toEqual([[invariant, detail]]);
    });
  });
});
