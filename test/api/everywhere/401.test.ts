import { describe, expect, test } from 'vitest';
import { revokeKey } from '../../../server/flows/keys/revoke-key.ts';
import { rotateKey } from '../../../server/flows/keys/rotate-key.ts';
import { setUserEnabled } from '../../../server/flows/users/enable-user.ts';
import { type Answer, answerOf, describeApi } from '../../support/callers/api.ts';
import { changeLast, refusalOf, refusalsOf, unauthorized } from '../../support/callers/keys.ts';
import { RawConnection } from '../../support/callers/raw-http.ts';
import { generation, jsonEdit, smallPrompt, waysToAsk } from '../../support/callers/ways-to-ask.ts';
import { walletOf } from '../../support/money/spending.ts';

describeApi((api) => {
  /** A request with exactly these headers. */
  const get = async (headers: Record<string, string>, path = '/v1/models'): Promise<Answer> =>
    answerOf(await fetch(`${api.app.baseUrl}${path}`, { headers }));

  describe('every address of the API', () => {
    test.each(waysToAsk)('refuses $name without a key', async (way) => {
      expect(await refusalsOf(api, (options) => api.ask(way, {}, options))).toEqual([
        unauthorized,
        unauthorized,
      ]);
    });

    test.each(['/v1/models', '/v1/models/gen-image-2', '/v1/models/nothing'])(
      'refuses %s without a key',
      async (path) => {
        expect(await refusalsOf(api, (options) => api.get(path, options))).toEqual([
          unauthorized,
          unauthorized,
        ]);
      },
    );
  });

  describe('a key', () => {
    test.each<[string, (key: string) => string]>([
      ['with a changed last character', changeLast],
      ['cut by one', (key) => key.slice(0, -1)],
      ['longer by one', (key) => `${key}0`],
      ['in upper case', (key) => key.toUpperCase()],
      ['in quotes', (key) => `"${key}"`],
      ['of another prefix', (key) => key.replace('sk-tin-', 'sk-test-')],
      ['without its prefix', (key) => key.replace('sk-tin-', '')],
      ['twice, between commas', (key) => `${key}, ${key}`],
      ['twice, between spaces', (key) => `${key} ${key}`],
      ['that is empty', () => ''],
      ['that is a word', () => 'secret'],
      ['that could be SQL', () => `' OR 1=1 --`],
      ['that is a JSON Web Token', () => 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZG1pbiJ9.'],
      ['that is very long', () => `sk-tin-${'a'.repeat(10_000)}`],
    ])('%s is refused', async (_how, spoil) => {
      expect(refusalOf(await get({ authorization: `Bearer ${spoil(api.user.apiKey)}` }))).toEqual(
        unauthorized,
      );
    });

    test.each<[string, (key: string) => string]>([
      ['in Basic', (key) => `Basic ${Buffer.from(`${key}:`).toString('base64')}`],
      ['as a Basic text', (key) => `Basic ${key}`],
      ['as a Token', (key) => `Token ${key}`],
      ['without a scheme', (key) => key],
      ['glued to its scheme', (key) => `Bearer${key}`],
    ])('%s is refused', async (_how, write) => {
      expect(refusalOf(await get({ authorization: write(api.user.apiKey) }))).toEqual(unauthorized);
    });

    test.each(['bearer', 'BEARER', 'Bearer  ', 'beaReR'])(
      'behind %j is accepted: schemes have no case',
      async (scheme) => {
        const answer = await get({ authorization: `${scheme} ${api.user.apiKey}` });
        expect(answer.status).toBe(200);
      },
    );

    test('in two headers is refused, even twice the same', async () => {
      const { apiKey } = api.user;
      const connection = await RawConnection.open(api.app.baseUrl);
      const header = `Authorization: Bearer ${apiKey}\r\n`;
      connection.send(`GET /v1/models HTTP/1.1\r\nHost: a\r\n${header}${header}\r\n`);
      expect(refusalOf(await connection.answer())).toEqual(unauthorized);
      connection.close();
    });

    test('is looked for in the header alone', async () => {
      const { apiKey } = api.user;
      expect(refusalOf(await get({}, `/v1/models?api_key=${apiKey}&key=${apiKey}`))).toEqual(
        unauthorized,
      );
      expect(
        refusalOf(await get({ cookie: `api_key=${apiKey}; authorization=Bearer ${apiKey}` })),
      ).toEqual(unauthorized);
      for (const name of ['x-api-key', 'api-key', 'x-authorization', 'proxy-authorization']) {
        expect(refusalOf(await get({ [name]: apiKey }))).toEqual(unauthorized);
        expect(refusalOf(await get({ [name]: `Bearer ${apiKey}` }))).toEqual(unauthorized);
      }
      const inBody = { api_key: apiKey, authorization: `Bearer ${apiKey}` };
      expect(refusalOf(await api.ask(generation, inBody, { user: null }))).toEqual(unauthorized);
    });

    test('that is revoked fails at the next request', async () => {
      const { id, secret } = await api.app.addKey(api.user.id);
      const headers = { authorization: `Bearer ${secret}` };
      expect((await get(headers)).status).toBe(200);
      await revokeKey(api.app.admin, { keyId: id, userId: null });
      expect(refusalOf(await get(headers))).toEqual(unauthorized);
      expect(await api.get('/v1/models')).toMatchObject({ status: 200 });
    });

    test('whose secret is replaced while the body comes makes no picture', async () => {
      const { id, secret } = await api.app.addKey(api.user.id);
      const body = JSON.stringify({ model: 'gen-image-2.5-flare', prompt: smallPrompt });
      const before = await walletOf(api.app.database, api.user.id);
      const connection = await RawConnection.open(api.app.baseUrl);
      connection.send(
        `POST ${generation.path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${secret}\r\n` +
          'Content-Type: application/json\r\nExpect: 100-continue\r\n' +
          `Content-Length: ${body.length}\r\n\r\n`,
      );
      expect(await connection.answer()).toMatchObject({ status: 100 });
      const choice = { keyId: id, userId: null };
      await rotateKey(api.app.admin, choice, { prefix: 'tin', overlapMs: 0 });
      connection.send(body);
      expect(refusalOf(await connection.answer())).toEqual(unauthorized);
      expect(await walletOf(api.app.database, api.user.id)).toBe(before);
      connection.close();
    });

    test('of a disabled user fails until the user is enabled again', async () => {
      const { id, apiKey } = await api.app.addUser();
      const headers = { authorization: `Bearer ${apiKey}` };
      expect((await get(headers)).status).toBe(200);
      await setUserEnabled(api.app.admin, id, false);
      expect(refusalOf(await get(headers))).toEqual(unauthorized);
      expect(refusalOf(await api.ask(generation, {}, { user: { apiKey } }))).toEqual(unauthorized);
      await setUserEnabled(api.app.admin, id, true);
      expect((await get(headers)).status).toBe(200);
    });
  });

  describe('a body without a key', () => {
    const length = 50 * 1_048_576;
    const head = (more = '') =>
      `POST ${jsonEdit.path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${length}\r\n${more}\r\n`;

    test('is not read before it is refused', async () => {
      const connection = await RawConnection.open(api.app.baseUrl);
      connection.send(`${head()}{"images":[`);
      expect(refusalOf(await connection.answer())).toEqual(unauthorized);
      connection.close();
    });

    test('is not asked for when the caller offers it', async () => {
      const connection = await RawConnection.open(api.app.baseUrl);
      connection.send(head('Expect: 100-continue\r\n'));
      const answer = await connection.answer();
      expect(refusalOf(answer)).toEqual(unauthorized);
      // The body is not coming, so nothing else can on this connection.
      expect(answer.headers.get('connection')).toBe('close');
      connection.close();
    });
  });
});
