import { beforeAll, describe, expect, test } from 'vitest';
import { listAuditEntries } from '../../../server/audit/audit-store.ts';
import { createCodes } from '../../../server/flows/payments/create-codes.ts';
import { withdrawCodes } from '../../../server/flows/payments/withdraw-codes.ts';
import { tryLimits } from '../../../server/identity/try-limit.ts';
import { must } from '../../../server/lib/assert.ts';
import { makeId } from '../../../server/lib/ids.ts';
import { codeLimits, makeCode } from '../../../server/payments/code.ts';
import {
  adminCodesSchema,
  codeBatchSchema,
  withdrawnCodesSchema,
} from '../../../shared/console/admin-codes.ts';
import { redeemedSchema } from '../../../shared/console/payments.ts';
import { transactionListSchema } from '../../../shared/console/wallet.ts';
import { amountFromMicros, amountMax, formatAmount } from '../../../shared/money.ts';
import { describeApi, outcomeOf, wrong } from '../../support/callers/api.ts';
import { type AdminWorld, enterAsAdmin } from '../../support/console/admin-world.ts';
import { addConsoleUser, type ConsoleUser } from '../../support/console/console-user.ts';
import { amount } from '../../support/console/test-admin.ts';
import { exactly } from '../../support/exactly.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { violationsOf, walletOf } from '../../support/money/spending.ts';

const day = 86_400_000;
const clock = new ManualClock(Date.parse('2026-11-20T12:00:00Z'));

