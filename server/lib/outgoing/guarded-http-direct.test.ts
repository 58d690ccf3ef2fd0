import type { Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import * as tls from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { patience } from '../../../test/support/patience.ts';
import { localhostCertificate } from '../../../test/support/services/localhost-certificate.ts';
import {
  bytesOf,
  get,
  noSignal,
  openTestHttp,
  serve,
  serveBytes,
  serveRaw,
  type TestService,
  untilFree,
} from '../../../test/support/services/outgoing.ts';
import { thrownBy } from '../../../test/support/thrown-by.ts';
import { PieceReader } from './outgoing-body.ts';

const lengthAnswer = 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello';
const chunkedAnswer =
  'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3;x=y\r\nhel\r\n2\r\nlo\r\n0\r\nx: y\r\n\r\n';

const byIpv6 = {
  skip: !Object.values(networkInterfaces()).some((each) =>
    each?.some(({ address }) => address === '::1'),
  ),
  meta: { skippedBecause: 'the machine has no IPv6' },
};

async function textFrom(service: TestService): Promise<string> {
  return (await bytesOf(await get(openTestHttp(service.origin), service))).toString();
}

describe('an answer', () => {
  test.each([
    ['with its length', lengthAnswer],
    ['in chunks', chunkedAnswer],
    [
      'behind interim answers',
      `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\na: b\r\n\r\n${lengthAnswer}`,
    ],
  ])('%s is read, whole and byte for byte', async (_name, answer) => {
    const atOnce = await serveBytes((socket) => socket.write(answer));
    expect(await textFrom(atOnce)).toBe('hello');
    const bytewise = await serveBytes(async (socket) => {
      for (const byte of answer) {
        socket.write(byte);
        await new Promise(setImmediate);
      }
    });
    expect(await textFrom(bytewise)).toBe('hello');
  });

  test('that is whole before anybody reads it does not keep the next one from being read', async () => {
    // Its last byte is the one at which the connection is read no further.
    const large = `HTTP/1.1 200 OK\r\ncontent-length: 262144\r\n\r\n${'x'.repeat(262_144)}`;
    const service = await serveBytes((socket, number) =>
      socket.write(number === 0 ? large : lengthAnswer),
    );
    const http = openTestHttp(service.origin);
    const first = await get(http, service);
    // Long enough for all of it to have come.
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect((await bytesOf(first)).length).toBe(262_144);
    await untilFree();
    expect((await bytesOf(await get(http, service))).toString()).toBe('hello');
  });

  test('without a length ends with its connection', async () => {
    const service = await serveBytes((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nhello'));
    expect(await textFrom(service)).toBe('hello');
  });

  test.each([204, 304])('of status %i has no body', async (status) => {
    const service = await serveBytes((socket) => socket.write(`HTTP/1.1 ${status} No\r\n\r\n`));
    expect(await textFrom(service)).toBe('');
  });

  test.each([
    ['changes the protocol', 'HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'],
    ['has two lengths', `HTTP/1.1 200 OK\r\ncontent-length: 6\r\n${lengthAnswer.slice(17)}`],
    ['has a broken chunk', chunkedAnswer.replace('2\r\n', '1\r\n')],
  ])('that %s is none', async (_name, answer) => {
    const service = await serveBytes((socket) => socket.write(answer));
    expect(await thrownBy(textFrom(service))).toMatchObject({ problem: 'cut' });
    await expect.poll(service.open, patience).toBe(0);
  });

  test('that never begins, with one interim answer after another, is too large', async () => {
    const service = await serveBytes((socket) =>
      socket.write('HTTP/1.1 102 Processing\r\n\r\n'.repeat(2_000)),
    );
    expect(await thrownBy(textFrom(service))).toMatchObject({ problem: 'too_large' });
  });

  test('has a head of 32,768 bytes and no more, interim answers included', async () => {
    const interim = 'HTTP/1.1 100 Continue\r\n\r\n';
    const [begin, end] = lengthAnswer.split('\r\n\r\n');
    const withHead = (bytes: number) => {
      const fields = `${interim}${begin}\r\nx: \r\n\r\n`.length;
      return `${interim}${begin}\r\nx: ${'y'.repeat(bytes - fields)}\r\n\r\n${end}`;
    };
    const most = await serveBytes((socket) => socket.write(withHead(32_768)));
    expect(await textFrom(most)).toBe('hello');
    const more = await serveBytes((socket) => socket.write(withHead(32_769)));
    expect(await thrownBy(textFrom(more))).toMatchObject({ problem: 'too_large' });
  });
});

describe('a connection that ends', () => {
  test.each([
    ['with its length', lengthAnswer],
    ['in chunks', chunkedAnswer],
  ])('before the last byte of an answer %s leaves none', async (_name, answer) => {
    for (const how of ['end', 'reset'] as const) {
      const service = await serveBytes((socket, number) => {
        socket.write(answer.slice(0, number), () => {
          if (how === 'end') socket.end();
          else socket.resetAndDestroy();
        });
      });
      const http = openTestHttp(service.origin);
      for (let bytes = 0; bytes < answer.length; bytes++) {
        const failure = await thrownBy(get(http, service).then(bytesOf));
        expect(failure, `${how} after ${bytes}`).toMatchObject({ problem: 'cut' });
      }
    }
  });

  test('behind an answer is not used again', async () => {
    const service = await serveBytes((socket) => socket.end(lengthAnswer));
    const http = openTestHttp(service.origin);
    for (let times = 0; times < 5; times++) {
      await bytesOf(await get(http, service));
      await expect.poll(service.open, patience).toBe(0);
    }
    expect(service.connections()).toBe(5);
  });
});

describe('a connection', () => {
  async function connectionsFor(answer: string, times: number): Promise<number> {
    const service = await serveBytes((socket) => socket.write(answer));
    const http = openTestHttp(service.origin);
    for (let n = 0; n < times; n++) {
      expect((await bytesOf(await get(http, service))).toString()).toBe('hello');
      await untilFree();
    }
    return service.connections();
  }

  test('carries one request after another', async () => {
    expect(await connectionsFor(lengthAnswer, 5)).toBe(1);
    expect(await connectionsFor(chunkedAnswer, 5)).toBe(1);
  });

  test.each([
    ['says that it closes', 'connection: close\r\n'],
    [
      'says that it is kept no longer than a request may take to arrive',
      'keep-alive: timeout=2\r\n',
    ],
  ])('whose service %s is not used again', async (_name, header) => {
    const answer = lengthAnswer.replace('\r\n', `\r\n${header}`);
    expect(await connectionsFor(answer, 3)).toBe(3);
  });

  test('that brings more than the answer is not used again', async () => {
    expect(await connectionsFor(`${lengthAnswer}HTTP/1.1 200 OK\r\n\r\nsmuggled`, 3)).toBe(3);
  });

  test('whose service answered before it took the request whole is not used again', async () => {
    const service = await serveRaw((socket) => {
      socket.once('data', () => {
        socket.pause();
        socket.write(lengthAnswer);
      });
    });
    const http = openTestHttp(service.origin, { firstByteMs: 5_000 });
    const url = new URL(service.origin);
    // More than lies between the two without being read.
    const body = Buffer.alloc(32 * 1024 ** 2);
    for (let times = 0; times < 2; times++) {
      const answer = await http.send({ method: 'POST', url, body }, noSignal);
      expect((await bytesOf(answer)).toString()).toBe('hello');
      await untilFree();
    }
    expect(service.connections()).toBe(2);
  });

  test('that brings something nobody asked for is closed', async () => {
    const sockets: Socket[] = [];
    const service = await serveBytes((socket) => {
      sockets.push(socket);
      socket.write(lengthAnswer);
    });
    const http = openTestHttp(service.origin);
    await bytesOf(await get(http, service));
    sockets[0]?.write('HTTP/1.1 200 OK\r\ncontent-length: 8\r\n\r\nsmuggled');
    await expect.poll(service.open, patience).toBe(0);
    expect((await bytesOf(await get(http, service))).toString()).toBe('hello');
  });

  test('is one for each of those that run at the same time', async () => {
    const asked = Promise.withResolvers<void>();
    const service = await serveBytes(async (socket, number) => {
      if (number === 2) asked.resolve();
      await asked.promise;
      socket.write(lengthAnswer);
    });
    const http = openTestHttp(service.origin);
    const texts = [1, 2, 3].map(async () => (await bytesOf(await get(http, service))).toString());
    expect(await Promise.all(texts)).toEqual(['hello', 'hello', 'hello']);
    expect(service.connections()).toBe(3);
  });
});

describe('pieces', () => {
  const large = Buffer.alloc(8_000_000, 'abcdefg');

  test('come as long as the reader wants more, and none is lost when it does not', async () => {
    const service = await serve((_request, response) => response.end(large));
    const { body } = await get(openTestHttp(service.origin), service);
    const reader = new PieceReader(body);
    const copies: Buffer[] = [];
    for (let goesOn = true; goesOn; ) {
      goesOn = await reader.read((piece) => {
        copies.push(Buffer.from(piece));
        return copies.length % 3 !== 0;
      });
      await new Promise(setImmediate);
    }
    expect(Buffer.concat(copies).equals(large)).toBe(true);
  });

  test('wait with the service when nobody reads them', async () => {
    let written = 0;
    const service = await serve((_request, response) => {
      const more = () => {
        while (written < 200 && response.write(large)) written++;
        written++;
        if (written < 200) response.once('drain', more);
      };
      more();
    });
    const answer = await get(openTestHttp(service.origin), service);
    await new PieceReader(answer.body).read(() => false);
    // Far more turns than it takes to fill every buffer on the way.
    for (let turns = 0; turns < 500; turns++) await new Promise(setImmediate);
    expect(written).toBeLessThan(10);
    answer.discard();
    await expect.poll(service.open, patience).toBe(0);
  });

  test('whose reader fails close the connection', async () => {
    const service = await serve((_request, response) => void response.write('part'));
    const { body } = await get(openTestHttp(service.origin), service);
    const reading = new PieceReader(body).read(() => {
      throw new Error('the reader');
    });
    await expect(reading).rejects.toThrow('the reader');
    await expect.poll(service.open, patience).toBe(0);
  });

  test('that came before the connection broke are read', async () => {
    const service = await serveBytes((socket) => {
      socket.write(lengthAnswer.slice(0, -2), () => socket.end());
    });
    const { body } = await get(openTestHttp(service.origin), service);
    await expect.poll(service.open, patience).toBe(0);
    const seen: string[] = [];
    const reader = new PieceReader(body);
    const read = () => reader.read((piece) => seen.push(piece.toString()) > 0);
    expect(await thrownBy(read())).toMatchObject({ problem: 'cut' });
    expect(seen.join('')).toBe('hel');
  });

  test('are silent as long as they may while the reader takes its time', async () => {
    const service = await serve(({ url }, response) => {
      response.writeHead(200).flushHeaders();
      if (url !== '/silent') response.end(large);
    });
    const http = openTestHttp(service.origin, { idleMs: 100 });
    const { body } = await get(http, service);
    const reader = new PieceReader(body);
    let length = 0;
    await reader.read((piece) => {
      length += piece.length;
      return false;
    });
    // Another one falls silent as long as that, twice.
    for (let times = 0; times < 2; times++) {
      const silent = { method: 'GET', url: new URL('/silent', service.origin) } as const;
      const failure = await thrownBy(http.send(silent, noSignal).then(bytesOf));
      expect(failure).toMatchObject({ problem: 'slow' });
    }
    await reader.read((piece) => {
      length += piece.length;
      return true;
    });
    expect(length).toBe(large.length);
  });
});

describe('a request', () => {
  test('without a body says so where it could have one', async () => {
    const service = await serve(({ body }, response) => response.end(body));
    const http = openTestHttp(service.origin);
    for (const method of ['GET', 'POST', 'DELETE'] as const) {
      await bytesOf(await http.send({ method, url: new URL(service.origin) }, noSignal));
    }
    const lengths = service.requests.map(({ headers }) => headers['content-length']);
    expect(lengths).toEqual([undefined, '0', '0']);
  });

  test('names its host as the address does', async () => {
    const service = await serve(({ body }, response) => response.end(body));
    const origin = `http://localhost:${service.port}`;
    const http = openTestHttp(origin);
    await bytesOf(await http.send({ method: 'GET', url: new URL(origin) }, noSignal));
    expect(service.requests[0]?.headers.host).toBe(`localhost:${service.port}`);
  });

  test('reaches an IPv6 address, which stands in brackets', byIpv6, async () => {
    const service = await serve((_request, response) => response.end('hello'), { host: '::1' });
    expect(service.origin).toBe(`http://[::1]:${service.port}`);
    expect(await textFrom(service)).toBe('hello');
    expect(service.requests[0]?.headers.host).toBe(`[::1]:${service.port}`);
  });
});

describe('by TLS', () => {
  const authorities = tls.getCACertificates();
  beforeAll(() => tls.setDefaultCACertificates([...authorities, localhostCertificate.cert]));
  afterAll(() => tls.setDefaultCACertificates(authorities));

  test('a large answer comes whole, and the connection carries the next', async () => {
    const large = Buffer.alloc(3_000_000, 'abcdefg');
    const service = await serve((_request, response) => response.end(large), { tls: true });
    const http = openTestHttp(service.origin);
    for (let times = 0; times < 3; times++) {
      expect((await bytesOf(await get(http, service))).equals(large)).toBe(true);
      await untilFree();
    }
    expect(service.connections()).toBe(1);
  });
});
