import { expect, test } from 'vitest';
import { type Api, describeApi, outcomeOf } from '../../support/callers/api.ts';

/** As short as it may be. */
const secret = '0123456789abcdef';
const unauthorized = { status: 401, code: 'unauthorized', param: null };

describeApi(
  (api) => {
    test('metrics on the main port are for whoever has the token', async () => {
      const answer = await get(api, `Bearer ${secret}`);
      expect(answer).toMatchObject({ status: 200 });
      expect(answer.text).toContain('tintype_build_info{version="');
      expect(answer.headers.get('cache-control')).toBe('no-store');
    });

    test.each([
      ['nothing', null],
      ['another token of the same length', `Bearer ${secret.replace('0', '1')}`],
      ['its beginning', `Bearer ${secret.slice(0, -1)}`],
      ['more than it', `Bearer ${secret}0`],
      ['another scheme', `Basic ${secret}`],
    ])('%s is refused', async (_what, authorization) => {
      expect(outcomeOf(await get(api, authorization))).toEqual(unauthorized);
    });

    test('an API key is no token', async () => {
      expect(outcomeOf(await api.get('/metrics'))).toEqual(unauthorized);
    });

    test('other methods find nothing', async () => {
      const headers = { authorization: `Bearer ${secret}` };
      expect(await api.send('POST', '/metrics', { user: null, headers })).toMatchObject({
        status: 404,
      });
    });
  },
  { config: { metricsSecret: secret } },
);

describeApi(
  (api) => {
    test('a port of its own asks for the token too, where there is one', async () => {
      const url = `${api.app.app.metricsUrl}/metrics`;
      const refused = await fetch(url);
      expect(refused.status).toBe(401);
      expect(refused.headers.get('www-authenticate')).toBe('Bearer');
      const headers = { authorization: `Bearer ${secret}` };
      expect(await fetch(url, { headers })).toMatchObject({ status: 200 });
    });
  },
  { config: { metricsSecret: secret, metricsPort: 0 } },
);

function get(api: Api, authorization: string | null) {
  return api.get('/metrics', { user: null, headers: authorization ? { authorization } : {} });
}
