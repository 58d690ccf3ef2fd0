import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { keyLimits } from '../../../server/accounts/api-key.ts';
import { hashSecret } from '../../../server/accounts/key-secret.ts';
import { listAuditEntries } from '../../../server/audit/audit-store.ts';
import { playgroundKey } from '../../../server/flows/keys/playground-key.ts';
import { issuedKeySchema, keyListSchema, keySchema } from '../../../shared/console/keys.ts';
import { usageListSchema } from '../../../shared/console/usage.ts';
import { type Answer, describeApi, outcomeOf, wrong } from '../../support/callers/api.ts';
import { generation } from '../../support/callers/ways-to-ask.ts';
import { addConsoleUser, type ConsoleUser } from '../../support/console/console-user.ts';
import { exactly } from '../../support/exactly.ts';
import { addUsageRows, usageRow } from '../../support/history/usage-rows.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const hour = 3_600_000;
const clock = new ManualClock(Date.parse('2026-11-20T12:00:00Z'));

function read<S extends z.ZodType>(schema: S, answer: Answer): z.output<S> {
  if (answer.status !== 200) throw new Error(answer.text);
  return exactly(schema, answer.body);
}

describeApi(
  (api) => {
    const add = () => addConsoleUser(api.app);
    const issue = async ({ browser }: ConsoleUser, fields: object = {}) =>
      read(issuedKeySchema, await browser.post('/keys', { name: 'laptop', ...fields }));
    const list = async ({ browser }: ConsoleUser, query = '') =>
      read(keyListSchema, await browser.get(`/keys${query}`));
    /** Whether the public API takes the secret. */
    const works = async (apiKey: string, headers: Record<string, string> = {}) =>
      (await api.get('/v1/models', { user: { apiKey }, headers })).status === 200;

    describe('a new key', () => {
      test('B71 shows its secret once', async () => {
        const user = await add();
        const { key, secret } = await issue(user);
        expect(await works(secret)).toBe(true);
        expect(key).toMatchObject({
          name: 'laptop',
          masked: `sk-tin-…${secret.slice(-4)}`,
          status: 'active',
          models: null,
          addresses: null,
          limits: { slots: null, spend: null, monthly_spend: null, zone: 'UTC' },
          spend_30d: { text: '0.00' },
          expires_at: null,
        });
        const answers = [
          await user.browser.get('/keys'),
          await user.browser.get(`/keys/${key.id}`),
        ];
        for (const { text } of answers) {
          expect(text).not.toContain(secret);
          expect(text).not.toContain(hashSecret(secret));
        }
      });

      test('may be limited in every way', async () => {
        const user = await add();
        const { key } = await issue(user, {
          models: ['gen-image-2'],
          addresses: ['203.0.113.7', '10.1.2.3/8'],
          expires_at: '2027-12-01T00:00:00+01:00',
          slots: 2,
          spend_limit: '5',
          monthly_limit: '2.50',
          zone: 'Europe/Berlin',
        });
        expect(key).toMatchObject({
          models: ['gen-image-2'],
          addresses: ['203.0.113.7', '10.0.0.0/8'],
          expires_at: '2027-11-30T23:00:00.000Z',
          limits: {
            slots: 2,
            spend: { text: '5.00' },
            monthly_spend: { text: '2.50' },
            zone: 'Europe/Berlin',
          },
        });
      });

      test.each([
        [{ name: ' ' }, 'name'],
        [{ name: 7 }, 'name'],
        [{ models: ['gen-image-0'] }, 'models'],
        [{ models: [] }, 'models'],
        [{ addresses: ['home'] }, 'addresses'],
        [{ addresses: Array.from({ length: 51 }, (_, n) => `10.0.0.${n}`) }, 'addresses'],
        [{ expires_at: '2026-11-20T11:59:59Z' }, 'expires_at'],
        [{ expires_at: 'soon' }, 'expires_at'],
        [{ slots: 0 }, 'slots'],
        [{ spend_limit: '0' }, 'spend_limit'],
        [{ spend_limit: '-1' }, 'spend_limit'],
        [{ monthly_limit: '0' }, 'monthly_limit'],
        [{ monthly_limit: 'much' }, 'monthly_limit'],
        [{ zone: 'Mars/Olympus' }, 'zone'],
      ])('is refused with %j', async (fields, param) => {
        const { browser } = await add();
        const answer = await browser.post('/keys', { name: 'laptop', ...fields });
        expect(outcomeOf(answer)).toEqual(wrong(param));
      });

      test(`has ${keyLimits.addressesMax} addresses at most`, async () => {
        const addresses = Array.from({ length: keyLimits.addressesMax }, (_, n) => `10.0.0.${n}`);
        const { key } = await issue(await add(), { addresses });
        expect(key.addresses).toEqual(addresses);
      });

      test(`is refused when there are ${keyLimits.perUserMax}, until one is revoked`, async () => {
        const user = await add();
        // The user came with one.
        for (let n = 2; n < keyLimits.perUserMax; n++) await api.app.addKey(user.id);
        const { key } = await issue(user);
        const refused = await user.browser.post('/keys', { name: 'one too many' });
        expect(outcomeOf(refused)).toEqual(wrong(null));
        expect((await user.browser.ask('DELETE', `/keys/${key.id}`)).status).toBe(200);
        await issue(user);
      });
    });

    describe('the list', () => {
      test('says what was spent with a key, and when it was used', async () => {
        const user = await add();
        const usedAt = new Date(clock.now()).toISOString();
        await api.ask(generation, {}, { user });
        // Uses are written a moment later.
        await expect
          .poll(async () => (await list(user)).items)
          .toMatchObject([
            {
              spend_30d: { text: '0.04' },
              spent: { text: '0.04' },
              spent_this_month: { text: '0.04' },
              last_used_at: usedAt,
            },
          ]);
      });

      test.each(['UTC', 'Pacific/Kiritimati', 'Pacific/Pago_Pago'])(
        'sums up the 30 days of the usage page, as days are in %s',
        async (tz) => {
          const user = await add();
          const usage = async () =>
            read(usageListSchema, await user.browser.get(`/usage?range=30d&tz=${tz}`));
          const since = Date.parse((await usage()).range.from);
          const owner = { userId: user.id, apiKeyId: user.apiKeyId };
          const rows = [usageRow(owner, since - 1), usageRow(owner, since)];
          await addUsageRows(api.app.database, rows);
          expect((await usage()).totals.spend.text).toBe('0.04');
          expect((await list(user, `?tz=${tz}`)).items).toMatchObject([
            { spend_30d: { text: '0.04' } },
          ]);
        },
      );

      test('has the keys in the state that is asked for', async () => {
        const user = await add();
        const ids: Record<string, string> = {};
        for (const name of ['active', 'disabled', 'expired', 'revoked']) {
          const expires =
            name === 'expired' ? { expires_at: new Date(clock.now() + hour).toISOString() } : {};
          ids[name] = (await issue(user, { name, ...expires })).key.id;
        }
        await user.browser.ask('PUT', `/keys/${ids['disabled']}/enabled`, {
          body: { enabled: false },
        });
        await user.browser.ask('DELETE', `/keys/${ids['revoked']}`);
        clock.advance(2 * hour);
        const names = async (query: string) =>
          (await list(user, query)).items.map(({ name }) => name);
        expect(await names('')).toEqual(['expired', 'disabled', 'active', 'test']);
        expect(await names('?status=active')).toEqual(['active', 'test']);
        for (const status of ['disabled', 'expired', 'revoked']) {
          expect(await names(`?status=${status}`)).toEqual([status]);
          expect((await list(user, `?status=${status}`)).items[0]?.status).toBe(status);
        }
        expect(outcomeOf(await user.browser.get('/keys?status=lost'))).toEqual(wrong('status'));
      });

      test('has its pages', async () => {
        const user = await add();
        for (let n = 0; n < 60; n++) await api.app.addKey(user.id);
        const first = await list(user);
        const second = await list(user, `?cursor=${first.older}`);
        expect([first.items.length, second.items.length, second.older]).toEqual([50, 11, null]);
      });

      test('does not have what the playground uses', async () => {
        const user = await add();
        const { apiKeyId } = await playgroundKey({ database: api.app.database, clock }, user.id);
        expect((await list(user)).items.map(({ id }) => id)).toEqual([user.apiKeyId]);
        const answer = await user.browser.get(`/keys/${apiKeyId}`);
        expect(outcomeOf(answer)).toMatchObject({ status: 404 });
        const revoked = await user.browser.ask('DELETE', `/keys/${apiKeyId}`);
        expect(outcomeOf(revoked)).toMatchObject({ status: 404 });
      });
    });

    describe('a change', () => {
      test('is of what is named, and lifts what is null', async () => {
        const user = await add();
        const { key } = await issue(user, { slots: 2, spend_limit: '5', addresses: ['10.0.0.1'] });
        const change = (body: object) => user.browser.ask('PATCH', `/keys/${key.id}`, { body });
        expect(read(keySchema, await change({ name: 'desk', spend_limit: '7' }))).toMatchObject({
          name: 'desk',
          addresses: ['10.0.0.1'],
          limits: { slots: 2, spend: { text: '7.00' } },
        });
        expect(read(keySchema, await change({ slots: null, addresses: null }))).toMatchObject({
          name: 'desk',
          addresses: null,
          limits: { slots: null, spend: { text: '7.00' } },
        });
        expect(outcomeOf(await change({ name: '' }))).toEqual(wrong('name'));
        expect(outcomeOf(await change({ models: [] }))).toEqual(wrong('models'));
        const past = new Date(clock.now() - 1).toISOString();
        expect(outcomeOf(await change({ expires_at: past }))).toEqual(wrong('expires_at'));
      });

      test('is in the audit with who made it, and never with a secret', async () => {
        const user = await add();
        const { key, secret } = await issue(user);
        await user.browser.ask('PATCH', `/keys/${key.id}`, { body: { name: 'desk' } });
        const rotated = await user.browser.post(`/keys/${key.id}/rotate`, { overlap_hours: 0 });
        await user.browser.ask('PUT', `/keys/${key.id}/enabled`, { body: { enabled: false } });
        await user.browser.ask('PUT', `/keys/${key.id}/enabled`, { body: { enabled: true } });
        await user.browser.ask('DELETE', `/keys/${key.id}`);
        const page = { after: null, limit: 10 };
        const { items } = await listAuditEntries(api.app.database, { subject: key.id }, page);
        expect(items.map(({ action }) => action)).toEqual([
          'api_key.revoke',
          'api_key.enable',
          'api_key.disable',
          'api_key.rotate',
          'api_key.edit',
          'api_key.issue',
        ]);
        expect(new Set(items.map(({ actor }) => actor))).toEqual(new Set([user.id]));
        expect(items[4]?.detail).toEqual({ name: { from: 'laptop', to: 'desk' } });
        const text = JSON.stringify(items);
        expect(text).not.toContain(secret);
        expect(text).not.toContain(read(issuedKeySchema, rotated).secret);
      });

      test('that changes nothing leaves no entry', async () => {
        const user = await add();
        const { key } = await issue(user);
        await user.browser.ask('PATCH', `/keys/${key.id}`, { body: { name: 'laptop' } });
        await user.browser.ask('PUT', `/keys/${key.id}/enabled`, { body: { enabled: true } });
        const page = { after: null, limit: 10 };
        const { items } = await listAuditEntries(api.app.database, { subject: key.id }, page);
        expect(items.map(({ action }) => action)).toEqual(['api_key.issue']);
      });
    });
  },
  { clock, config: { trustedProxies: 1 } },
);
