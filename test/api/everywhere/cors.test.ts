import { describe, expect, test } from 'vitest';
import { type Answer, describeApi } from '../../support/callers/api.ts';
import { generation } from '../../support/callers/ways-to-ask.ts';

const origin = 'https://app.example';

describeApi((api) => {
  describe('a preflight', () => {
    const preflight = (path: string, headers: Record<string, string> = {}) =>
      api.send('OPTIONS', path, {
        user: null,
        headers: { origin, 'access-control-request-method': 'POST', ...headers },
      });

    test.each([
      ['/v1/images/generations', 'POST'],
      ['/v1/images/edits', 'POST'],
      ['/v1/models', 'GET'],
      ['/v1/models/gen-image-2', 'GET'],
    ])('of %s passes without a key', async (path, method) => {
      const answer = await preflight(path);
      expect(answer).toMatchObject({ status: 204, text: '' });
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      expect(answer.headers.get('access-control-allow-methods')).toContain(method);
      expect(Number(answer.headers.get('access-control-max-age'))).toBeGreaterThan(0);
      expect(answer.headers.get('x-request-id')).toMatch(/^tr_/);
    });

    // Or the page would be told that its origin is at fault, and never read what is.
    test.each([
      ['/v1/image/generations', 'POST', 404],
      ['/v1/', 'GET', 404],
      ['/v1', 'GET', 404],
      ['/v1/models', 'DELETE', 405],
      ['/v1/models/gen-image-2', 'PATCH', 405],
    ])('of %s passes for %s too, whose %d a page may read', async (path, method, status) => {
      const passed = await preflight(path, { 'access-control-request-method': method });
      expect(passed).toMatchObject({ status: 204, text: '' });
      expect(passed.headers.get('access-control-allow-origin')).toBe('*');
      expect(passed.headers.get('access-control-allow-methods')?.split(', ')).toContain(method);
      const answer = await api.send(method, path, { headers: { origin } });
      expect(answer.status).toBe(status);
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    });

    test('is what an OPTIONS is not that asks for no method: of nothing it is a 404', async () => {
      const answer = await api.send('OPTIONS', '/v1/nothing', { user: null, headers: { origin } });
      expect(answer.status).toBe(404);
    });

    test.each(['/nothing', '/healthz', '/v10/models', '/api/console/bootstrap'])(
      'of %s allows nothing',
      async (path) => {
        const { headers } = await preflight(path);
        const names = [...headers.keys()].filter((name) => name.startsWith('access-control-'));
        expect(names).toEqual([]);
      },
    );

    test('allows whatever headers are asked for', async () => {
      const asked = 'authorization,content-type,x-stainless-lang,x-of-next-year';
      const answer = await preflight(generation.path, { 'access-control-request-headers': asked });
      expect(answer.headers.get('access-control-allow-headers')).toBe(asked);
      expect(answer.headers.get('vary')).toBe('access-control-request-headers');
    });
  });

  describe('a web page of any origin', () => {
    const headers = { origin };

    test.each<[string, () => Promise<Answer>]>([
      ['a picture', () => api.ask(generation, {}, { headers })],
      ['a stream', () => api.ask(generation, { stream: true }, { headers })],
      ['a 400', () => api.ask(generation, { n: 0 }, { headers })],
      ['a 401', () => api.ask(generation, {}, { headers, user: null })],
      ['a 404', () => api.get('/v1/nothing', { headers })],
      ['a 405', () => api.get(generation.path, { headers })],
      ['the models', () => api.get('/v1/models', { headers })],
      ['an address that cannot be read', () => api.get('/v1/models/%E0%A4%A', { headers })],
      ['an address in percent-encoded letters', () => api.get('/%761/models', { headers })],
    ])('may read %s and its headers', async (_what, send) => {
      const answer = await send();
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      // Cookies play no part in it.
      expect(answer.headers.has('access-control-allow-credentials')).toBe(false);
      const exposed = answer.headers.get('access-control-expose-headers')?.split(', ');
      expect(exposed).toEqual([
        'x-request-id',
        'retry-after',
        'x-should-retry',
        'idempotent-replayed',
        'x-tintype-cost',
        'x-tintype-balance',
        'x-tintype-currency',
      ]);
    });
  });
});
