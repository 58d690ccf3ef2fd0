import { describe, expect, test } from 'vitest';
import { type Answer, describeApi } from '../../support/callers/api.ts';
import { generation, jsonEdit } from '../../support/callers/ways-to-ask.ts';

const traceId = /^tr_[0-9a-hjkmnp-tv-z]{26}$/;

describeApi(
  (api) => {
    const poor = () => api.app.addUser({ money: '0' });
    const answers: Record<string, () => Promise<Answer>> = {
      'a picture': () => api.ask(generation),
      'an edit': () => api.ask(jsonEdit),
      'a stream': () => api.ask(generation, { stream: true }),
      'the models': () => api.get('/v1/models'),
      'a model': () => api.get('/v1/models/gen-image-2'),
      'the OpenAPI document': () => api.get('/openapi.json'),
      'a sign of life': () => api.get('/healthz'),
      'a preflight': () => api.send('OPTIONS', generation.path, { user: null }),
      'a 400': () => api.ask(generation, { n: 0 }),
      'a 401': () => api.ask(generation, {}, { user: null }),
      'a 404': () => api.get('/nothing'),
      'a 405': () => api.get(generation.path),
      'a 429': async () => api.ask(generation, {}, { user: await poor() }),
      'a 502': () => api.ask(generation, { prompt: 'a fox [[fail=unavailable]]' }),
      'a failed stream': () => api.ask(generation, { prompt: 'a [[fail=timeout]]', stream: true }),
      'an address that cannot be read': () => api.get('/v1/models/%E0%A4%A'),
      'an address that is too long': () => api.get(`/v1/models/${'a'.repeat(5_000)}`),
    };

    describe('the trace ID', () => {
      test.each(Object.keys(answers))('is on %s, and always another', async (name) => {
        const [first, second] = [await answers[name]?.(), await answers[name]?.()];
        expect(first?.headers.get('x-request-id')).toMatch(traceId);
        expect(second?.headers.get('x-request-id')).toMatch(traceId);
        expect(second?.headers.get('x-request-id')).not.toBe(first?.headers.get('x-request-id'));
      });

      test('is never the caller’s choice', async () => {
        const answer = await api.get('/v1/models', { headers: { 'x-request-id': 'mine' } });
        expect(answer.headers.get('x-request-id')).toMatch(traceId);
      });
    });

    describe('what an answer costs', () => {
      test.each(['a picture', 'an edit'])('is told with %s', async (name) => {
        const answer = await answers[name]?.();
        expect(answer?.headers.get('x-tintype-cost')).toBe('0.04');
        expect(answer?.headers.get('x-tintype-balance')).toMatch(/^\d+\.\d\d$/);
        expect(answer?.headers.get('x-tintype-currency')).toBe('USD');
      });

      test.each(['the models', 'a 400', 'a 429', 'a 502'])('is not told with %s', async (name) => {
        const answer = await answers[name]?.();
        expect([...(answer?.headers.keys() ?? [])].join()).not.toContain('x-tintype');
      });
    });

    test('nothing tells what software answers', async () => {
      for (const send of Object.values(answers)) {
        const { headers } = await send();
        expect(headers.has('server')).toBe(false);
        expect(headers.has('x-powered-by')).toBe(false);
      }
    });
  },
  { config: { attemptsPerPictureMax: 1 } },
);
