import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { issuedKeySchema, keySchema } from '../../../shared/console/keys.ts';
import { type Answer, describeApi, outcomeOf, wrong } from '../../support/callers/api.ts';
import { generation } from '../../support/callers/ways-to-ask.ts';
import { addConsoleUser, type ConsoleUser } from '../../support/console/console-user.ts';
import { exactly } from '../../support/exactly.ts';
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
    /** Whether the public API takes the secret. */
    const works = async (apiKey: string, headers: Record<string, string> = {}) =>
      (await api.get('/v1/models', { user: { apiKey }, headers })).status === 200;

    describe('B72 a rotated key', () => {
      test('works with both secrets for the overlap, then with the new one', async () => {
        const user = await add();
        const { key, secret: old } = await issue(user);
        const answer = await user.browser.post(`/keys/${key.id}/rotate`, { overlap_hours: 1 });
        const { key: rotated, secret } = read(issuedKeySchema, answer);
        expect(rotated.id).toBe(key.id);
        expect(rotated.previous_secret_until).toBe(new Date(clock.now() + hour).toISOString());
        expect([await works(old), await works(secret)]).toEqual([true, true]);
        clock.advance(hour - 1);
        expect([await works(old), await works(secret)]).toEqual([true, true]);
        clock.advance(1);
        expect([await works(old), await works(secret)]).toEqual([false, true]);
        const shown = read(keySchema, await user.browser.get(`/keys/${key.id}`));
        expect(shown.previous_secret_until).toBeNull();
      });

      test('without an overlap loses the old secret at once', async () => {
        const user = await add();
        const { key, secret: old } = await issue(user);
        const answer = await user.browser.post(`/keys/${key.id}/rotate`, { overlap_hours: 0 });
        expect([await works(old), await works(read(issuedKeySchema, answer).secret)]).toEqual([
          false,
          true,
        ]);
      });

      test('twice keeps only the last secret of before', async () => {
        const user = await add();
        const { key, secret: first } = await issue(user);
        const rotate = async () =>
          read(
            issuedKeySchema,
            await user.browser.post(`/keys/${key.id}/rotate`, { overlap_hours: 24 }),
          ).secret;
        const [second, third] = [await rotate(), await rotate()];
        expect([await works(first), await works(second), await works(third)]).toEqual([
          false,
          true,
          true,
        ]);
      });

      test('spends from one limit with either secret', async () => {
        const user = await add();
        const { key, secret: old } = await issue(user, { spend_limit: '0.08' });
        const answer = await user.browser.post(`/keys/${key.id}/rotate`, { overlap_hours: 24 });
        const { secret } = read(issuedKeySchema, answer);
        const statuses = [];
        for (const apiKey of [old, secret, old, secret]) {
          statuses.push((await api.ask(generation, {}, { user: { apiKey } })).status);
        }
        expect(statuses).toEqual([200, 200, 429, 429]);
      });

      test.each([
        [24, 200],
        [24.01, 400],
        [0, 200],
        [-1, 400],
      ])('with an overlap of %d hours: %d', async (overlap_hours, status) => {
        const user = await add();
        const path = `/keys/${user.apiKeyId}/rotate`;
        expect((await user.browser.post(path, { overlap_hours })).status).toBe(status);
      });

      test('stays revoked once it is', async () => {
        const user = await add();
        const { key, secret: old } = await issue(user);
        const first = await user.browser.post(`/keys/${key.id}/rotate`, { overlap_hours: 24 });
        await user.browser.ask('DELETE', `/keys/${key.id}`);
        expect([await works(old), await works(read(issuedKeySchema, first).secret)]).toEqual([
          false,
          false,
        ]);
        const again = await user.browser.post(`/keys/${key.id}/rotate`, { overlap_hours: 1 });
        expect(outcomeOf(again)).toEqual(wrong(null));
        const enabled = await user.browser.ask('PUT', `/keys/${key.id}/enabled`, {
          body: { enabled: true },
        });
        expect(outcomeOf(enabled)).toEqual(wrong(null));
      });
    });

    describe('a disabled key', () => {
      test('fails at its next use, and works again when it is enabled', async () => {
        const user = await add();
        const { key, secret } = await issue(user);
        const enable = (enabled: boolean) =>
          user.browser.ask('PUT', `/keys/${key.id}/enabled`, { body: { enabled } });
        expect(await works(secret)).toBe(true);
        expect(read(keySchema, await enable(false)).status).toBe('disabled');
        expect(await works(secret)).toBe(false);
        const refused = await api.ask(generation, {}, { user: { apiKey: secret } });
        expect(outcomeOf(refused)).toMatchObject({ status: 401 });
        await enable(true);
        expect(await works(secret)).toBe(true);
      });
    });

    describe('a key that is limited to addresses', () => {
      const from = (address: string) => ({ 'x-forwarded-for': address });

      test('works from those only, as the proxies tell them', async () => {
        const { secret } = await issue(await add(), {
          addresses: ['203.0.113.7', '2001:db8::/32'],
        });
        expect(await works(secret, from('203.0.113.7'))).toBe(true);
        expect(await works(secret, from('2001:db8::9'))).toBe(true);
        expect(await works(secret, from('203.0.113.8'))).toBe(false);
        // What the client invents stands before what the proxy saw.
        expect(await works(secret, from('203.0.113.7, 203.0.113.8'))).toBe(false);
        expect(await works(secret, from('unknown'))).toBe(false);
        expect(await works(secret)).toBe(false);
      });

      test('is refused elsewhere like one that nobody has', async () => {
        const { secret } = await issue(await add(), { addresses: ['203.0.113.7'] });
        const refused = await api.ask(generation, {}, { user: { apiKey: secret } });
        const unknown = await api.ask(generation, {}, { user: null });
        expect(outcomeOf(refused)).toEqual(outcomeOf(unknown));
      });
    });
  },
  { clock, config: { trustedProxies: 1 } },
);
