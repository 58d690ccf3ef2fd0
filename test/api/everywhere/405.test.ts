import { describe, expect, test } from 'vitest';
import { describeApi, errorOf, outcomeOf } from '../../support/callers/api.ts';

describeApi((api) => {
  describe.each([
    ['/v1/images/generations', 'POST, OPTIONS'],
    ['/v1/images/edits', 'POST, OPTIONS'],
    ['/v1/models', 'GET, HEAD, OPTIONS'],
    ['/v1/models/gen-image-2', 'GET, HEAD, OPTIONS'],
    ['/openapi.json', 'GET, HEAD, OPTIONS'],
    ['/healthz', 'GET, HEAD, OPTIONS'],
    ['/readyz', 'GET, HEAD, OPTIONS'],
  ])('%s', (path, allowed) => {
    const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'QUERY'];

    test.each(methods.filter((method) => !allowed.includes(method)))(
      'refuses %s and says what it takes',
      async (method) => {
        for (const user of [api.user, null]) {
          const answer = await api.send(method, `${path}?a=b`, { user });
          expect(outcomeOf(answer)).toEqual({
            status: 405,
            code: 'method_not_allowed',
            param: null,
          });
          expect(errorOf(answer).message).toBe(`This address takes ${allowed}.`);
          expect(answer.headers.get('allow')).toBe(allowed);
        }
      },
    );

    test('knows itself in percent-encoded letters', async () => {
      const encoded = path.replaceAll('e', '%65').replaceAll('-', '%2D');
      const answer = await api.send('PROPFIND', encoded);
      expect(answer.headers.get('allow')).toBe(allowed);
    });

    test('says what it takes when it is asked', async () => {
      const answer = await api.send('OPTIONS', path, { user: null });
      expect(answer).toMatchObject({ status: 204, text: '' });
      expect(answer.headers.get('allow')).toBe(allowed);
    });

    test('answers HEAD without a body', async () => {
      const answer = await api.send('HEAD', path);
      expect(answer).toMatchObject({ status: allowed.includes('HEAD') ? 200 : 405, text: '' });
      expect(answer.headers.get('x-request-id')).toMatch(/^tr_/);
    });
  });
});
