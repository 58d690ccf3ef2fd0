/** Keys and secrets whose answer got lost, so that nobody has seen them. */
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { must } from '../../../server/lib/assert.ts';
import { issuedKeySchema, keyListSchema } from '../../../shared/console/keys.ts';
import { type Answer, describeApi, outcomeOf, wrong } from '../../support/callers/api.ts';
import { addConsoleUser, type ConsoleUser } from '../../support/console/console-user.ts';
import { exactly } from '../../support/exactly.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const hour = 3_600_000;
const reference = '0123456789abcdef';
const clock = new ManualClock(Date.parse('2026-11-20T12:00:00Z'));

function read<S extends z.ZodType>(schema: S, answer: Answer): z.output<S> {
  if (answer.status !== 200) throw new Error(answer.text);
  return exactly(schema, answer.body);
}

describeApi(
  (api) => {
    const post = ({ browser }: ConsoleUser, fields: object = {}) =>
      browser.post('/keys', { name: 'laptop', reference, ...fields });
    /** Whether the public API takes the secret. */
    const works = async (apiKey: string) =>
      (await api.get('/v1/models', { user: { apiKey } })).status === 200;

    describe('a key with a reference', () => {
      test('is made once, and found by how its ID ends', async () => {
        const user = await addConsoleUser(api.app);
        const answers = await Promise.all(Array.from({ length: 5 }, () => post(user)));
        const made = answers.filter(({ status }) => status === 200);
        expect(made).toHaveLength(1);
        const { key, secret } = read(issuedKeySchema, must(made[0], 'the one that was made'));
        expect(key.id.endsWith(reference)).toBe(true);
        expect(await works(secret)).toBe(true);
        const refused = answers.filter(({ status }) => status !== 200).map(outcomeOf);
        expect(refused).toEqual(Array(4).fill(wrong('reference')));
        const { items } = read(keyListSchema, await user.browser.get('/keys'));
        expect(items.filter(({ name }) => name === 'laptop')).toHaveLength(1);
        // Also when it is gone, or much later.
        await user.browser.ask('DELETE', `/keys/${key.id}`);
        clock.advance(hour);
        expect(outcomeOf(await post(user))).toEqual(wrong('reference'));
      });

      test('keeps nobody else from theirs', async () => {
        const [one, other] = [await addConsoleUser(api.app), await addConsoleUser(api.app)];
        expect((await post(one)).status).toBe(200);
        // In the same millisecond, the ID would be the same.
        expect(outcomeOf(await post(other))).toEqual(wrong('reference'));
        clock.advance(1);
        expect((await post(other)).status).toBe(200);
      });

      test.each(['', 'x'.repeat(15), 'x'.repeat(17), '%%%%%%%%%%%%%%%%'])(
        '%j is told what is wrong with it',
        async (wished) => {
          const answer = await post(await addConsoleUser(api.app), { reference: wished });
          expect(outcomeOf(answer)).toEqual(wrong('reference'));
        },
      );
    });

    describe('a secret that nobody has seen', () => {
      const rotate = async (user: ConsoleUser, body: object) => {
        const { apiKeyId } = user;
        return user.browser.post(`/keys/${apiKeyId}/rotate`, { overlap_hours: 1, ...body });
      };
      const rotated = async (user: ConsoleUser, body: object = {}) =>
        read(issuedKeySchema, await rotate(user, body)).secret;

      test('is replaced, and the one in use goes on', async () => {
        const user = await addConsoleUser(api.app);
        const unseen = await rotated(user);
        const seen = await rotated(user, { in_place_of: unseen.slice(-4) });
        const of = async () => [await works(user.apiKey), await works(unseen), await works(seen)];
        expect(await of()).toEqual([true, false, true]);
        clock.advance(hour);
        expect(await of()).toEqual([false, false, true]);
      });

      test('is replaced with no secret beside it where none is wanted', async () => {
        const user = await addConsoleUser(api.app);
        const unseen = await rotated(user);
        const body = { in_place_of: unseen.slice(-4), overlap_hours: 0 };
        const seen = await rotated(user, body);
        expect([await works(user.apiKey), await works(unseen), await works(seen)]).toEqual([
          false,
          false,
          true,
        ]);
      });

      test('wakes no secret whose time was over', async () => {
        const user = await addConsoleUser(api.app);
        const unseen = await rotated(user);
        clock.advance(hour);
        await rotated(user, { in_place_of: unseen.slice(-4) });
        expect(await works(user.apiKey)).toBe(false);
      });

      test('is another one by now', async () => {
        const user = await addConsoleUser(api.app);
        const unseen = await rotated(user);
        const present = await rotated(user);
        const answer = await rotate(user, { in_place_of: unseen.slice(-4) });
        expect(outcomeOf(answer)).toEqual(wrong('in_place_of'));
        expect(await works(present)).toBe(true);
      });
    });
  },
  { clock },
);
