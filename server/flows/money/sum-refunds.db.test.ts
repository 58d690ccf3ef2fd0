/** What was returned of the cost of requests, and what was no cost: what the service itself returned. */
import { beforeEach, expect, it } from 'vitest';
import { amount, type TestAdmin, testAdmin } from '../../../test/support/console/test-admin.ts';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import {
  addSpender,
  admissionOf,
  type Spender,
  settlementOf,
  startProcess,
} from '../../../test/support/money/spending.ts';
import type { Database } from '../../db/db.ts';
import { markDelivered } from '../../wallets/delivery-store.ts';
import { admit, settle } from './hold-money.ts';
import { refundCharge } from './refund-charge.ts';
import { refundOwn } from './refund-undelivered.ts';
import { sumRefunds, sumRefundsBy } from './sum-refunds.ts';

forEachEngine((engine) => {
  let database: Database;
  let admin: TestAdmin;
  let spender: Spender;

  beforeEach(async () => {
    database = await engine.open();
    admin = testAdmin(database, 'grey');
    spender = await addSpender(database, '5.00');
  });

  const refundsBy = (column: 'user_id' | 'api_key_id', fromMs: number) =>
    sumRefundsBy(database, column, { userIds: [spender.userId], fromMs });

  it('is what administrators returned, by user and by key', async () => {
    await refundCharge(admin, { traceId: await charged(), amount: amount('0.04') });
    await refundCharge(admin, { traceId: await charged(), amount: null });
    const { userId, apiKeyId } = spender;
    expect(await sumRefunds(database, { userId })).toBe(amount('0.14'));
    expect([...(await refundsBy('user_id', 0))]).toEqual([[userId, amount('0.14')]]);
    expect([...(await refundsBy('api_key_id', 0))]).toEqual([[apiKeyId, amount('0.14')]]);
  });

  it('is nothing where the service returned a charge, which costs nothing', async () => {
    const traceId = await charged({ delivered: false });
    await refundOwn(database, admin.clock, { traceId, code: 'client_gone' });
    expect(await sumRefunds(database, {})).toBe(0);
    expect([...(await refundsBy('user_id', 0))]).toEqual([]);
  });

  it('is of requests since a moment, however late they were returned', async () => {
    const old = await charged();
    admin.clock.advance(1_000);
    const fromMs = admin.clock.now();
    const recent = await charged();
    await refundCharge(admin, { traceId: old, amount: null });
    await refundCharge(admin, { traceId: recent, amount: amount('0.03') });
    expect([...(await refundsBy('user_id', fromMs))]).toEqual([[spender.userId, amount('0.03')]]);
    expect(await sumRefunds(database, { fromMs })).toBe(amount('0.03'));
  });

  async function charged({ delivered = true } = {}): Promise<string> {
    const { id: processId } = await startProcess(database);
    const { traceId, ...terms } = admissionOf(spender, { processId });
    await admit(database, admin.clock, { traceId, ...terms });
    await settle(database, admin.clock, settlementOf(traceId));
    if (delivered) {
      await database.transaction((trx) => markDelivered(trx, [traceId], admin.clock.now()));
    }
    return traceId;
  }
});
