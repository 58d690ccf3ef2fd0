import { beforeAll, describe, expect, it } from 'vitest';
import { formatAmount } from '../../../shared/money.ts';
import { amount, testAdmin } from '../../../test/support/console/test-admin.ts';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { pauseAfterRead } from '../../../test/support/databases/intercepted-database.ts';
import {
  addSpender,
  admissionOf,
  type Caller,
  settlementOf,
  startProcess,
  violationsOf,
} from '../../../test/support/money/spending.ts';
import type { KeyLimits } from '../../accounts/key-budget.ts';
import { readKeyBudget } from '../../accounts/key-budget-store.ts';
import type { Database } from '../../db/db.ts';
import { must } from '../../lib/assert.ts';
import { type Clock, systemClock } from '../../lib/clock.ts';
import { markDelivered } from '../../wallets/delivery-store.ts';
import { undo } from '../money/end-hold.ts';
import { type Admission, admit, release, settle } from '../money/hold-money.ts';
import { refundCharge } from '../money/refund-charge.ts';
import { changeKeyLimits } from './change-key-limits.ts';
import { editKey } from './edit-key.ts';
import { issueKey } from './issue-key.ts';

forEachEngine((engine) => {
  let database: Database;
  let processId: string;

  beforeAll(async () => {
    database = await engine.open();
    processId = (await startProcess(database)).id;
  });

  async function limited(limits: Partial<KeyLimits>): Promise<Caller> {
    const spender = await addSpender(database, '100');
    await changeKeyLimits(testAdmin(database), spender.apiKeyId, limits);
    return spender;
  }

  function ask(spender: Caller, changes: Partial<Admission> = {}, clock: Clock = systemClock) {
    const admission = admissionOf(spender, { processId, ...changes });
    return admit(database, clock, admission).then(({ kind }) => ({ kind, ...admission }));
  }

  async function spentOf({ apiKeyId }: Caller): Promise<string> {
    const { spent, spentInMonth, held, inFlight } = must(
      await readKeyBudget(database, apiKeyId),
      'a budget',
    );
    const [inAll, inMonth] = [must(spent, 'an amount'), must(spentInMonth, 'an amount')];
    return `${formatAmount(inAll)} spent, ${formatAmount(inMonth)} in the month, ${formatAmount(held)} held, ${inFlight} slots`;
  }

  const kindsOf = (answers: readonly { kind: string }[]) =>
    Object.fromEntries(
      Map.groupBy(answers, ({ kind }) => kind)
        .entries()
        .map(([kind, { length }]) => [kind, length]),
    );

  describe('a limit of all that a key may spend', () => {
    it('is exact among many requests at once', async () => {
      const spender = await limited({ spendMax: amount('0.70') });
      const answers = await Promise.all(Array.from({ length: 40 }, () => ask(spender)));
      expect(kindsOf(answers)).toEqual({ admitted: 7, key_spent: 33 });
      expect(await spentOf(spender)).toBe('0.00 spent, 0.00 in the month, 0.70 held, 7 slots');
      expect(await violationsOf(database)).toEqual([]);
    });

    it('counts what was charged and forgets what was released', async () => {
      const spender = await limited({ spendMax: amount('0.20') });
      const first = await ask(spender);
      const second = await ask(spender);
      await settle(database, systemClock, settlementOf(first.traceId));
      const ending = { status: 'failed', code: 'upstream_error', attempts: '[]' } as const;
      await release(database, systemClock, { traceId: second.traceId, ...ending });
      expect(await spentOf(spender)).toBe('0.10 spent, 0.10 in the month, 0.00 held, 0 slots');
      expect(kindsOf([await ask(spender), await ask(spender)])).toEqual({
        admitted: 1,
        key_spent: 1,
      });
    });

    it('may be lower than what is spent, and then lets nothing through', async () => {
      const spender = await limited({ spendMax: null });
      const { traceId } = await ask(spender);
      await settle(database, systemClock, settlementOf(traceId));
      await changeKeyLimits(testAdmin(database), spender.apiKeyId, { spendMax: amount('0.05') });
      expect(await ask(spender)).toMatchObject({ kind: 'key_spent' });
      await changeKeyLimits(testAdmin(database), spender.apiKeyId, { spendMax: null });
      expect(await ask(spender)).toMatchObject({ kind: 'admitted' });
    });

    it('gets a refund back', async () => {
      const spender = await limited({ spendMax: amount('0.10') });
      const { traceId } = await ask(spender);
      await settle(database, systemClock, settlementOf(traceId));
      expect(await ask(spender)).toMatchObject({ kind: 'key_spent' });
      await refund(database, systemClock, { traceId });
      expect(await spentOf(spender)).toBe('0.00 spent, 0.00 in the month, 0.00 held, 0 slots');
      expect(await ask(spender)).toMatchObject({ kind: 'admitted' });
      expect(await violationsOf(database)).toEqual([]);
    });
  });

  describe('a limit per calendar month', () => {
    const at = (time: string): Clock => ({ ...systemClock, now: () => Date.parse(time) });

    it('is exact among many requests at once', async () => {
      const spender = await limited({ monthlySpendMax: amount('0.30') });
      const answers = await Promise.all(Array.from({ length: 20 }, () => ask(spender)));
      expect(kindsOf(answers)).toEqual({ admitted: 3, key_spent: 17 });
    });

    it('begins anew with the month of its zone', async () => {
      const spender = await limited({ monthlySpendMax: amount('0.10') });
      const zoned = { keyZone: 'Asia/Shanghai' };
      const october = at('2026-10-31T15:59:59Z');
      const { traceId } = await ask(spender, zoned, october);
      await settle(database, october, settlementOf(traceId));
      expect(await ask(spender, zoned, october)).toMatchObject({ kind: 'key_spent' });
      // Midnight in Shanghai, late afternoon in London.
      expect(await ask(spender, zoned, at('2026-10-31T16:00:00Z'))).toMatchObject({
        kind: 'admitted',
      });
    });

    it('charges a request to the month in which it was admitted', async () => {
      const spender = await limited({ monthlySpendMax: amount('0.20') });
      const late = await ask(spender, {}, at('2026-10-31T23:59:59Z'));
      const next = await ask(spender, {}, at('2026-11-01T00:00:01Z'));
      await settle(database, at('2026-11-01T00:00:02Z'), settlementOf(late.traceId));
      await settle(database, at('2026-11-01T00:00:02Z'), settlementOf(next.traceId));
      expect(await spentOf(spender)).toBe('0.20 spent, 0.10 in the month, 0.00 held, 0 slots');
    });

    it.each([
      ['a returned charge', undo],
      ['a refund', refund],
    ])('gets %s back in the month of its request, and in no other', async (_what, giveBack) => {
      const spender = await limited({ monthlySpendMax: amount('0.20') });
      const october = at('2026-10-31T23:59:59Z');
      const november = at('2026-11-01T00:00:01Z');
      const late = await ask(spender, {}, october);
      await settle(database, october, settlementOf(late.traceId));
      const next = await ask(spender, {}, november);
      await settle(database, november, settlementOf(next.traceId));
      await giveBack(database, november, { traceId: late.traceId, code: 'unavailable' });
      expect(await spentOf(spender)).toBe('0.10 spent, 0.10 in the month, 0.00 held, 0 slots');
    });

    it('goes on in the month that has begun when a slower clock still has the one before', async () => {
      const spender = await limited({ monthlySpendMax: amount('0.20') });
      const november = at('2026-11-01T00:00:01Z');
      const october = at('2026-10-31T23:59:59Z');
      const first = await ask(spender, {}, november);
      const behind = await ask(spender, {}, october);
      await settle(database, november, settlementOf(first.traceId));
      await settle(database, october, settlementOf(behind.traceId));
      expect(await spentOf(spender)).toBe('0.20 spent, 0.20 in the month, 0.00 held, 0 slots');
      expect(await ask(spender, {}, october)).toMatchObject({ kind: 'key_spent' });
      expect(await ask(spender, {}, november)).toMatchObject({ kind: 'key_spent' });
      await undo(database, november, { traceId: behind.traceId, code: 'unavailable' });
      expect(await spentOf(spender)).toBe('0.10 spent, 0.10 in the month, 0.00 held, 0 slots');
    });
  });

  it('those of one key are not those of another one of the same user', async () => {
    const one = await limited({ spendMax: amount('0.20'), monthlySpendMax: amount('0.10') });
    const wanted = { user: one.userId, name: 'x', prefix: 'tin', models: null, expiresAt: null };
    const { key } = await issueKey(testAdmin(database), wanted);
    const other = { ...one, apiKeyId: key.id };
    await changeKeyLimits(testAdmin(database), key.id, { spendMax: amount('0.30') });
    for (const spender of [one, other]) await ask(spender);
    expect(kindsOf([await ask(one), await ask(other)])).toEqual({ key_spent: 1, admitted: 1 });
    expect(await spentOf(one)).toBe('0.00 spent, 0.00 in the month, 0.10 held, 1 slots');
    expect(await spentOf(other)).toBe('0.00 spent, 0.00 in the month, 0.20 held, 2 slots');
    const { limits } = must(await readKeyBudget(database, one.apiKeyId), 'a budget');
    expect(limits.spendMax).toBe(amount('0.20'));
  });

  it('limits the requests of a key at once, exactly, and gives the slots back', async () => {
    const spender = await limited({ slotsMax: 3 });
    const answers = await Promise.all(Array.from({ length: 30 }, () => ask(spender)));
    expect(kindsOf(answers)).toEqual({ admitted: 3, no_key_slot: 27 });
    const [running] = answers.filter(({ kind }) => kind === 'admitted');
    await settle(database, systemClock, settlementOf(must(running, 'a running request').traceId));
    expect(kindsOf([await ask(spender), await ask(spender)])).toEqual({
      admitted: 1,
      no_key_slot: 1,
    });
    expect(await violationsOf(database)).toEqual([]);
  });

  it('leaves the wallet as it was when the key says no', async () => {
    const spender = await limited({ spendMax: amount('0.05') });
    await ask(spender);
    expect(await violationsOf(database)).toEqual([]);
    const wallet = await database.kysely
      .selectFrom('wallets')
      .select(['held', 'in_flight'])
      .where('user_id', '=', spender.userId)
      .executeTakeFirstOrThrow();
    expect(wallet).toEqual({ held: 0, in_flight: 0 });
  });

  it('is what a request with an Idempotency-Key is told, which it may use again', async () => {
    const spender = await limited({ spendMax: amount('0.05') });
    const idempotency = { key: 'k', fingerprint: 'f' };
    expect(await ask(spender, { idempotency })).toMatchObject({ kind: 'key_spent' });
    await changeKeyLimits(testAdmin(database), spender.apiKeyId, { spendMax: amount('0.10') });
    expect(await ask(spender, { idempotency })).toMatchObject({ kind: 'admitted' });
    expect(await ask(spender, { idempotency })).toMatchObject({ kind: 'key_taken' });
  });

  it.each(['editKey', 'changeKeyLimits'] as const)(
    'two limits that are set at the same moment are both kept (%s)',
    async (change) => {
      const { apiKeyId: keyId } = await limited({});
      let other: Promise<unknown> = Promise.resolve();
      const slow = pauseAfterRead(database, 'key_budgets', async () => {
        other = changeKeyLimits(testAdmin(database), keyId, { spendMax: amount('5') });
        // On SQLite it waits for the first to be done.
        if (database.engine === 'postgres') await other;
      });
      if (change === 'editKey') {
        await editKey(testAdmin(slow), { keyId, userId: null }, { limits: { slotsMax: 2 } });
      } else {
        await changeKeyLimits(testAdmin(slow), keyId, { slotsMax: 2 });
      }
      await other;
      const { limits } = must(await readKeyBudget(database, keyId), 'a budget');
      expect(limits).toMatchObject({ slotsMax: 2, spendMax: amount('5') });
    },
  );
});

async function refund(database: Database, clock: Clock, { traceId }: { traceId: string }) {
  await database.transaction((trx) => markDelivered(trx, [traceId], clock.now()));
  const admin = { ...testAdmin(database), reason: 'a wrong picture' };
  await refundCharge(admin, { traceId, amount: null });
}
