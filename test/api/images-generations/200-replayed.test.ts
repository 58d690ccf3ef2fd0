import { describe, expect, test } from 'vitest';
import { fingerprintOf, toGeneration } from '../../../server/images/image-request.ts';
import { generationRequestSchema } from '../../../shared/api/images.ts';
import { imageLimits } from '../../../shared/limits.ts';
import { type Answer, describeApi } from '../../support/callers/api.ts';
import { eventsOf } from '../../support/callers/stream-contract.ts';
import { generation, waysToEdit } from '../../support/callers/ways-to-ask.ts';

describeApi((api) => {
  describe('a repeat with the same Idempotency-Key', () => {
    test('gets the same answer for the same charge', async () => {
      const user = await api.app.addUser({ money: '0.04' });
      const headers = { 'idempotency-key': 'order-1' };
      const first = await api.ask(generation, {}, { user, headers });
      const second = await api.ask(generation, {}, { user, headers });
      expect(first.headers.has('idempotent-replayed')).toBe(false);
      expect(second.headers.get('idempotent-replayed')).toBe('true');
      expect(second.text).toBe(first.text);
      for (const name of ['x-request-id', 'x-tintype-cost', 'x-tintype-balance']) {
        expect(second.headers.get(name)).toBe(first.headers.get(name));
      }
    });

    test('waits for the first while that is running', async () => {
      const user = await api.app.addUser({ money: '0.04', slotsMax: 1 });
      const headers = { 'idempotency-key': 'order-2' };
      const fields = { prompt: 'a fox [[actual=32x32]] [[delay=300ms]]' };
      const answers = await Promise.all(
        [1, 2, 3].map(() => api.ask(generation, fields, { user, headers })),
      );
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      const marks = answers.map((answer) => answer.headers.get('idempotent-replayed'));
      expect(marks.filter((mark) => mark === null)).toHaveLength(1);
    });

    test('gets the end of a stream', async () => {
      const headers = { 'idempotency-key': 'order-3' };
      const fields = { stream: true, partial_images: 2 };
      const first = eventsOf(await api.ask(generation, fields, { headers }), generation);
      const repeat = await api.ask(generation, fields, { headers });
      expect(repeat.headers.get('idempotent-replayed')).toBe('true');
      expect(eventsOf(repeat, generation)).toEqual(first.slice(-1));
    });
  });

  describe('an Idempotency-Key', () => {
    const ask = (key: string, fields = {}, user = api.user): Promise<Answer> =>
      api.ask(generation, fields, { headers: { 'idempotency-key': key }, user });

    test.each([
      'a',
      '~',
      'with spaces between',
      'x'.repeat(imageLimits.idempotencyKeyCharactersMax),
    ])('may be %j', async (key) => {
      expect(await ask(key)).toMatchObject({ status: 200 });
      expect((await ask(key)).headers.get('idempotent-replayed')).toBe('true');
    });

    test('is free again after a failure', async () => {
      const failed = await ask('again', { prompt: 'a fox [[fail=refused]]' });
      expect(failed.status).toBe(400);
      const answer = await ask('again');
      expect(answer.status).toBe(200);
      expect(answer.headers.has('idempotent-replayed')).toBe(false);
    });

    test('is kept with nothing by which a guessed prompt could be found right', async () => {
      await ask('guessed');
      const { fingerprint } = await api.app.database.kysely
        .selectFrom('idempotency_keys')
        .select('fingerprint')
        .where('key', '=', 'guessed')
        .executeTakeFirstOrThrow();
      const guess = generationRequestSchema.parse(
        await new Response(generation.write({}).body).json(),
      );
      expect(fingerprint).not.toContain(fingerprintOf(toGeneration(guess)));
    });

    test('of another API key is another', async () => {
      const first = await ask('shared');
      const { secret } = await api.app.addKey(api.user.id);
      const second = await ask('shared', {}, { ...api.user, apiKey: secret });
      expect(second.headers.has('idempotent-replayed')).toBe(false);
      expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    });

    test('gives the same answer to the same request, however it is written', async () => {
      const headers = { 'content-type': 'application/json', 'idempotency-key': 'written' };
      const send = (body: string) => api.send('POST', generation.path, { headers, body });
      const first = await send('{"model":"gen-image-2","prompt":"a fox [[actual=32x32]]"}');
      const second = await send(
        ' {"quality":"standard", "prompt": "\\u0061 fox [[actual=32x32]]", "model":"gen-image-2", "user":"u"}',
      );
      expect(second.headers.get('idempotent-replayed')).toBe('true');
      expect(second.text).toBe(first.text);
    });
  });

  test('edits are replayed too', async () => {
    for (const way of waysToEdit) {
      const headers = { 'idempotency-key': `edit ${way.form}` };
      const first = await api.ask(way, {}, { headers });
      const second = await api.ask(way, {}, { headers });
      expect(second.headers.get('idempotent-replayed')).toBe('true');
      expect(second.text).toBe(first.text);
    }
  });
});
