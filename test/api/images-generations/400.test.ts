import { describe, expect, test } from 'vitest';
import { describeApi, errorOf, outcomeOf, wrong } from '../../support/callers/api.ts';
import { wrongValues } from '../../support/callers/field-table.ts';
import {
  type Body,
  formOf,
  generation,
  json,
  smallPrompt,
} from '../../support/callers/ways-to-ask.ts';

const asJson = { 'content-type': 'application/json' };
const secret = 'canary-7Q2';

describeApi((api) => {
  const generate = (fields = {}, options = {}) => api.ask(generation, fields, options);
  const post = (headers: Record<string, string>, body: Body) =>
    api.send('POST', generation.path, { headers, body });

  describe('a generation', () => {
    test.each(wrongValues(generation))('refuses $title', async ({ field, fields }) => {
      expect(outcomeOf(await generate(fields))).toEqual(wrong(field));
    });

    test.each([
      ['prompt', { prompt: [secret] }],
      ['model', { model: secret }],
      ['size', { size: secret }],
      ['quality', { quality: secret }],
      ['stream', { stream: secret }],
      [null, { deep: JSON.parse('['.repeat(100) + `"${secret}"` + ']'.repeat(100)) as unknown }],
    ])('does not repeat what was sent as %s', async (param, fields) => {
      const answer = await generate(fields);
      expect(outcomeOf(answer)).toEqual(wrong(param));
      expect(answer.text).not.toContain(secret);
    });

    test('names the values that a field may have', async () => {
      expect(errorOf(await generate({ size: '512x512' })).message).toBe(
        'size must be one of: auto, 1024x1024, 1536x1024, 1024x1536.',
      );
      expect(errorOf(await generate({ n: 11 })).message).toBe(
        'n must be a whole number from 1 to 10.',
      );
    });

    test('names the models that take the quality', async () => {
      const refusal = async (models: readonly string[] | null) => {
        const { secret: apiKey } = await api.app.addKey(api.user.id, { models });
        const answer = await generate(
          { model: 'gen-image-2', quality: 'max' },
          { user: { apiKey } },
        );
        expect(outcomeOf(answer)).toEqual(wrong('quality'));
        return errorOf(answer).message;
      };
      const own = 'This model takes the qualities auto, low, medium and high';
      const [flare, sunburst] = ['gen-image-2.5-flare', 'gen-image-2.5-sunburst'];
      expect(await refusal(null)).toBe(`${own}; xhigh and max are for ${sunburst}, ${flare}.`);
      expect(await refusal(['gen-image-2', flare])).toBe(`${own}; xhigh and max are for ${flare}.`);
      expect(await refusal(['gen-image-2'])).toBe(`${own}.`);
    });

    test.each([['file_id'], ['image_file_id'], ['file_ids']])('refuses %s', async (name) => {
      const answer = await generate({ [name]: 'file-123' });
      expect(outcomeOf(answer)).toEqual(wrong(name));
      expect(errorOf(answer).message).toContain('file_id is not supported');
    });

    test('is refused by an upstream without costing anything', async () => {
      const user = await api.app.addUser({ money: '0.04' });
      for (const fault of ['refused', 'bad_request']) {
        const answer = await generate({ prompt: `a fox [[fail=${fault}]]` }, { user });
        expect(outcomeOf(answer)).toEqual(wrong(null));
        expect(answer.headers.get('x-should-retry')).toBe('false');
      }
      expect(await generate({}, { user })).toMatchObject({ status: 200 });
    });

    test.each(['', ' ', 'ü', 'x'.repeat(256)])('refuses the Idempotency-Key %j', async (key) => {
      const headers = { 'idempotency-key': Buffer.from(key).toString('latin1') };
      const answer = await generate({}, { headers });
      expect(outcomeOf(answer)).toEqual(wrong('Idempotency-Key'));
    });

    test('refuses an Idempotency-Key that stands for another request', async () => {
      const headers = { 'idempotency-key': 'order-1' };
      const first = await generate({}, { headers });
      const second = await generate({ quality: 'high' }, { headers });
      expect(outcomeOf(second)).toEqual(wrong('Idempotency-Key'));
      expect(errorOf(second).message).toContain(first.headers.get('x-request-id'));
    });
  });

  describe('a body', () => {
    test.each([
      ['nothing', ''],
      ['text', secret],
      ['a list', `["${secret}"]`],
      ['a string', `"${secret}"`],
      ['a number', '5'],
      ['null', 'null'],
      ['cut off', `{"model":"gen-image-2","prompt":"${secret}`],
      ['two objects', '{}{}'],
      ['a comment', `{"prompt":"x"} // ${secret}`],
      ['a trailing comma', `{"prompt":"${secret}",}`],
      ['not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ])('of %s is refused', async (_name, body) => {
      const answer = await post(asJson, typeof body === 'string' ? body : new Uint8Array(body));
      expect(outcomeOf(answer)).toEqual(wrong(null));
      expect(answer.text).not.toContain(secret);
    });

    test('larger than 1 MiB is refused', async () => {
      const fields = { model: 'gen-image-2', prompt: smallPrompt, filling: '' };
      const rest = 1_048_576 - JSON.stringify(fields).length;
      const largest = { ...fields, filling: 'a'.repeat(rest) };
      const { headers } = json({});
      expect(await post(headers, JSON.stringify(largest))).toMatchObject({ status: 200 });
      const larger = { ...largest, filling: 'a'.repeat(rest + 1) };
      expect(outcomeOf(await post(headers, JSON.stringify(larger)))).toEqual(wrong(null));
    });

    test.each([
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/jsonp',
      'json',
      '',
      '; charset=utf-8',
      'application/json; charset=latin1',
    ])('of the type %j is refused', async (type) => {
      const { body } = generation.write({});
      const answer = await post({ 'content-type': type }, body);
      expect(outcomeOf(answer)).toEqual(wrong(null));
      expect(errorOf(answer).message).toMatch(/application\/json|UTF-8/);
    });

    test('that is a form is refused', async () => {
      const form = formOf({ model: 'gen-image-2', prompt: smallPrompt });
      expect(outcomeOf(await post({}, form))).toEqual(wrong(null));
    });

    test.each(['gzip', 'br', 'x-unknown'])('encoded with %s is refused', async (encoding) => {
      const answer = await post({ ...asJson, 'content-encoding': encoding }, secret);
      expect(outcomeOf(answer)).toEqual(wrong(null));
      expect(errorOf(answer).message).toContain('Content-Encoding');
    });
  });
});
