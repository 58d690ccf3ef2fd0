/** The bench must notice a wrong answer, however the connection cuts it. */
import { describe, expect, it } from 'vitest';
import { AnswerReader } from '../../bench/gateway/answer-reader.ts';

const picture = Buffer.from('iVBORw0KGgoAAAAN');
const partial = Buffer.from('iVBORw0KGgoBBBBB');
const document = `{"created":1,"data":[{"b64_json":"${picture.toString()}"}]}`;

/** Feeds pieces of so many bytes; whether the last of them ended the answer, and none before. */
function read(answer: string, { pieces, expected }: { pieces: number; expected: Buffer[] | null }) {
  const reader = new AnswerReader(expected);
  const bytes = Buffer.from(answer);
  let isWhole = false;
  for (let at = 0; at < bytes.length; at += pieces) {
    expect(isWhole).toBe(false);
    // A copy, as the memory of a read is used again for the next.
    const piece = Buffer.from(bytes.subarray(at, at + pieces));
    isWhole = reader.feed(piece);
    piece.fill(0);
  }
  return { isWhole, problem: reader.problem, bytes: reader.bodyBytes };
}

function withLength(body: string, status = '200 OK'): string {
  return `HTTP/1.1 ${status}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

function inChunks(body: string, size: number): string {
  const chunks = body.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
  const framed = chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`);
  return `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${framed.join('')}0\r\n\r\n`;
}

describe.each([1, 2, 3, 7, 64, 10_000])('in pieces of %i bytes', (pieces) => {
  it.each([
    ['with a length', withLength(document)],
    ['in small chunks', inChunks(document, 3)],
    ['in one chunk', inChunks(document, 10_000)],
  ])('accepts the right picture, %s', (_how, answer) => {
    const found = read(answer, { pieces, expected: [picture] });
    expect(found).toEqual({ isWhole: true, problem: null, bytes: document.length });
  });

  it('tells several pictures of a stream apart, in their order', () => {
    const stream =
      `data: {"partial_image_b64":"${partial.toString()}"}\n\n` +
      `data: {"item":{"result":"${picture.toString()}"}}\n\n`;
    const answer = inChunks(stream, 20);
    expect(read(answer, { pieces, expected: [partial, picture] }).problem).toBeNull();
    expect(read(answer, { pieces, expected: [picture, partial] }).problem).toMatch(/1 differs/);
  });

  it.each([
    ['another byte', [Buffer.from('iVBORw0KGgoAAAAM')], /picture 1 differs/],
    ['a byte too many', [picture.subarray(0, -1)], /picture 1 is longer/],
    ['a byte too few', [Buffer.concat([picture, Buffer.from('A')])], /picture 1 differs/],
    ['a picture too few', [picture, picture], /1 pictures of 2 are missing/],
    ['a picture too many', [], /more pictures than 0/],
  ])('notices %s', (_what, expected, problem) => {
    expect(read(withLength(document), { pieces, expected }).problem).toMatch(problem);
  });

  it('takes no error for a picture', () => {
    const answer = withLength('{"error":{"code":"rate_limit"}}', '429 Too Many Requests');
    expect(read(answer, { pieces, expected: [picture] }).problem).toMatch(/^status 429: \{"error"/);
  });
});

it('looks at no picture where any will do', () => {
  expect(read(withLength(document), { pieces: 9, expected: null }).problem).toBeNull();
});
