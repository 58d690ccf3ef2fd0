import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { answersOfDns } from '../../../test/support/callers/fetching.ts';
import { patience } from '../../../test/support/patience.ts';
import {
  type Answerer,
  noSignal,
  openTestHttp,
  serve,
  startProxy,
} from '../../../test/support/services/outgoing.ts';

const picture = Buffer.from('the picture itself');
const give: Answerer = (_request, response) => response.end(picture);
const wish = { signal: noSignal, bytesMax: 1_000, headers: { authorization: 'Bearer abc' } };
const forbidden = { name: 'OutgoingError', problem: 'forbidden' };

describe('a download from the service itself', () => {
  test('may be private and is sent the credential', async () => {
    const service = await serve(give);
    const bytes = await openTestHttp(service.origin).download(`${service.origin}/a.png?b`, wish);
    expect(bytes).toEqual(picture);
    expect(service.requests).toMatchObject([
      { method: 'GET', url: '/a.png?b', headers: { authorization: 'Bearer abc' } },
    ]);
  });

  test('follows three redirects and not a fourth', async () => {
    const service = await serve(({ url }, response) => {
      const left = Number(url.slice(1));
      if (left === 0) response.end(picture);
      else response.writeHead(302, { location: `/${left - 1}` }).end();
    });
    const http = openTestHttp(service.origin);
    expect(await http.download(`${service.origin}/3`, wish)).toEqual(picture);
    expect(service.requests).toHaveLength(4);
    await expect(http.download(`${service.origin}/4`, wish)).rejects.toMatchObject(forbidden);
    expect(service.requests).toHaveLength(8);
  });

  test.each([204, 206, 304, 401, 404, 500])('of status %i is none', async (status) => {
    const service = await serve((_request, response) => response.writeHead(status).end());
    const fetched = openTestHttp(service.origin).download(service.origin, wish);
    await expect(fetched).rejects.toMatchObject({ problem: 'status', status });
  });

  test('of a redirect to nowhere is none', async () => {
    const service = await serve((_request, response) => response.writeHead(302).end());
    const fetched = openTestHttp(service.origin).download(service.origin, wish);
    await expect(fetched).rejects.toMatchObject({ problem: 'status' });
  });

  test.each([
    ['announced', { 'content-length': '1001' }, Buffer.alloc(1)],
    ['not announced', {}, Buffer.alloc(1_001)],
    ['compressed', { 'content-encoding': 'gzip' }, gzipSync(Buffer.alloc(1_001))],
  ])('of a byte too many, %s, is none', async (_name, headers, body) => {
    const service = await serve((_request, response) => {
      response.writeHead(200, headers).write(body);
    });
    const fetched = openTestHttp(service.origin).download(service.origin, wish);
    await expect(fetched).rejects.toMatchObject({ problem: 'too_large' });
    await expect.poll(service.open, patience).toBe(0);
  });

  test.each([
    ['announced', { 'content-length': '1000' }, Buffer.alloc(1_000)],
    ['not announced', {}, Buffer.alloc(1_000)],
    ['compressed', { 'content-encoding': 'gzip' }, gzipSync(Buffer.alloc(1_000))],
  ])('of just as many bytes as allowed, %s, is whole', async (_name, headers, body) => {
    const service = await serve((_request, response) => {
      response.writeHead(200, headers).end(body);
    });
    const bytes = await openTestHttp(service.origin).download(service.origin, wish);
    expect(bytes).toEqual(Buffer.alloc(1_000));
  });

  test('ends with the caller, and so does the connection', async () => {
    const reason = new Error('the caller is gone');
    const controller = new AbortController();
    const service = await serve((_request, response) => {
      response.write('part', () => controller.abort(reason));
    });
    const { signal } = controller;
    const fetched = openTestHttp(service.origin).download(service.origin, { ...wish, signal });
    await expect(fetched).rejects.toBe(reason);
    await expect.poll(service.open, patience).toBe(0);
  });

  test('has the time limits of every answer', async () => {
    const service = await serve(({ url }, response) => {
      if (url === '/silent') response.write('part');
    });
    const http = openTestHttp(service.origin, { firstByteMs: 100, idleMs: 100 });
    for (const path of ['/mute', '/silent']) {
      const fetched = http.download(`${service.origin}${path}`, wish);
      await expect(fetched, path).rejects.toMatchObject({ problem: 'slow' });
    }
  });
});

