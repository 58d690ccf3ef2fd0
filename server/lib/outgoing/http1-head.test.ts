import { describe, expect, test } from 'vitest';
import { BrokenHttpError, endOfHead, type Framing, readHead } from './http1-head.ts';

function head(lines: readonly string[], { method = 'GET', status = 'HTTP/1.1 200 OK' } = {}) {
  return readHead(Buffer.from(`${[status, ...lines].join('\r\n')}\r\n\r\n`, 'latin1'), method);
}

describe('a head', () => {
  test('ends behind its empty line', () => {
    const bytes = Buffer.from('HTTP/1.1 200 OK\r\na: b\r\n\r\nbody');
    expect(endOfHead(bytes, 0)).toBe(bytes.length - 'body'.length);
    expect(endOfHead(bytes.subarray(0, -5), 0)).toBeNull();
  });

  test('has a status and headers by lower-case name, those of one name joined', () => {
    const { status, headers } = head(['X-Two: a', 'x-one:  padded\t ', 'x-two: b', 'x-none:'], {
      status: 'HTTP/1.1 404 Not Found',
    });
    expect(status).toBe(404);
    expect(headers).toEqual({ 'x-two': 'a, b', 'x-one': 'padded', 'x-none': '' });
  });

  test('may leave out the words of its status, and have values in UTF-8', () => {
    const { status, headers } = readHead(Buffer.from('HTTP/1.0 503\r\nx: ü\r\n\r\n'), 'GET');
    expect({ status, headers }).toEqual({ status: 503, headers: { x: 'ü' } });
  });

  test('may have a header whose name objects have too', () => {
    const { headers } = head(['__proto__: a', 'constructor: b']);
    expect(Object.entries(headers)).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ]);
  });

  test.each([
    ['another protocol', 'ICY 200 OK'],
    ['another version', 'HTTP/2.0 200 OK'],
    ['a version of one number', 'HTTP/1 200 OK'],
    ['a status of two digits', 'HTTP/1.1 20 OK'],
    ['a status of four digits', 'HTTP/1.1 2000 OK'],
    ['a status below all', 'HTTP/1.1 099 OK'],
    ['white space before it', ' HTTP/1.1 200 OK'],
    ['two spaces', 'HTTP/1.1  200 OK'],
    ['a line feed alone', 'HTTP/1.1 200 OK\nx: y'],
    ['a carriage return alone', 'HTTP/1.1 200 OK\rx: y'],
    ['nothing', ''],
  ])('is refused with %s for a status line', (_name, status) => {
    expect(() => head([], { status })).toThrow(BrokenHttpError);
  });

  test.each([
    ['no colon', 'x'],
    ['no name', ': y'],
    ['white space before the colon', 'x : y'],
    ['a value that goes on in the next line', 'x: y\r\n z'],
    ['a name with a space', 'x y: z'],
    ['a name with a slash', 'x/y: z'],
    ['a NUL in its value', 'x: \0'],
    ['a line feed alone', 'x: y\nz: a'],
    ['a carriage return alone', 'x: y\rz: a'],
    ['a DEL in its value', 'x: \x7f'],
  ])('is refused with a header that has %s', (_name, line) => {
    expect(() => head([line])).toThrow(BrokenHttpError);
  });
});

describe('the body', () => {
  test.each<[name: string, lines: string[], framing: Framing]>([
    ['has its length', ['Content-Length: 12'], { kind: 'length', bytes: 12 }],
    ['has the length 0', ['content-length: 0'], { kind: 'length', bytes: 0 }],
    ['comes in chunks', ['Transfer-Encoding: Chunked'], { kind: 'chunked' }],
    ['ends with the connection', [], { kind: 'close' }],
  ])('%s', (_name, lines, framing) => {
    expect(head(lines).framing).toEqual(framing);
  });

  test.each([
    ['both lengths', ['content-length: 5', 'transfer-encoding: chunked']],
    ['a doubled length', ['content-length: 5', 'content-length: 5']],
    ['two lengths', ['content-length: 5', 'content-length: 6']],
    ['two lengths in one', ['content-length: 5, 5']],
    ['an empty length', ['content-length:']],
    ['a length with a sign', ['content-length: +5']],
    ['a length below 0', ['content-length: -5']],
    ['a length in hexadecimal', ['content-length: 0x5']],
    ['a broken length', ['content-length: 5.0']],
    ['a length beyond all numbers', [`content-length: ${'9'.repeat(16)}`]],
    ['another transfer encoding', ['transfer-encoding: gzip']],
    ['two transfer encodings', ['transfer-encoding: gzip, chunked']],
    ['chunks twice', ['transfer-encoding: chunked', 'transfer-encoding: chunked']],
    ['an empty transfer encoding', ['transfer-encoding:']],
  ])('is refused with %s, even where there is none', (_name, lines) => {
    expect(() => head(lines)).toThrow(BrokenHttpError);
    expect(() => head(lines, { method: 'HEAD' })).toThrow(BrokenHttpError);
  });

  test('comes in no chunks of a protocol that has none', () => {
    const status = 'HTTP/1.0 200 OK';
    expect(() => head(['transfer-encoding: chunked'], { status })).toThrow(BrokenHttpError);
  });

  test.each([
    ['to HEAD', 'HEAD', 'HTTP/1.1 200 OK'],
    ['of status 204', 'GET', 'HTTP/1.1 204 No Content'],
    ['of status 304', 'GET', 'HTTP/1.1 304 Not Modified'],
    ['of an interim status', 'GET', 'HTTP/1.1 102 Processing'],
  ])('is missing in an answer %s', (_name, method, status) => {
    expect(head(['content-length: 5'], { method, status }).framing).toEqual({ kind: 'none' });
    expect(head(['transfer-encoding: chunked'], { method, status }).framing.kind).toBe('none');
    expect(head([], { method, status }).framing).toEqual({ kind: 'none' });
  });
});

describe('the connection', () => {
  const length = 'content-length: 0';
  test.each<[name: string, lines: string[], status: string, keepsAlive: boolean]>([
    ['lives on in HTTP/1.1', [length], 'HTTP/1.1 200 OK', true],
    ['ends when it says so', [length, 'Connection: Close'], 'HTTP/1.1 200 OK', false],
    ['ends when a list says so', [length, 'connection: x, close'], 'HTTP/1.1 200 OK', false],
    ['ends in HTTP/1.0', [length], 'HTTP/1.0 200 OK', false],
    [
      'lives on in HTTP/1.0 if it says so',
      [length, 'connection: keep-alive'],
      'HTTP/1.0 200',
      true,
    ],
    ['ends with the body', [], 'HTTP/1.1 200 OK', false],
    ['ends behind a length without a body', ['content-length: 5'], 'HTTP/1.1 204 None', false],
    ['ends behind chunks without a body', ['transfer-encoding: chunked'], 'HTTP/1.1 304 N', false],
    ['lives on behind no body', [length], 'HTTP/1.1 204 None', true],
  ])('%s', (_name, lines, status, keepsAlive) => {
    expect(head(lines, { status }).keepsAlive).toBe(keepsAlive);
  });

  test('lives on behind the head of what a GET would give', () => {
    expect(head(['content-length: 5'], { method: 'HEAD' }).keepsAlive).toBe(true);
  });

  test.each([
    ['Keep-Alive: timeout=5', 5_000],
    ['keep-alive: max=9, timeout = 30', 30_000],
    ['keep-alive: max=9', null],
    ['keep-alive: timeout=soon', null],
    ['x: y', null],
  ])('is kept for as long as is said: %s', (line, ms) => {
    expect(head([length, line]).keepAliveMs).toBe(ms);
  });
});
