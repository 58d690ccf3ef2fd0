import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { type Clock, systemClock } from './clock.ts';
import { createSafeFetch, type ResolveHost } from './safe-fetch.ts';
import { ServiceError } from './service-error.ts';

const param = 'images[0].image_url';
const loopback = ['127.0.0.1'];
const picture = Buffer.from('pretend these are the bytes of a picture');

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0)) await cleanUp();
});

describe('a picture that may be fetched', () => {
  test('comes as its bytes, asked for politely', async () => {
    const server = await serve((_request, response) => response.end(picture));
    const bytes = await fetchLocal(`${server.url}/cat.png?token=1`);
    expect(bytes.equals(picture)).toBe(true);
    expect(server.requests).toMatchObject([
      { url: '/cat.png?token=1', headers: { 'accept-encoding': 'identity' } },
    ]);
    expect(server.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  test('may be reached through three redirects of any kind', async () => {
    const server = await serve((request, response) => {
      const step = Number(request.url?.slice(1));
      if (step === 3) response.end(picture);
      else redirect(response, `/${step + 1}`, [301, 303, 307][step]);
    });
    expect((await fetchLocal(`${server.url}/0`)).equals(picture)).toBe(true);
    expect(server.requests).toHaveLength(4);
  });

  test('may have exactly as many bytes as allowed', async () => {
    const server = await serve((_request, response) => response.end(picture));
    const bytes = await fetchLocal(server.url, { bytesMax: picture.length });
    expect(bytes).toHaveLength(picture.length);
  });

  test('may come in single bytes', async () => {
    const server = await serve((_request, response) => {
      for (const byte of picture) response.write(Buffer.of(byte));
      response.end();
    });
    expect((await fetchLocal(server.url)).equals(picture)).toBe(true);
  });

  test('may stand on a host that the operator named', async () => {
    const server = await serve((_request, response) => response.end(picture));
    const { fetchImage } = createSafeFetch({
      clock: systemClock,
      allowedPrivate: ['minio.internal'],
      resolve: answers('127.0.0.1'),
    });
    const bytes = await fetchImage(`http://minio.internal:${server.port}/`, { param });
    expect(bytes.equals(picture)).toBe(true);
  });
});

describe('an answer that is no picture', () => {
  test.each<[string, RequestListener]>([
    ['is not found', (_request, response) => response.writeHead(404).end(picture)],
    ['has no content', (_request, response) => response.writeHead(204).end()],
    ['is partial', (_request, response) => response.writeHead(206).end(picture)],
    ['is an error without an end', (_request, response) => response.writeHead(500).write('x')],
    ['is gzipped', encoded('gzip', gzipSync(picture))],
    ['is brotli', encoded('br', brotliCompressSync(picture))],
    ['claims two encodings', encoded('identity, gzip', picture)],
    ['announces too many bytes', (_request, response) => pour(response, 1001, true)],
    ['has one byte too many', (_request, response) => pour(response, 1001, false)],
    ['never ends', (_request, response) => pour(response, 1_000_000_000, false)],
    ['is cut short', (_request, response) => cutShort(response)],
    ['is not HTTP', (request) => request.socket.end('SSH-2.0-OpenSSH_9.2\r\n')],
    ['has huge headers', (_request, response) => hugeHeaders(response)],
    ['is a redirect to nowhere', (_request, response) => response.writeHead(302).end()],
    ['redirects for ever', (_request, response) => redirect(response, '/again')],
    ['redirects to a file', (_request, response) => redirect(response, 'file:///etc/passwd')],
    ['redirects to a data URL', (_request, response) => redirect(response, 'data:,x')],
    [
      'redirects with a password',
      (_request, response) => redirect(response, 'http://a:b@c.example/'),
    ],
    [
      'redirects without an end',
      (_request, response) => {
        response.writeHead(302, { location: 'ftp://a.example/' }).write('x');
      },
    ],
  ])('is refused when it %s', async (_name, answer) => {
    const server = await serve(answer);
    await expect(fetchLocal(server.url, { bytesMax: 1000 })).rejects.toThrow(refusal);
  });

  test('is refused after three redirects, without a fifth request', async () => {
    const server = await serve((_request, response) => redirect(response, '/again'));
    await expect(fetchLocal(server.url)).rejects.toThrow(refusal);
    expect(server.requests).toHaveLength(4);
  });

  test('is refused when its time is over, whatever it waits for', async () => {
    const waiting: [string, RequestListener][] = [
      ['headers', () => {}],
      ['the body', (_request, response) => response.write('x')],
    ];
    for (const [what, answer] of waiting) {
      const asked = Promise.withResolvers<void>();
      const server = await serve((request, response) => {
        answer(request, response);
        asked.resolve();
      });
      const clock = new ManualClock();
      const fetched = fetchLocal(server.url, { clock });
      const refused = expect(fetched, what).rejects.toThrow(refusal);
      await asked.promise;
      clock.advance(10_000);
      await refused;
    }
  });

  test('is refused when DNS does not answer in time', async () => {
    const clock = new ManualClock();
    const asked = Promise.withResolvers<void>();
    const resolve: ResolveHost = () => {
      asked.resolve();
      return new Promise(() => {});
    };
    const { fetchImage } = createSafeFetch({ clock, resolve });
    const refused = expect(fetchImage('http://slow.example/', { param })).rejects.toThrow(refusal);
    await asked.promise;
    clock.advance(10_000);
    await refused;
  });

  test('is not waited for when the caller is gone', async () => {
    const caller = new AbortController();
    const gone = new Error('the caller is gone');
    const server = await serve(() => caller.abort(gone));
    await expect(fetchLocal(server.url, { signal: caller.signal })).rejects.toBe(gone);
    await expect(fetchLocal(server.url, { signal: caller.signal })).rejects.toBe(gone);
    expect(server.requests).toHaveLength(1);
  });
});

describe('an address that is not public', () => {
  const spellings = [
    ...['127.0.0.1', '127.0.0.2', '127.1', '127.0.1', '2130706433', '0x7f000001', '0x7f.0.0.1'],
    ...['0177.0.0.1', '017700000001', '0x7f.1', '127.0.0.1.', '0', '0.0.0.0', '0x0'],
    ...[
      '１２７.０.０.１',
      '①②⑦.⓪.⓪.①',
      '127。0。0。1',
      '%31%32%37.0.0.1',
      '127.0.0.0x1',
      '127.00.00.01',
    ],
    ...['[::1]', '[::]', '[0:0:0:0:0:0:0:1]', '[0000::0001]', '[::127.0.0.1]', '[::7f00:1]'],
    ...['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[0:0:0:0:0:ffff:7f00:1]', '[::ffff:0:7f00:1]'],
    ...['[64:ff9b::7f00:1]', '[64:ff9b::127.0.0.1]', '[64:ff9b:1::7f00:1]', '[2002:7f00:1::]'],
    ...[
      '[2001:0:7f00:1::]',
      '[2001::80ff:fffe]',
      '[fe80::1]',
      '[fec0::1]',
      '[fc00::1]',
      '[fd12::1]',
    ],
    ...['[ff02::1]', '[100::1]', '[2001:db8::1]', '[3fff::1]', '[5f00::1]', '[4000::1]'],
    ...[
      '10.0.0.1',
      '10.1',
      '0xa000001',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.0.1',
      '192.168.1',
    ],
    ...[
      '100.64.0.1',
      '169.254.169.254',
      '0xa9fea9fe',
      '2852039166',
      '169.254.170.2',
      '168.63.129.16',
    ],
    ...['100.100.100.200', '192.0.0.192', '192.0.2.1', '198.18.0.1', '198.51.100.1', '203.0.113.1'],
    ...['192.88.99.1', '224.0.0.1', '239.1.1.1', '240.0.0.1', '255.255.255.255'],
  ];

  test.each(spellings)('is refused without a connection, spelled %s', async (host) => {
    const server = await serve((_request, response) => response.end(picture));
    const resolved: string[] = [];
    const { fetchImage } = createSafeFetch({
      clock: systemClock,
      // A name never resolves here, so whatever gets through would have to be an address.
      resolve: async (name) => {
        resolved.push(name);
        return [{ address: '127.0.0.1', family: 4 }];
      },
    });
    const fetched = fetchImage(`http://${host}:${server.port}/`, { param });
    await expect(fetched).rejects.toThrow(refusal);
    expect(server.connections()).toBe(0);
  });

  test.each([
    ['is loopback', ['127.0.0.1']],
    ['is private', ['10.0.0.7']],
    ['is IPv6 only', ['::1']],
    ['is mapped', ['::ffff:127.0.0.1']],
    ['has a zone', ['fe80::1%lo']],
    ['mixes good and bad', ['93.184.216.34', '127.0.0.1']],
    ['mixes bad and good', ['127.0.0.1', '93.184.216.34']],
    ['is nonsense', ['localhost']],
    ['is empty', []],
  ])('is refused when the answer of DNS %s', async (_name, addresses) => {
    const server = await serve((_request, response) => response.end(picture));
    const { fetchImage } = createSafeFetch({ clock: systemClock, resolve: answers(...addresses) });
    const fetched = fetchImage(`http://pictures.example:${server.port}/`, { param });
    await expect(fetched).rejects.toThrow(refusal);
    expect(server.connections()).toBe(0);
  });

  test('is refused for localhost as this machine resolves it', async () => {
    const server = await serve((_request, response) => response.end(picture));
    const { fetchImage } = createSafeFetch({ clock: systemClock });
    for (const host of ['localhost', 'LOCALHOST', 'localhost.']) {
      const fetched = fetchImage(`http://${host}:${server.port}/`, { param });
      await expect(fetched, host).rejects.toThrow(refusal);
    }
    expect(server.connections()).toBe(0);
  });

  test('is resolved once, so that a second answer cannot differ', async () => {
    const server = await serve((_request, response) => response.end(picture));
    let asked = 0;
    const { fetchImage } = createSafeFetch({
      clock: systemClock,
      allowedPrivate: loopback,
      resolve: async () => {
        asked++;
        return [{ address: asked === 1 ? '127.0.0.1' : '10.0.0.1', family: 4 }];
      },
    });
    await fetchImage(`http://pictures.example:${server.port}/`, { param });
    expect(asked).toBe(1);
  });

  test.each([301, 302, 303, 307, 308])('is refused behind a redirect %i', async (status) => {
    const hidden = await serve((_request, response) => response.end(picture));
    const target = `http://[::ffff:127.0.0.1]:${hidden.port}/`;
    const server = await serve((_request, response) => redirect(response, target, status));
    await expect(fetchLocal(server.url)).rejects.toThrow(refusal);
    expect(server.requests).toHaveLength(1);
    expect(hidden.connections()).toBe(0);
  });

  test('is refused with the same words whether something listens there or not', async () => {
    const server = await serve((_request, response) => response.end(picture));
    const { fetchImage } = createSafeFetch({ clock: systemClock });
    const closed = await serve(() => {});
    await closed.close();
    const messages = new Set<string>();
    for (const url of [
      server.url,
      `http://127.0.0.1:${closed.port}/`,
      'http://10.255.255.1/',
      'http://nowhere.invalid/',
      'ftp://example.com/',
      'nonsense',
    ]) {
      const error: unknown = await fetchImage(url, { param }).catch((thrown: unknown) => thrown);
      if (!(error instanceof ServiceError)) throw error;
      messages.add(`${error.code} ${error.param} ${error.message}`);
    }
    expect([...messages]).toHaveLength(1);
    const [message] = messages;
    expect(message).toMatch(/^invalid_request_error images\[0\]\.image_url /);
    const open = await fetchLocal(`http://127.0.0.1:${closed.port}/`).catch((thrown) => thrown);
    expect(message).toContain(open.message);
  });
});

test.each([
  ...[
    '',
    'nonsense',
    '/etc/passwd',
    '//example.com/a.png',
    'file:///etc/passwd',
    'ftp://a.example/',
  ],
  ...[
    'gopher://a.example/',
    'javascript:alert(1)',
    'data:image/png;base64,AAAA',
    'blob:x',
    'http:',
  ],
  ...[
    'http://',
    'http:/127.0.0.1/',
    'http:127.0.0.1',
    'http:\\\\127.0.0.1/',
    'http://user@a.example/',
  ],
  ...['http://user:pass@a.example/', 'http://a.example\\@127.0.0.1/', 'http://a.example /x'],
  ...[
    'ht\ntp://127.0.0.1/',
    'http://127.0.\t0.1/',
    ' http://127.0.0.1/',
    'http://a.example:99999/',
  ],
  ...['http://[::1/', 'http://256.1.1.1/', 'http://1.2.3.4.5/', 'http://0x7g.1/', 'http://a..b/\0'],
  `http://a.example/${'x'.repeat(9000)}`,
])('is not a URL to fetch: %j', async (url) => {
  const { fetchImage } = createSafeFetch({
    clock: systemClock,
    allowedPrivate: ['127.0.0.0/8'],
    resolve: async () => [],
  });
  await expect(fetchImage(url, { param })).rejects.toThrow(refusal);
});

const refusal = expect.objectContaining({
  name: 'ServiceError',
  code: 'invalid_request_error',
  param,
  message: expect.stringMatching(/^images\[0\]\.image_url could not be fetched\. /),
});

interface LocalOptions {
  clock?: Clock;
  bytesMax?: number;
  signal?: AbortSignal;
}

/** Fetches with loopback allowed, so that the test's own servers can be reached. */
function fetchLocal(url: string, options: LocalOptions = {}): Promise<Buffer> {
  const { clock = systemClock, ...rest } = options;
  return createSafeFetch({ clock, allowedPrivate: loopback }).fetchImage(url, { param, ...rest });
}

function answers(...addresses: string[]): ResolveHost {
  return async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
}

async function serve(answer: RequestListener) {
  const requests: { url: string | undefined; headers: object }[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    requests.push({ url: request.url, headers: request.headers });
    answer(request, response);
  });
  server.on('connection', () => connections++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A listening TCP server's address is never a string.
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  cleanups.push(close);
  return { url: `http://127.0.0.1:${port}`, port, requests, connections: () => connections, close };
}

function redirect(response: ServerResponse, location: string, status = 302): void {
  response.writeHead(status, { location }).end();
}

function encoded(encoding: string, body: Buffer): RequestListener {
  return (_request, response) => {
    response.writeHead(200, { 'content-encoding': encoding }).end(body);
  };
}

/** Sends `length` bytes as fast as they are taken. */
function pour(response: ServerResponse, length: number, announced: boolean): void {
  if (announced) response.setHeader('content-length', length);
  const block = Buffer.alloc(64 * 1024);
  let left = length;
  const more = () => {
    while (left > 0 && !response.destroyed) {
      const piece = block.subarray(0, Math.min(left, block.length));
      left -= piece.length;
      if (!response.write(piece)) {
        response.once('drain', more);
        return;
      }
    }
    response.end();
  };
  response.on('error', () => {});
  more();
}

function cutShort(response: ServerResponse): void {
  response.writeHead(200, { 'content-length': 500 });
  response.write('only this', () => response.destroy());
}

function hugeHeaders(response: ServerResponse): void {
  response.writeHead(200, { 'x-filling': 'x'.repeat(20_000) }).end(picture);
}
