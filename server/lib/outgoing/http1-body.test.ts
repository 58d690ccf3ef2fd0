import { describe, expect, test } from 'vitest';
import { Http1Body } from './http1-body.ts';
import { BrokenHttpError, type Framing } from './http1-head.ts';

interface Read {
  text: string;
  /** What lies behind the end of the body. */
  rest: string;
  isDone: boolean;
}

/** What of `sent` is the body, if it comes in pieces of so many bytes. */
function read(framing: Framing, sent: string, pieceBytes = sent.length): Read {
  const body = new Http1Body(framing);
  const bytes = Buffer.from(sent, 'latin1');
  const parts: string[] = [];
  let end = 0;
  while (end < bytes.length && !body.isDone) {
    const piece = bytes.subarray(end, end + Math.max(1, pieceBytes));
    end += body.read(piece, 0, (part) => parts.push(part.toString('latin1')));
  }
  return { text: parts.join(''), rest: bytes.toString('latin1', end), isDone: body.isDone };
}

const chunked: Framing = { kind: 'chunked' };

describe('a body of known length', () => {
  test.each([0, 1, 5, 300])('of %i bytes ends there', (bytes) => {
    const sent = 'x'.repeat(bytes);
    for (const pieceBytes of [1, 2, 1_000]) {
      const expected = { text: sent, rest: 'next', isDone: true };
      expect(read({ kind: 'length', bytes }, `${sent}next`, pieceBytes)).toEqual({
        ...expected,
        rest: expect.stringMatching(/next$/),
      });
    }
  });

  test('is not whole before', () => {
    const body = new Http1Body({ kind: 'length', bytes: 5 });
    expect(body.read(Buffer.from('abcd'), 0, () => {})).toBe(4);
    expect(body.isDone).toBe(false);
    expect(body.end()).toBe(false);
  });
});

test('a body up to the end of the connection is whole there', () => {
  const body = new Http1Body({ kind: 'close' });
  expect(body.read(Buffer.from('abc'), 0, () => {})).toBe(3);
  expect(body.isDone).toBe(false);
  expect(body.end()).toBe(true);
});

test('no body is whole at once', () => {
  expect(new Http1Body({ kind: 'none' }).isDone).toBe(true);
});

describe('a body in chunks', () => {
  test.each([
    ['one', '5\r\nhello\r\n0\r\n\r\n', 'hello'],
    ['none', '0\r\n\r\n', ''],
    ['several', '1\r\na\r\n2\r\nbc\r\n00\r\n\r\n', 'abc'],
    ['sizes in capitals and with zeros', '00A\r\n0123456789\r\n0\r\n\r\n', '0123456789'],
    ['line ends in the data', '4\r\n\r\n\r\n\r\n0\r\n\r\n', '\r\n\r\n'],
    ['extensions', '3;a=b;c="d"\r\nabc\r\n0;last\r\n\r\n', 'abc'],
    ['trailers', '3\r\nabc\r\n0\r\nX-Sum: 1\r\nx: y\r\n\r\n', 'abc'],
  ])('of %s is read, in whatever pieces it comes', (_name, sent, text) => {
    for (let pieceBytes = 1; pieceBytes <= sent.length; pieceBytes++) {
      expect(read(chunked, sent, pieceBytes), `by ${pieceBytes}`).toMatchObject({
        text,
        isDone: true,
      });
    }
    expect(read(chunked, `${sent}next`)).toEqual({ text, rest: 'next', isDone: true });
  });

  test.each([
    '',
    '5',
    '5\r\n',
    '5\r\nhel',
    '5\r\nhello',
    '5\r\nhello\r\n',
    '0\r\n',
    '0\r\nx: y\r\n',
  ])('is not whole after %j', (sent) => {
    const body = new Http1Body(chunked);
    body.read(Buffer.from(sent), 0, () => {});
    expect(body.isDone).toBe(false);
    expect(body.end()).toBe(false);
  });

  test.each([
    ['no size', '\r\nhello\r\n'],
    ['a size that is no number', 'five\r\nhello\r\n'],
    ['a size below 0', '-5\r\nhello\r\n'],
    ['a size with a sign', '+5\r\nhello\r\n'],
    ['a size with a prefix', '0x5\r\nhello\r\n'],
    ['a size beyond all sizes', '1000000000000\r\nhello\r\n'],
    ['white space before the size', ' 5\r\nhello\r\n'],
    ['white space behind the size', '5 \r\nhello\r\n'],
    ['a size that is too small', '4\r\nhello\r\n'],
    ['a size that is too large', '6\r\nhello\r\n0\r\n\r\n'],
    ['line feeds alone', '5\nhello\n0\n\n'],
    ['a line feed alone behind the data', '5\r\nhello\n0\r\n\r\n'],
    ['a control character in an extension', '5;a=\0\r\nhello\r\n'],
    ['a trailer that ends with a line feed alone', '0\r\nx: y\n\r\n'],
  ])('is refused with %s, in whatever pieces it comes', (_name, sent) => {
    for (let pieceBytes = 1; pieceBytes <= sent.length; pieceBytes++) {
      expect(() => read(chunked, sent, pieceBytes), `by ${pieceBytes}`).toThrow(BrokenHttpError);
    }
  });

  test('has lines of up to 4 KiB before its chunks', () => {
    const line = (bytes: number) => `1;${'x'.repeat(bytes - '1;\r\n'.length)}\r\na\r\n0\r\n\r\n`;
    expect(read(chunked, line(4_096))).toMatchObject({ text: 'a', isDone: true });
    for (const pieceBytes of [1, 1_000, 5_000]) {
      expect(() => read(chunked, line(4_097), pieceBytes)).toThrow(BrokenHttpError);
    }
  });

  test('has trailers of up to 32 KiB', () => {
    const trailers = (bytes: number) =>
      `0\r\n${`${'x'.repeat(1_024)}\r\n`.repeat(bytes / 1_024)}\r\n`;
    expect(read(chunked, trailers(32_768))).toMatchObject({ isDone: true });
    expect(() => read(chunked, trailers(32_768 + 1_024))).toThrow(BrokenHttpError);
    const alone = (bytes: number) => `0\r\n${'x'.repeat(bytes)}\r\n\r\n`;
    expect(read(chunked, alone(32_766))).toMatchObject({ isDone: true });
    expect(() => read(chunked, alone(32_767))).toThrow(BrokenHttpError);
  });
});