describeApi(
  (api) => {
    const customer = () => addConsoleUser(api.app, { money: '0' });
    const redeem = ({ browser }: ConsoleUser, code: string) =>
      browser.post('/wallet/codes', { code });
    const make = async (changes: { note?: string; expiresAt?: number; count?: number } = {}) => {
      const order = { amount: amount('20'), count: 1, note: null, expiresAt: null, prefix: 'tin' };
      const batch = await createCodes(api.app.admin, { ...order, ...changes });
      return { ...batch, code: must(batch.secrets[0], 'a code') };
    };
    const balanceOf = async ({ id }: ConsoleUser) =>
      (await walletOf(api.app.database, id)).split(' ')[0];

    describe('a code', () => {
      test('is credited to whoever redeems it, and named by how it ends', async () => {
        const user = await customer();
        const { code } = await make({ note: 'fair' });
        const { body } = await redeem(user, code);
        expect(exactly(redeemedSchema, body)).toMatchObject({
          amount: { text: '20.00' },
          balance: { text: '20.00' },
        });
        const history = await user.browser.get('/wallet/transactions');
        expect(exactly(transactionListSchema, history.body).items).toMatchObject([
          {
            kind: 'top_up',
            source: { kind: 'code', name: code.slice(-4) },
            note: `Code ending ${code.slice(-4)}: fair`,
            by: { kind: 'person', name: user.email },
          },
        ]);
        const page = { after: null, limit: 10 };
        const audit = await listAuditEntries(api.app.database, { subject: user.id }, page);
        expect(audit.items[0]).toMatchObject({ action: 'code.redeem', actor: user.id });
        expect(JSON.stringify(audit)).not.toContain(code);
      });

      test('may be typed in other ways', async () => {
        const user = await customer();
        const { code } = await make();
        const typed = ` ${code.toLowerCase().replaceAll('-', ' ').replace(/0/g, 'o')} `;
        expect((await redeem(user, typed)).status).toBe(200);
      });

      test('is redeemed once, whoever of ten tries five times at once', async () => {
        const { code } = await make();
        const users = await Promise.all(Array.from({ length: 10 }, customer));
        const tries = users.flatMap((user) => Array<ConsoleUser>(5).fill(user));
        const answers = await Promise.all(tries.map((user) => redeem(user, code)));
        expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
        expect(answers.filter(({ status }) => status === 400)).toHaveLength(49);
        const balances = await Promise.all(users.map(balanceOf));
        expect(balances.filter((balance) => balance === '20.00')).toHaveLength(1);
        expect(balances.filter((balance) => balance === '0.00')).toHaveLength(9);
        expect(await violationsOf(api.app.database)).toEqual([]);
      });

      test('is redeemed once by somebody who tries fifty times at once', async () => {
        const { code } = await make();
        const user = await customer();
        const answers = await Promise.all(Array.from({ length: 50 }, () => redeem(user, code)));
        expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
        expect(await balanceOf(user)).toBe('20.00');
      });

      test('that is withdrawn while many redeem it is one or the other', async () => {
        const { code, id } = await make();
        const user = await customer();
        const [taken, ...answers] = await Promise.all([
          withdrawCodes(api.app.admin, id),
          ...Array.from({ length: 8 }, () => redeem(user, code)),
        ]);
        const redeemed = answers.filter(({ status }) => status === 200).length;
        expect(taken.length + redeemed).toBe(1);
        expect(await balanceOf(user)).toBe(redeemed === 1 ? '20.00' : '0.00');
      });

      test('can be redeemed until it expires, and not from then on', async () => {
        const expiresAt = clock.now() + day;
        const { secrets } = await make({ count: 2, expiresAt });
        const [first = '', second = ''] = secrets;
        const user = await customer();
        clock.advance(day - 1);
        expect((await redeem(user, first)).status).toBe(200);
        clock.advance(1);
        const answer = await redeem(user, second);
        expect(outcomeOf(answer)).toEqual(wrong('code'));
        expect(answer.text).toContain('This code has expired.');
        await expect(make({ expiresAt: clock.now() })).rejects.toThrow('expire in the future');
      });
    });

    describe('what is no code', () => {
      test('is told from a wrong one, and not counted', async () => {
        const user = await customer();
        const { code } = await make();
        const mistyped = code.slice(0, -1) + (code.endsWith('7') ? '8' : '7');
        for (let n = 0; n < tryLimits.code.freeTries + 5; n++) {
          const answer = await redeem(user, n % 2 === 0 ? mistyped : 'no code at all');
          expect(outcomeOf(answer)).toEqual(wrong('code'));
          expect(answer.text).toContain('typing mistake');
        }
        expect((await redeem(user, code)).status).toBe(200);
      });

      test('may not be longer than the limit', async () => {
        const { browser } = await customer();
        const code = 'x'.repeat(codeLimits.charactersMax + 1);
        expect(outcomeOf(await browser.post('/wallet/codes', { code }))).toEqual(wrong('code'));
      });
    });

    test('who tries wrong codes has to wait, and only they', async () => {
      const user = await customer();
      const { code } = await make();
      for (let n = 0; n < tryLimits.code.freeTries; n++) {
        expect((await redeem(user, makeCode('tin'))).status).toBe(400);
      }
      const answer = await redeem(user, code);
      expect(outcomeOf(answer)).toMatchObject({ status: 429, code: 'rate_limit' });
      const other = await customer();
      expect((await redeem(other, code)).status).toBe(200);
      clock.advance(60_000);
      expect((await redeem(user, (await make()).code)).status).toBe(200);
    });

    test('who asks again for a code that is over need not wait, however often', async () => {
      const user = await customer();
      const { code } = await make();
      await redeem(user, code);
      for (let n = 0; n < tryLimits.code.freeTries + 2; n++) {
        const answer = await redeem(user, code);
        expect(outcomeOf(answer)).toEqual(wrong('code'));
        expect(answer.text).toContain('You have redeemed this code already.');
      }
      // Who did is nobody else's business.
      const other = await redeem(await customer(), code);
      expect(other.text).toContain('This code has been redeemed already.');
      expect((await redeem(user, (await make()).code)).status).toBe(200);
    });

    test('who has right codes need not wait, however many they are', async () => {
      const user = await customer();
      const { secrets } = await make({ count: tryLimits.code.freeTries + 2 });
      for (const code of secrets) expect((await redeem(user, code)).status).toBe(200);
    });

    describe('administrators', () => {
      let world: AdminWorld;
      beforeAll(async () => {
        world = await enterAsAdmin(api);
      });

      const list = async (query = '') => {
        const { body } = await world.visitor.get(`/admin/codes${query}`);
        return exactly(adminCodesSchema, body);
      };

      test('make a batch, whose codes are shown once', async () => {
        const { body } = await world.visitor.post('/admin/codes', {
          amount: '7.50',
          count: 3,
          note: ' summer ',
          expires_at: '2027-01-01T00:00:00Z',
        });
        const batch = exactly(codeBatchSchema, body);
        expect(new Set(batch.codes).size).toBe(3);
        expect(batch).toMatchObject({
          amount: { text: '7.50' },
          note: 'summer',
          expires_at: '2027-01-01T00:00:00.000Z',
        });
        const listed = await list(`?batch=${batch.batch}`);
        expect(listed).toMatchObject({ count: 3, sum: { text: '22.50' }, next: null });
        expect(listed.codes[0]).toMatchObject({ state: 'open', created_by: world.admin.email });
        const user = await customer();
        const [first = ''] = batch.codes;
        await redeem(user, first);
        const [redeemed] = (await list(`?batch=${batch.batch}&state=redeemed`)).codes;
        expect(redeemed).toMatchObject({
          last_four: first.slice(-4),
          redeemed_by: { id: user.id, email: user.email },
        });
        const rows = await api.app.database.kysely.selectFrom('codes').selectAll().execute();
        for (const code of batch.codes) {
          const secret = code.replaceAll('-', '');
          expect(JSON.stringify([listed, rows]).replaceAll('-', '')).not.toContain(secret);
        }
      });

      test('see the codes also where they stand for more than an amount can be', async () => {
        const order = { amount: formatAmount(amountFromMicros(amountMax)), count: 1 };
        const made = [];
        for (let n = 0; n < 2; n++) {
          const { body } = await world.visitor.post('/admin/codes', order);
          made.push(exactly(codeBatchSchema, body).batch);
        }
        expect(await list('?state=open')).toMatchObject({ sum: null });
        for (const batch of made) await world.visitor.post(`/admin/codes/${batch}/withdrawal`, {});
        expect((await list('?state=open')).sum).not.toBeNull();
      });

      test('see that there are none', async () => {
        const none = { codes: [], count: 0, sum: { text: '0.00' }, next: null };
        expect(await list('?batch=bat_nothing')).toMatchObject(none);
      });

      test('make a batch once, however often they order it', async () => {
        const batch = makeId('bat', clock.now());
        const order = { batch, amount: '5', count: 2 };
        const tries = Array.from({ length: 5 }, () => world.visitor.post('/admin/codes', order));
        const answers = await Promise.all(tries);
        const made = answers.filter(({ status }) => status === 200);
        expect(made.map(({ body }) => exactly(codeBatchSchema, body).batch)).toEqual([batch]);
        const refused = answers.filter(({ status }) => status !== 200).map(outcomeOf);
        expect(refused).toEqual(Array(4).fill(wrong('batch')));
        expect(await list(`?batch=${batch}`)).toMatchObject({ count: 2 });
      });

      test('withdraw what is left of a batch', async () => {
        const { id, secrets } = await make({ count: 3 });
        const user = await customer();
        await redeem(user, secrets[0] ?? '');
        const { body } = await world.visitor.post(`/admin/codes/${id}/withdrawal`, {});
        expect(exactly(withdrawnCodesSchema, body)).toEqual({ withdrawn: 2 });
        const answer = await redeem(user, secrets[1] ?? '');
        expect(outcomeOf(answer)).toEqual(wrong('code'));
        expect(answer.text).toContain('withdrawn');
        const again = await world.visitor.post(`/admin/codes/${id}/withdrawal`, {});
        expect(exactly(withdrawnCodesSchema, again.body)).toEqual({ withdrawn: 0 });
        expect(await balanceOf(user)).toBe('20.00');
      });

      test('withdraw one code and leave the others', async () => {
        const { codes, secrets } = await make({ count: 2 });
        await world.visitor.post(`/admin/codes/${codes[0]?.id}/withdrawal`, {});
        const user = await customer();
        expect((await redeem(user, secrets[0] ?? '')).status).toBe(400);
        expect((await redeem(user, secrets[1] ?? '')).status).toBe(200);
      });

      test('turn pages of many', async () => {
        const { id } = await make({ count: 60 });
        const first = await list(`?batch=${id}`);
        const second = await list(`?batch=${id}&cursor=${first.next}`);
        expect([first.codes.length, second.codes.length, second.next]).toEqual([50, 10, null]);
        const ids = new Set([...first.codes, ...second.codes].map((code) => code.id));
        expect(ids.size).toBe(60);
      });

      test.each<[object, string]>([
        [{ count: 0 }, 'count'],
        [{ count: codeLimits.perBatchMax + 1 }, 'count'],
        [{ amount: '0' }, 'amount'],
        [{ amount: 'much' }, 'amount'],
        [{ amount: '10000000', count: 1_000 }, 'amount'],
        [{ batch: 'bat_short' }, 'batch'],
        [{ note: 'x'.repeat(codeLimits.noteCharactersMax + 1) }, 'note'],
        [{ expires_at: '2026-11-20T00:00:00Z' }, 'expires_at'],
        [{ expires_at: '2126-11-20T00:00:00Z' }, 'expires_at'],
        [{ expires_at: 'soon' }, 'expires_at'],
      ])('are told what is wrong with %j', async (changes, field) => {
        const order = { amount: '5', count: 1, ...changes };
        const answer = await world.visitor.post('/admin/codes', order);
        expect(outcomeOf(answer)).toEqual(wrong(field));
      });

      test('make as many at once as the limit says', async () => {
        const order = { amount: '5', count: codeLimits.perBatchMax };
        const { body } = await world.visitor.post('/admin/codes', order);
        expect(exactly(codeBatchSchema, body).codes).toHaveLength(codeLimits.perBatchMax);
      });
    });
  },
  { clock },
);
