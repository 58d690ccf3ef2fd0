import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import {
  answersOfDns,
  errorOf,
  fetchLocal,
  fetchRefused,
  param,
  redirect,
  serveToFetch,
} from '../../../test/support/callers/fetching.ts';
import { systemClock } from '../clock.ts';
import { createSafeFetch } from './safe-fetch.ts';

const anything: RequestListener = (_request, response) => response.end('anything');

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
    const server = await serveToFetch(anything);
    const resolved: string[] = [];
    const { fetchImage } = createSafeFetch({
      clock: systemClock,
      // A name never resolves here, so whatever gets through would have to be an address.
      resolve: async (name) => {
        resolved.push(name);
        return [{ address: '127.0.0.1', family: 4 }];
      },
    });
    const fetched = fetchImage(`http://${host}:${server.port}/`, { param, bytesMax: 1000 });
    await expect(fetched).rejects.toThrow(fetchRefused);
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
    const server = await serveToFetch(anything);
    const { fetchImage } = createSafeFetch({
      clock: systemClock,
      resolve: answersOfDns(...addresses),
    });
    const fetched = fetchImage(`http://pictures.example:${server.port}/`, {
      param,
      bytesMax: 1000,
    });
    await expect(fetched).rejects.toThrow(fetchRefused);
    expect(server.connections()).toBe(0);
  });

  test('is refused for localhost as this machine resolves it', async () => {
    const server = await serveToFetch(anything);
    const { fetchImage } = createSafeFetch({ clock: systemClock });
    for (const host of ['localhost', 'LOCALHOST', 'localhost.']) {
      const fetched = fetchImage(`http://${host}:${server.port}/`, { param, bytesMax: 1000 });
      await expect(fetched, host).rejects.toThrow(fetchRefused);
    }
    expect(server.connections()).toBe(0);
  });

  test('is resolved once, so that a second answer cannot differ', async () => {
    const server = await serveToFetch(anything);
    let asked = 0;
    const { fetchImage } = createSafeFetch({
      clock: systemClock,
      allowedPrivate: ['127.0.0.1'],
      resolve: async () => {
        asked++;
        return [{ address: asked === 1 ? '127.0.0.1' : '10.0.0.1', family: 4 }];
      },
    });
    await fetchImage(`http://pictures.example:${server.port}/`, { param, bytesMax: 1000 });
    expect(asked).toBe(1);
  });

  test.each([301, 302, 303, 307, 308])('is refused behind a redirect %i', async (status) => {
    const hidden = await serveToFetch(anything);
    const target = `http://[::ffff:127.0.0.1]:${hidden.port}/`;
    const server = await serveToFetch((_request, response) => redirect(response, target, status));
    await expect(fetchLocal(server.url)).rejects.toThrow(fetchRefused);
    expect(server.requests).toHaveLength(1);
    expect(hidden.connections()).toBe(0);
  });

  test('is refused with the same words whether something listens there or not', async () => {
    const server = await serveToFetch(anything);
    const { fetchImage } = createSafeFetch({ clock: systemClock });
    const closed = await serveToFetch(() => {});
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
      const error = await errorOf(fetchImage(url, { param, bytesMax: 1000 }));
      messages.add(`${error?.code} ${error?.param} ${error?.message}`);
    }
    expect([...messages]).toHaveLength(1);
    const [message] = messages;
    expect(message).toMatch(/^invalid_request_error images\[0\]\.image_url /);
    const allowed = await errorOf(fetchLocal(`http://127.0.0.1:${closed.port}/`));
    expect(message).toContain(allowed?.message);
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
  await expect(fetchImage(url, { param, bytesMax: 1000 })).rejects.toThrow(fetchRefused);
});
