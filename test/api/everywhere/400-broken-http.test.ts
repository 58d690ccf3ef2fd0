import { describe, expect, test } from 'vitest';
import {
  type Api,
  answerOf,
  describeApi,
  errorOf,
  outcomeOf,
  wrong,
} from '../../support/callers/api.ts';
import { exchange, RawConnection } from '../../support/callers/raw-http.ts';
import { generation } from '../../support/callers/ways-to-ask.ts';

const canary = 'canary-9F1';
const get = 'GET /v1/models HTTP/1.1\r\n';
const post = `POST ${generation.path} HTTP/1.1\r\nHost: a\r\n`;

describeApi((api) => {
  describe('what is not HTTP', () => {
    test.each([
      ['a word', `${canary}\r\n\r\n`],
      ['another protocol', `\x16\x03\x01\x02\x00\x01${canary}`],
      ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
      ['an unknown method', `CANARY /${canary} HTTP/1.1\r\nHost: a\r\n\r\n`],
      ['an unknown version', 'GET / HTTP/7.3\r\nHost: a\r\n\r\n'],
      ['a space in the address', `GET /v1/${canary} x HTTP/1.1\r\nHost: a\r\n\r\n`],
      ['a header without a colon', `${get}Host: a\r\n${canary}\r\n\r\n`],
      ['a space before the colon', `${get}Host: a\r\nX-A : b\r\n\r\n`],
      ['a folded header', `${get}Host: a\r\nX-A: b\r\n c\r\n\r\n`],
      ['a NUL in a header', `${get}Host: a\r\nX-A: b\0c\r\n\r\n`],
      ['a bare CR in a header', `${get}Host: a\r\nX-A: b\rc\r\n\r\n`],
      ['no Host', `${get}\r\n`],
      ['two Hosts', `${get}Host: a\r\nHost: b\r\n\r\n`],
      ['a negative length', `${post}Content-Length: -5\r\n\r\n`],
      ['a signed length', `${post}Content-Length: +5\r\n\r\nabcde`],
      ['a length in hex', `${post}Content-Length: 0x5\r\n\r\nabcde`],
      ['a length beyond numbers', `${post}Content-Length: 99999999999999999999\r\n\r\n`],
      ['two lengths', `${post}Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcde`],
      [
        'a length and chunks',
        `${post}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      ],
      ['chunks and another coding', `${post}Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n`],
    ])('such as %s is refused in JSON', async (_what, bytes) => {
      const answer = await exchange(api.app.baseUrl, Buffer.from(bytes, 'latin1'));
      expect(outcomeOf(answer)).toEqual(wrong(null));
      expect(answer.text).not.toContain(canary);
      expect(await stillServes(api)).toBe(true);
    });

    test('such as a chunk of no size is refused once the key is known', async () => {
      const answer = await exchange(
        api.app.baseUrl,
        `${post}Authorization: Bearer ${api.user.apiKey}\r\nContent-Type: application/json\r\n` +
          'Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n',
      );
      expect(outcomeOf(answer)).toEqual(wrong(null));
      expect(await stillServes(api)).toBe(true);
    });

    test('such as a body that ends early harms nobody', async () => {
      const connection = await RawConnection.open(api.app.baseUrl);
      connection.send(
        `${post}Authorization: Bearer ${api.user.apiKey}\r\nContent-Type: application/json\r\n` +
          'Content-Length: 500\r\n\r\n{"model"',
      );
      connection.close();
      expect(await stillServes(api)).toBe(true);
    });
  });

  describe('an address that cannot be decoded', () => {
    test.each(['/v1/models/%', '/v1/models/%E0%A4%A', `/v1/models/%ZZ${canary}`, '/%'])(
      'such as %s is refused',
      async (path) => {
        const answer = await api.get(path);
        expect([400, 404]).toContain(outcomeOf(answer).status);
        expect(answer.text).not.toContain(canary);
      },
    );
  });

  describe('headers', () => {
    const headers = (count: number) => 'X-A: b\r\n'.repeat(count);
    const key = () => `Authorization: Bearer ${api.user.apiKey}\r\n`;

    test('may be 200', async () => {
      const text = `${get}Host: a\r\n${headers(198)}${key()}\r\n`;
      expect(await exchange(api.app.baseUrl, text)).toMatchObject({ status: 200 });
    });

    test.each([199, 1_000, 5_000])('may not be %i more than Host and key', async (count) => {
      const answer = await exchange(
        api.app.baseUrl,
        `${get}Host: a\r\n${headers(count)}${key()}\r\n`,
      );
      expect([400, 431]).toContain(answer.status);
      expect(outcomeOf(answer).code).toBe('invalid_request_error');
      expect(await stillServes(api)).toBe(true);
    });

    test.each([17 * 1024, 100 * 1024, 1024 ** 2])('of %i bytes are too large', async (length) => {
      const answer = await exchange(
        api.app.baseUrl,
        `${get}Host: a\r\nX-A: ${'b'.repeat(length)}\r\n\r\n`,
      );
      expect(outcomeOf(answer)).toEqual({ ...wrong(null), status: 431 });
      expect(errorOf(answer).message).toMatch(/headers .* too large: .* 16384 bytes/);
      expect(await stillServes(api)).toBe(true);
    });

    test('that expect the unknown are answered as if they did not', async () => {
      const text = `${get}Host: a\r\nExpect: a-miracle\r\n${key()}\r\n`;
      expect(await exchange(api.app.baseUrl, text)).toMatchObject({ status: 200 });
    });
  });

  test('an address may be given whole, as proxies do', async () => {
    const key = `Authorization: Bearer ${api.user.apiKey}\r\n`;
    for (const address of ['http://a/v1/models?b=c', 'HTTPS://a:8080/v1/models']) {
      const text = `GET ${address} HTTP/1.1\r\nHost: a\r\n${key}\r\n`;
      expect(await exchange(api.app.baseUrl, text)).toMatchObject({ status: 200 });
    }
    const asterisk = await exchange(api.app.baseUrl, 'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n');
    expect(outcomeOf(asterisk)).toMatchObject({ status: 404, code: 'not_found' });
  });

  test('a request behind one that is refused so is not acted upon', async () => {
    const spender = await api.app.addUser();
    const wish = { model: 'gen-image-2', prompt: 'a fox' };
    const body = JSON.stringify(wish);
    const connection = await RawConnection.open(api.app.baseUrl);
    connection.send(
      `${get}Host: a\r\nHost: b\r\n\r\n` +
        `${post}Authorization: Bearer ${spender.apiKey}\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${body.length}\r\n\r\n${body}`,
    );
    expect(outcomeOf(await connection.answer())).toEqual(wrong(null));
    await connection.closed();
    expect(connection.received).toBe('');
    const served = await answerOf(await api.app.post(generation.path, spender, wish));
    expect(served.status).toBe(200);
    const { kysely } = api.app.database;
    const holds = await kysely.selectFrom('holds').select('user_id').execute();
    expect(holds.filter(({ user_id: userId }) => userId === spender.id)).toHaveLength(1);
  });

  test('a broken request closes its connection', async () => {
    const connection = await RawConnection.open(api.app.baseUrl);
    connection.send('HELLO\r\n\r\n');
    expect(await connection.answer()).toMatchObject({ status: 400 });
    await connection.closed();
  });
});

async function stillServes(api: Api): Promise<boolean> {
  return (await api.get('/v1/models')).status === 200;
}
