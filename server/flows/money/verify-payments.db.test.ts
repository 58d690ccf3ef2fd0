import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { amount, type TestAdmin, testAdmin } from '../../../test/support/console/test-admin.ts';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { addSpender } from '../../../test/support/money/spending.ts';
import type { Database } from '../../db/db.ts';
import { must } from '../../lib/assert.ts';
import { createCodes } from '../payments/create-codes.ts';
import { redeemCode } from '../payments/redeem-code.ts';
import { takePaymentReport } from '../payments/take-payment-report.ts';
import { orderMoney } from './order-money.ts';
import { verifyBooks } from './verify-books.ts';

const invariant = 'a paid payment and a redeemed code have one top-up of their amount';

const sourceInvariant = 'what no administrator ordered was paid, redeemed or taken back';
/** What adjustments gave, less what they should have taken. */
const returned = (micros: number) =>
  `what adjustments took and what payments tell of differ by ${micros}`;

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
        source: `a top-up of ${micros} for 0 payments and codes`,
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
        source: table === 'payments' && returned(micros),
      },
    ])('$when', async ({ by, detail, source }) => {
      await sql.raw(by.replaceAll('#', userId)).execute(database.kysely);
      const also = source ? [[sourceInvariant, source]] : [];
      expect(await found()).toEqual([[invariant, detail], ...also]);
    });
  });

  describe('a movement is found that nothing explains:', () => {
    beforeEach(async () => {
      await takePaymentReport(admin, {
        type: 'payment.returned',
        provider: 'paypal',
        payment_id: 'p-1',
        amount: amount('2'),
        currency: 'USD',
      });
    });

    it('none where the adjustment is what was taken back', async () => {
      expect(await found()).toEqual([]);
    });

    it.each([
      {
        what: 'a payment was deleted',
        by: `delete from payment_reversals; delete from payments`,
        details: ['a top-up of 5000000 for 0 payments and codes', returned(-2_000_000)],
      },
      {
        what: 'a payment was made unpaid',
        by: `update payments set state = 'failed', transaction_id = null`,
        details: ['a top-up of 5000000 for 0 payments and codes'],
      },
      {
        what: 'a code was made good again',
        by: `update codes set redeemed_by = null, redeemed_at = null, transaction_id = null`,
        details: ['a top-up of 3000000 for 0 payments and codes'],
      },
      {
        what: 'what a provider took back was forgotten',
        by: 'delete from payment_reversals',
        details: [returned(-2_000_000)],
      },
      {
        what: 'more was taken back than the wallet gave',
        by: 'update payment_reversals set amount = 3000000, deducted = 3000000',
        details: [returned(1_000_000)],
      },
    ])('$what', async ({ by, details }) => {
      for (const statement of by.split(';')) await sql.raw(statement).execute(database.kysely);
      const inOrder = (await found()).sort(([, a = ''], [, b = '']) => (a < b ? -1 : 1));
      expect(inOrder).toEqual(details.map((detail) => [sourceInvariant, detail]));
    });

    it('a payment and a code have the same top-up', async () => {
      await sql
        .raw(`update codes set amount = 5000000,
          transaction_id = (select transaction_id from payments) where transaction_id is not null`)
        .execute(database.kysely);
      expect(await found()).toContainEqual([
        sourceInvariant,
        'a top-up of 5000000 for 2 payments and codes',
      ]);
    });
  });

  it.each([
    ['add', 'adjustment', 7_000_000],
    ['set', 'top_up', 7_000_000],
    ['deduct', 'adjustment', 7_000_000],
  ] as const)(
    'an order to %s is found that became a wrong movement: %s of %d',
    async (ordered, kind, micros) => {
      const order = { user: userId, amount: amount('7'), reference: 'order-0001' };
      await orderMoney(testAdmin(database, 'x'), { ...order, change: 'add' });
      await sql
        .raw(`update wallet_transactions set ordered = '${ordered}', kind = '${kind}'
        where reference is not null`)
        .execute(database.kysely);
      const detail = `ordered to ${ordered}, and a ${kind} of ${micros}`;
      expect(await found()).toEqual([['an order of money is what was ordered', detail]]);
    },
  );

  it('nothing is found where orders were made', async () => {
    const changes = [
      ['add', '7'],
      ['deduct', '2'],
      ['set', '1'],
    ] as const;
    for (const [change, money] of changes) {
      const order = { user: userId, amount: amount(money), reference: `order-${change}-1` };
      await orderMoney(testAdmin(database, 'x'), { ...order, change });
    }
    expect(await found()).toEqual([]);
  });

  it('nothing is found where administrators ordered money for themselves', async () => {
    const self = { ...testAdmin(database, 'x'), actor: userId };
    const order = { user: userId, amount: amount('7'), reference: 'order-0001' };
    await orderMoney(self, { ...order, change: 'add' });
    expect(await found()).toEqual([]);
  });
});