describe('a download from elsewhere', () => {
  test.each([
    '127.0.0.1',
    '127.1',
    '0x7f000001',
    '2130706433',
    '０x7f.1',
    '0.0.0.0',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '10.0.0.1',
    '192.168.0.1',
    '169.254.169.254',
    '168.63.129.16',
    '[fe80::1]',
    '[fd00::1]',
    'localhost',
  ])('never goes to an address that is not public: %s', async (host) => {
    const service = await serve(give);
    const elsewhere = await serve(give);
    const http = openTestHttp(service.origin);
    const fetched = http.download(`http://${host}:${elsewhere.port}/`, wish);
    await expect(fetched).rejects.toMatchObject(forbidden);
    expect(elsewhere.connections()).toBe(0);
  });

  test.each([
    ['is private', ['10.0.0.7']],
    ['is loopback', ['127.0.0.1']],
    ['mixes good and bad', ['93.184.216.34', '127.0.0.1']],
    ['is of IPv6', ['::1']],
  ])('is refused when the answer of DNS %s', async (_name, addresses) => {
    const service = await serve(give);
    const elsewhere = await serve(give);
    const http = openTestHttp(service.origin, { resolve: answersOfDns(...addresses) });
    const fetched = http.download(`http://pictures.example:${elsewhere.port}/`, wish);
    await expect(fetched).rejects.toMatchObject(forbidden);
    expect(elsewhere.connections()).toBe(0);
  });

  test.each([
    ['has no answer', async () => []],
    ['fails', () => Promise.reject(new Error('DNS is down'))],
  ])('finds no connection when DNS %s', async (_name, resolve) => {
    const http = openTestHttp('https://service.example', { resolve });
    const fetched = http.download('https://pictures.example/', wish);
    await expect(fetched).rejects.toMatchObject({ problem: 'connect' });
  });

  test('does not await DNS once the caller is gone', async () => {
    const reason = new Error('the caller is gone');
    for (const proxy of [null, 'http://proxy.invalid']) {
      const controller = new AbortController();
      const resolve = () => {
        controller.abort(reason);
        return new Promise<never>(() => {});
      };
      const http = openTestHttp('https://service.example', { resolve, proxy });
      const { signal } = controller;
      const fetched = http.download('https://pictures.example/', { ...wish, signal });
      await expect(fetched).rejects.toBe(reason);
    }
  });

  test.each([
    'http://pictures.example/a.png',
    'http://service.example/a.png',
    'ftp://pictures.example/a.png',
    'data:image/png;base64,AAAA',
    'file:///etc/passwd',
    'https://user:password@pictures.example/',
    'https://pictures.example/a b',
    'https:\\\\pictures.example',
    '/a.png',
    '',
    `https://pictures.example/${'a'.repeat(9_000)}`,
  ])('of an https service is by https, plainly written: not %s', async (url) => {
    let asked = 0;
    const resolve = async () => {
      asked++;
      return [];
    };
    const http = openTestHttp('https://service.example', { resolve });
    await expect(http.download(url, wish)).rejects.toMatchObject(forbidden);
    expect(asked).toBe(0);
  });

  test.each([301, 302, 303, 307, 308])('behind a redirect %i is guarded alike', async (status) => {
    const hidden = await serve(give);
    const service = await serve((_request, response) => {
      response.writeHead(status, { location: `http://127.1:${hidden.port}/` }).end();
    });
    const fetched = openTestHttp(service.origin).download(service.origin, wish);
    await expect(fetched).rejects.toMatchObject(forbidden);
    expect(hidden.connections()).toBe(0);
  });

  test('gets no credential, keeps no connection, and may lead back to the service', async () => {
    const service = await serve(({ url }, response) => {
      if (url === '/back') response.end(picture);
      else response.writeHead(302, { location: 'http://pictures.example/a.png' }).end();
    });
    const elsewhere = await serve((_request, response) => {
      response.writeHead(307, { location: `${service.origin}/back` }).end();
    });
    const proxy = await startProxy({
      [`127.0.0.1:${service.port}`]: service.port,
      'pictures.example:80': elsewhere.port,
    });
    const resolve = answersOfDns('93.184.216.34');
    const http = openTestHttp(service.origin, { proxy: proxy.url, resolve });
    expect(await http.download(service.origin, wish)).toEqual(picture);
    expect(service.requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer abc',
      'Bearer abc',
    ]);
    expect(elsewhere.requests).toHaveLength(1);
    expect(elsewhere.requests[0]?.headers).not.toHaveProperty('authorization');
    expect(elsewhere.requests[0]?.headers.connection).toBe('close');
    await expect.poll(elsewhere.open, patience).toBe(0);
  });
});
