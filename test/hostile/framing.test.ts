/** Requests byte by byte: every one is answered in JSON or well served, and nothing is smuggled. */
import { describe, expect, test } from 'vitest';
import { type Api, outcomeOf, wrong } from '../support/callers/api.ts';
import { exchange, RawConnection } from '../support/callers/raw-http.ts';
import { generation } from '../support/callers/ways-to-ask.ts';
import { brokenChunks, brokenHeads, doubtfulLengths, framingCanary } from './framing-cases.ts';
import { describeOnSqlite } from './on-sqlite.ts';

const get = 'GET /v1/models HTTP/1.1\r\n';
const post = `POST ${generation.path} HTTP/1.1\r\nHost: a\r\n`;

describeOnSqlite((api) => {
  const key = () => `Authorization: Bearer ${api.user.apiKey}\r\n`;
  const goodGet = () => `${get}Host: a\r\n${key()}\r\n`;

  describe('a body whose end is in doubt', () => {
    test.each(doubtfulLengths)(
      'by %s is refused, with all that follows it',
      async (_what, bytes) => {
        const signed = bytes.replace('Host: a\r\n', `Host: a\r\n${key()}`);
        expect(await refusalOf(api, `${signed}${goodGet()}`)).toEqual(refused);
      },
    );
  });

  describe('a chunk', () => {
    test.each(brokenChunks)(
      'with %s is refused, with all that follows it',
      async (_what, chunks) => {
        const head = `${post}${key()}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
        expect(await refusalOf(api, `${head}${chunks}${goodGet()}`)).toEqual(refused);
      },
    );

    test('that is broken after the request was refused does not bring a second answer', async () => {
      const connection = await RawConnection.open(api.app.baseUrl);
      connection.send(`${post}Transfer-Encoding: chunked\r\n\r\n`);
      expect(await connection.answer()).toMatchObject({ status: 401 });
      connection.send(`zz\r\n${goodGet()}`);
      await connection.closed();
      expect(connection.received).toBe('');
    });
  });

  describe('a head', () => {
    test.each(brokenHeads)('with %s is refused, with all that follows it', async (_what, bytes) => {
      expect(await refusalOf(api, `${bytes}${goodGet()}`)).toEqual(refused);
    });
  });

  describe('what is unusual but right', () => {
    test.each([
      ['empty lines first', (good: string) => `\r\n\r\n${good}`],
      ['two spaces before the address', (good: string) => good.replace(' /', '  /')],
      ['a port in Host', (good: string) => good.replace('Host: a', 'Host: a:8080')],
      ['an IPv6 address as Host', (good: string) => good.replace('Host: a', 'Host: [::1]:80')],
      ['an empty Host', (good: string) => good.replace('Host: a', 'Host: ')],
      ['spaces around a value', (good: string) => good.replace('Host: a', 'Host: \t a \t ')],
      ['names in capitals', (good: string) => good.replace('Host', 'HOST')],
      ['the whole address', (good: string) => good.replace(' /', ' http://A/')],
      ['HTTP/1.0 without Host', (good: string) => good.replace('1.1\r\nHost: a', '1.0')],
      ['letters beyond ASCII', (good: string) => good.replace('Host', 'X-A: \xe4\r\nHost')],
      [
        'a wish for another protocol',
        (good: string) =>
          good.replace(
            'Host',
            'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\nHost',
          ),
      ],
      [
        'a WebSocket',
        (good: string) => good.replace('Host', 'Connection: Upgrade\r\nUpgrade: websocket\r\nHost'),
      ],
      [
        'an unknown expectation',
        (good: string) => good.replace('Host', 'Expect: a-miracle\r\nHost'),
      ],
      ['the length 0', (good: string) => good.replace('Host', 'Content-Length: 0\r\nHost')],
      [
        'a body nobody reads',
        (good: string) => `${good.replace('Host', 'Content-Length: 5\r\nHost')}abcde`,
      ],
    ])('such as %s is served', async (_what, change) => {
      const bytes = Buffer.from(change(goodGet()), 'latin1');
      expect(await exchange(api.app.baseUrl, bytes)).toMatchObject({ status: 200 });
    });

    test.each([
      ['a size with zeros before it', '0002\r\n{}\r\n0\r\n\r\n'],
      ['an extension', '2;a=b;c="d"\r\n{}\r\n0\r\n\r\n'],
      ['capitals', '000000A\r\n{        }\r\n0\r\n\r\n'],
      ['a trailer', '2\r\n{}\r\n0\r\nX-A: b\r\n\r\n'],
    ])('such as chunks with %s are read', async (_what, chunks) => {
      const head = `${post}${key()}Content-Type: application/json\r\nTransfer-Encoding: Chunked\r\n\r\n`;
      const answer = await exchange(api.app.baseUrl, `${head}${chunks}`);
      expect(outcomeOf(answer)).toEqual(wrong('model'));
    });
  });

  describe('a method', () => {
    test.each([
      ['TRACE', '/v1/models', 405],
      ['DELETE', '/v1/models', 405],
      ['PROPFIND', '/v1/models', 405],
      ['TRACE', '/', 404],
      ['OPTIONS', '*', 404],
    ])('%s of %s is answered %i', async (method, path, status) => {
      const bytes = `${method} ${path} HTTP/1.1\r\nHost: a\r\nX-A: ${framingCanary}\r\n\r\n`;
      const answer = await exchange(api.app.baseUrl, bytes);
      expect(outcomeOf(answer).status).toBe(status);
      expect(answer.text).not.toContain(framingCanary);
    });

    test.each(['a:443', 'a', '127.0.0.1:22', '/v1/models'])(
      'CONNECT to %s opens nothing',
      async (to) => {
        const connection = await RawConnection.open(api.app.baseUrl);
        connection.send(`CONNECT ${to} HTTP/1.1\r\nHost: a\r\n\r\n${goodGet()}`);
        const answer = await connection.answer();
        expect([400, 405]).toContain(outcomeOf(answer).status);
        await connection.closed();
        expect(connection.received).toBe('');
      },
    );
  });

  describe('several requests at once', () => {
    const slow = () => generationBytes(key(), 'a fox [[actual=32x32]] [[delay=300ms]]');

    test('are answered in their order', async () => {
      const connection = await RawConnection.open(api.app.baseUrl);
      connection.send(slow() + goodGet() + `${get}Host: a\r\n\r\n`);
      expect(await connection.answer()).toMatchObject({
        status: 200,
        body: { usage: { images: 1 } },
      });
      expect(await connection.answer()).toMatchObject({ status: 200, body: { object: 'list' } });
      expect(outcomeOf(await connection.answer()).status).toBe(401);
      connection.close();
    });

    test.each([
      ['not HTTP', `${framingCanary}\r\n\r\n`],
      ['of two lengths', `${post}Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcde`],
      ['of too many bytes of headers', `${get}X-A: ${'b'.repeat(20_000)}\r\n\r\n`],
      ['without a Host', `${get}\r\n`],
      ['a tunnel', 'CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n'],
    ])('of which one is %s are answered up to that one', async (_what, bytes) => {
      const user = await api.app.addUser();
      const connection = await RawConnection.open(api.app.baseUrl);
      const mine = generationBytes(
        `Authorization: Bearer ${user.apiKey}\r\n`,
        'a fox [[actual=32x32]] [[delay=300ms]]',
      );
      connection.send(mine + goodGet() + bytes + goodGet());
      expect(await connection.answer()).toMatchObject({
        status: 200,
        body: { usage: { images: 1 } },
      });
      expect(await connection.answer()).toMatchObject({ status: 200, body: { object: 'list' } });
      expect([400, 405, 431]).toContain(outcomeOf(await connection.answer()).status);
      await connection.closed();
      expect(connection.received).toBe('');
    });

    test('do not hold up other clients', async () => {
      const [connection, other] = await Promise.all([
        RawConnection.open(api.app.baseUrl),
        RawConnection.open(api.app.baseUrl),
      ]);
      connection.send('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(1_500));
      other.send('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
      expect(await other.answer()).toMatchObject({ status: 200 });
      // Not behind all of them.
      expect(connection.received.split('HTTP/1.1 200').length - 1).toBeLessThan(1_500);
      for (let count = 0; count < 1_500; count++) {
        expect(await connection.answer()).toMatchObject({ status: 200 });
      }
      connection.close();
      other.close();
    });

    test('that are never read do not grow', async () => {
      const connection = await RawConnection.open(api.app.baseUrl);
      for (let count = 0; count < 2_000; count++) connection.send(goodGet());
      for (let count = 0; count < 2_000; count++) {
        expect(await connection.answer()).toMatchObject({ status: 200 });
      }
      connection.close();
    });
  });
});

function generationBytes(key: string, prompt: string): string {
  const body = JSON.stringify({ model: 'gen-image-2.5-flare', prompt });
  return `${post}${key}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

/** What `refusalOf` answers where everything is in order. */
const refused = { code: 'invalid_request_error', isRefused: true, isRepeated: false, rest: '' };

/** One error in the documented form, then the end of the connection; `rest` is what came behind it. */
async function refusalOf({ app }: Api, bytes: string) {
  const connection = await RawConnection.open(app.baseUrl);
  connection.send(Buffer.from(bytes, 'latin1'));
  const answer = await connection.answer();
  const { status, code } = outcomeOf(answer);
  await connection.closed();
  return {
    code,
    isRefused: [400, 413, 431].includes(status),
    isRepeated: answer.text.includes(framingCanary),
    rest: connection.received,
  };
}
