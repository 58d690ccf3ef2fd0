import dns from 'node:dns';
import { once } from 'node:events';
import * as tls from 'node:tls';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocketServer } from 'ws';
import { answersOfDns } from '../../../test/support/callers/fetching.ts';
import { patience } from '../../../test/support/patience.ts';
import { localhostCertificate } from '../../../test/support/services/localhost-certificate.ts';
import {
  type Answerer,
  bytesOf,
  closedPort,
  noSignal,
  openTestHttp,
  serve,
  serveRaw,
  startProxy,
} from '../../../test/support/services/outgoing.ts';

const authorities = tls.getCACertificates();
beforeAll(() => tls.setDefaultCACertificates([...authorities, localhostCertificate.cert]));
afterAll(() => tls.setDefaultCACertificates(authorities));

const give: Answerer = (_request, response) => response.end('the answer');
const resolve = answersOfDns('93.184.216.34');

describe('through a proxy', () => {
  test.each([
    ['http', false],
    ['https', true],
  ])('a request goes by a tunnel (%s)', async (_name, isTls) => {
    const service = await serve(give, { tls: isTls });
    const target = new URL(service.origin).host;
    const proxy = await startProxy({ [target]: service.port });
    const http = openTestHttp(service.origin, { proxy: proxy.url });
    const headers = { authorization: 'Bearer abc' };
    const url = new URL('/v1', service.origin);
    const body = Buffer.alloc(100_000);
    const answer = await http.send({ method: 'POST', url, headers, body }, noSignal);
    expect((await bytesOf(answer)).toString()).toBe('the answer');
    expect(proxy.tunnels).toEqual([{ target, authorization: undefined }]);
    expect(service.requests).toMatchObject([{ url: '/v1', headers }]);
    expect(service.requests[0]?.body).toHaveLength(100_000);
  });

  test('the proxy alone is told its name and password', async () => {
    const service = await serve(give);
    const target = `127.0.0.1:${service.port}`;
    const proxy = await startProxy({ [target]: service.port });
    const url = proxy.url.replace('//', '//us%40er:pass%3Aword@');
    const http = openTestHttp(service.origin, { proxy: url });
    await bytesOf(await http.send({ method: 'GET', url: new URL(service.origin) }, noSignal));
    const authorization = `Basic ${Buffer.from('us@er:pass:word').toString('base64')}`;
    expect(proxy.tunnels).toEqual([{ target, authorization }]);
    expect(service.requests[0]?.headers).not.toHaveProperty('proxy-authorization');
  });

  test('the name of the proxy is looked up with all who wait for it, and not once more', async () => {
    const service = await serve(give);
    const proxy = await startProxy({ [`127.0.0.1:${service.port}`]: service.port });
    // What a connection does unless it is given another way.
    const lookUp = vi.spyOn(dns, 'lookup');
    onTestFinished(() => lookUp.mockRestore());
    const http = openTestHttp(service.origin, {
      proxy: proxy.url.replace('127.0.0.1', 'localhost'),
    });
    await bytesOf(await http.send({ method: 'GET', url: new URL(service.origin) }, noSignal));
    expect(proxy.tunnels).toHaveLength(1);
    expect(lookUp).not.toHaveBeenCalled();
  });

  test.each([
    [
      'cannot be reached (ECONNREFUSED)',
      'is not there',
      async () => `http://127.0.0.1:${await closedPort()}`,
    ],
    ['answered 502', 'refuses', async () => (await startProxy({})).url],
    [
      'answered 407',
      'wants another password',
      async () => {
        const answer = 'HTTP/1.1 407 Proxy Authentication Required\r\n\r\n';
        return (await serveRaw((socket) => socket.once('data', () => socket.end(answer)))).origin;
      },
    ],
  ])('there is no connection, because the proxy %s, when it %s', async (words, _what, open) => {
    const service = await serve(give);
    const http = openTestHttp(service.origin, { proxy: await open() });
    const sent = http.send({ method: 'GET', url: new URL(service.origin) }, noSignal);
    await expect(sent).rejects.toMatchObject({
      problem: 'connect',
      message: `the proxy ${words}`,
    });
    expect(service.connections()).toBe(0);
  });

  test('there is no connection when the proxy hangs up', async () => {
    const proxy = await serveRaw((socket) => socket.once('data', () => socket.destroy()));
    const http = openTestHttp('http://service.example', { proxy: proxy.origin });
    const url = new URL('http://service.example');
    const sent = http.send({ method: 'GET', url }, noSignal);
    await expect(sent).rejects.toMatchObject({ problem: 'connect' });
  });

  test('a proxy that says nothing is not awaited once the caller is gone', async () => {
    const reason = new Error('the caller is gone');
    const controller = new AbortController();
    const proxy = await serveRaw((socket) => {
      socket.once('data', () => controller.abort(reason));
    });
    const http = openTestHttp('http://service.example', { proxy: proxy.origin });
    const url = new URL('http://service.example');
    const sent = http.send({ method: 'GET', url }, controller.signal);
    await expect(sent).rejects.toBe(reason);
  });

  test('the time limits are those of the service', async () => {
    const service = await serve(({ url }, response) => {
      if (url === '/silent') response.write('part');
    });
    const proxy = await startProxy({ [`127.0.0.1:${service.port}`]: service.port });
    const limits = { firstByteMs: 100, idleMs: 100 };
    const http = openTestHttp(service.origin, { proxy: proxy.url, ...limits });
    for (const path of ['/mute', '/silent']) {
      const url = new URL(path, service.origin);
      const read = http.send({ method: 'GET', url }, noSignal).then(bytesOf);
      await expect(read, path).rejects.toMatchObject({ problem: 'slow' });
    }
  });

  test('an abort reaches the service', async () => {
    const reason = new Error('the caller is gone');
    const controller = new AbortController();
    const service = await serve(() => controller.abort(reason));
    const proxy = await startProxy({ [`127.0.0.1:${service.port}`]: service.port });
    const http = openTestHttp(service.origin, { proxy: proxy.url });
    const sent = http.send({ method: 'GET', url: new URL(service.origin) }, controller.signal);
    await expect(sent).rejects.toBe(reason);
    await expect.poll(service.open, patience).toBe(0);
  });

  test('a WebSocket goes by a tunnel', async () => {
    const service = await serve(give);
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    server.on('connection', (socket) => socket.send('hello'));
    await once(server, 'listening');
    const address = server.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    const proxy = await startProxy({ [`127.0.0.1:${service.port}`]: port });
    const http = openTestHttp(service.origin, { proxy: proxy.url });
    const controller = new AbortController();
    const url = new URL(`ws://127.0.0.1:${service.port}/`);
    const socket = await http.openSocket(url, { signal: controller.signal });
    const [served] = server.clients;
    const gone = served ? once(served, 'close') : null;
    controller.abort();
    await gone;
    expect(socket.readyState).toBe(socket.CLOSED);
    expect(proxy.tunnels).toHaveLength(1);
    server.close();
  });
});

