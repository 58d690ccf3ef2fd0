import type { RequestListener, ServerResponse } from 'node:http';
import * as tls from 'node:tls';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  answersOfDns,
  errorOf,
  fetchLocal,
  fetchRefused,
  param,
  redirect,
  serveToFetch,
} from '../../../test/support/callers/fetching.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { localhostCertificate } from '../../../test/support/services/localhost-certificate.ts';
import { serve } from '../../../test/support/services/outgoing.ts';
import { systemClock } from '../clock.ts';
import type { ResolveHost } from './guarded-address.ts';
import { createSafeFetch } from './safe-fetch.ts';

const picture = Buffer.from('pretend these are the bytes of a picture');

describe('a picture that may be fetched', () => {
  test('comes as its bytes, asked for politely', async () => {
    const server = await serveToFetch((_request, response) => response.end(picture));
    const bytes = await fetchLocal(`${server.url}/cat.png?token=1`);
    expect(bytes.equals(picture)).toBe(true);
    expect(server.requests).toMatchObject([
      { url: '/cat.png?token=1', headers: { 'accept-encoding': 'identity' } },
    ]);
    expect(server.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  test('may be reached through three redirects of any kind', async () => {
    const server = await serveToFetch((request, response) => {
      const step = Number(request.url?.slice(1));
      if (step === 3) response.end(picture);
      else redirect(response, `/${step + 1}`, [301, 303, 307][step]);
    });
    expect((await fetchLocal(`${server.url}/0`)).equals(picture)).toBe(true);
    expect(server.requests).toHaveLength(4);
  });

  test('may have exactly as many bytes as allowed', async () => {
    const server = await serveToFetch((_request, response) => response.end(picture));
    const bytes = await fetchLocal(server.url, { bytesMax: picture.length });
    expect(bytes).toHaveLength(picture.length);
  });

  test('may come in single bytes', async () => {
    const server = await serveToFetch((_request, response) => {
      for (const byte of picture) response.write(Buffer.of(byte));
      response.end();
    });
    expect((await fetchLocal(server.url)).equals(picture)).toBe(true);
  });

  test.each(['identity', 'Identity', ''])(
    'may say in any way that it is not encoded: %j',
    async (encoding) => {
      const server = await serveToFetch(encoded(encoding, picture));
      expect((await fetchLocal(server.url)).equals(picture)).toBe(true);
    },
  );

  test('may stand on a host that the operator named', async () => {
    const server = await serveToFetch((_request, response) => response.end(picture));
    const { fetchImage } = createSafeFetch({
      clock: systemClock,
      allowedPrivate: ['minio.internal'],
      resolve: answersOfDns('127.0.0.1'),
    });
    const bytes = await fetchImage(`http://minio.internal:${server.port}/`, {
      param,
      bytesMax: 1000,
    });
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
    const server = await serveToFetch(answer);
    await expect(fetchLocal(server.url)).rejects.toThrow(fetchRefused);
  });

  test('is refused after three redirects, without a fifth request', async () => {
    const server = await serveToFetch((_request, response) => redirect(response, '/again'));
    await expect(fetchLocal(server.url)).rejects.toThrow(fetchRefused);
    expect(server.requests).toHaveLength(4);
  });

  test('is refused when its time is over, whatever it waits for', async () => {
    const waiting: [string, RequestListener][] = [
      ['headers', () => {}],
      ['the body', (_request, response) => response.write('x')],
    ];
    for (const [what, answer] of waiting) {
      const asked = Promise.withResolvers<void>();
      const server = await serveToFetch((request, response) => {
        answer(request, response);
        asked.resolve();
      });
      const clock = new ManualClock();
      const fetched = fetchLocal(server.url, { clock });
      const outcome = errorOf(fetched);
      await asked.promise;
      clock.advance(10_000);
      expect(await outcome, what).toEqual(fetchRefused);
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
    const outcome = errorOf(fetchImage('http://slow.example/', { param, bytesMax: 1000 }));
    await asked.promise;
    clock.advance(10_000);
    expect(await outcome).toEqual(fetchRefused);
  });

  test('is not waited for when the caller is gone', async () => {
    const caller = new AbortController();
    const gone = new Error('the caller is gone');
    const server = await serveToFetch(() => caller.abort(gone));
    await expect(fetchLocal(server.url, { signal: caller.signal })).rejects.toBe(gone);
    await expect(fetchLocal(server.url, { signal: caller.signal })).rejects.toBe(gone);
    expect(server.requests).toHaveLength(1);
  });
});

describe('by https', () => {
  const authorities = tls.getCACertificates();
  beforeAll(() => tls.setDefaultCACertificates([...authorities, localhostCertificate.cert]));
  afterAll(() => tls.setDefaultCACertificates(authorities));

  const { fetchImage } = createSafeFetch({
    clock: systemClock,
    allowedPrivate: ['localhost', '127.0.0.1'],
  });
  const wish = { param, bytesMax: 1000 };

  test('a picture may be reached through a redirect', async () => {
    const service = await serve(
      ({ url }, response) => {
        if (url === '/there') response.end(picture);
        else redirect(response, '/there');
      },
      { tls: true },
    );
    expect((await fetchImage(service.origin, wish)).equals(picture)).toBe(true);
  });

  test('a picture is refused when a redirect leads away from it', async () => {
    const plain = await serveToFetch((_request, response) => response.end(picture));
    const service = await serve((_request, response) => redirect(response, plain.url), {
      tls: true,
    });
    await expect(fetchImage(service.origin, wish)).rejects.toThrow(fetchRefused);
    expect(service.requests).toHaveLength(1);
    expect(plain.connections()).toBe(0);
  });
});

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