describe('through a proxy, a download from elsewhere', () => {
  const wish = { signal: noSignal, bytesMax: 1_000, headers: { authorization: 'Bearer abc' } };

  test('of an https service is by https, to the name that was checked', async () => {
    const elsewhere = await serve(give, { tls: true });
    const proxy = await startProxy({ 'localhost:443': elsewhere.port });
    const http = openTestHttp('https://service.example', { proxy: proxy.url, resolve });
    expect((await http.download('https://localhost/a.png', wish)).toString()).toBe('the answer');
    expect(proxy.tunnels).toMatchObject([{ target: 'localhost:443' }]);
    expect(elsewhere.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  test('is not trusted under another name', async () => {
    const elsewhere = await serve(give, { tls: true });
    const proxy = await startProxy({ 'pictures.example:443': elsewhere.port });
    const http = openTestHttp('https://service.example', { proxy: proxy.url, resolve });
    const fetched = http.download('https://pictures.example/', wish);
    await expect(fetched).rejects.toMatchObject({ problem: 'connect' });
    expect(elsewhere.requests).toEqual([]);
  });

  test('never leaves https by a redirect', async () => {
    const elsewhere = await serve(
      (_request, response) => {
        response.writeHead(302, { location: 'http://service.example/' }).end();
      },
      { tls: true },
    );
    const proxy = await startProxy({ 'localhost:443': elsewhere.port });
    const http = openTestHttp('http://service.example', { proxy: proxy.url, resolve });
    const fetched = http.download('https://localhost/', wish);
    await expect(fetched).rejects.toMatchObject({ problem: 'forbidden' });
    expect(proxy.tunnels).toHaveLength(1);
  });

  test.each(['127.0.0.1', '127.1', '[::1]', '[::ffff:10.0.0.1]', '169.254.169.254'])(
    'is refused before the proxy hears of %s',
    async (host) => {
      const proxy = await startProxy({});
      const http = openTestHttp('http://service.example', { proxy: proxy.url });
      const fetched = http.download(`http://${host}/`, wish);
      await expect(fetched).rejects.toMatchObject({ problem: 'forbidden' });
      expect(proxy.tunnels).toEqual([]);
    },
  );

  test('is refused before the proxy hears of a name that is not public', async () => {
    const proxy = await startProxy({});
    const http = openTestHttp('http://service.example', {
      proxy: proxy.url,
      resolve: answersOfDns('93.184.216.34', '10.0.0.7'),
    });
    const fetched = http.download('http://pictures.example/', wish);
    await expect(fetched).rejects.toMatchObject({ problem: 'forbidden' });
    expect(proxy.tunnels).toEqual([]);
  });
});
