import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { thrownBy } from '../../../test/support/thrown-by.ts';
import { givenAnswer } from '../../../test/upstreams/given-answer.ts';
import { CutString } from '../../lib/bytes/json-cut.ts';
import { OutgoingError } from '../../lib/outgoing/guarded-http.ts';
import type { UpstreamError } from '../upstream.ts';
import { readEventStream, type StreamedEvent } from './event-stream.ts';
import { PictureTexts } from './picture-texts.ts';
import type { LineLimits } from './stream-lines.ts';

/** Long enough to have a picture in it. */
const longBytes = 512 * 1024;

type Pieces = Parameters<typeof givenAnswer>[0];

async function eventsOf(pieces: Pieces, limits?: LineLimits): Promise<StreamedEvent[]> {
  return await Array.fromAsync(readEventStream(givenAnswer(pieces), limits && { limits }));
}

function failureOf(pieces: Pieces, limits?: LineLimits): Promise<Partial<UpstreamError>> {
  return eventsOf(pieces, limits).then(
    () => expect.unreachable('the stream is broken'),
    (error: UpstreamError) => error,
  );
}

const oneTwo = [
  { name: 'first', data: { a: 1 } },
  { name: null, data: { b: [2] } },
];

describe('an event stream', () => {
  it.each<[string, string]>([
    ['LF', '\n'],
    ['CRLF', '\r\n'],
    ['CR', '\r'],
  ])('has lines that end with %s', async (_name, end) => {
    const text = ['event: first', 'data: {"a":1}', '', 'data: {"b":[2]}', '', ''].join(end);
    expect(await eventsOf([text])).toEqual(oneTwo);
  });

  it.each<[string, string]>([
    ['comments', ': hello\n\nevent: first\n: within\ndata: {"a":1}\n\n:\n\ndata: {"b":[2]}\n\n'],
    [
      'fields of others',
      'id: 7\nevent: first\nretry: 10\nwhat\ndata: {"a":1}\n\ndata: {"b":[2]}\n\n',
    ],
    ['no space behind the colon', 'event:first\ndata:{"a":1}\n\ndata:{"b":[2]}\n\n'],
    [
      'several lines of data',
      'event: first\ndata: {\ndata: "a"\ndata: :1}\n\ndata: {"b":\ndata: [2]}\n\n',
    ],
    ['an event without data', 'event: lost\n\nevent: first\ndata: {"a":1}\n\ndata: {"b":[2]}\n\n'],
    [
      'more empty lines than needed',
      '\n\nevent: first\ndata: {"a":1}\n\n\n\ndata: {"b":[2]}\n\n\n',
    ],
    ['mixed ends of lines', 'event: first\r\ndata: {"a":1}\r\n\ndata: {"b":[2]}\r\r'],
    ['a byte order mark', '\ufeffevent: first\ndata: {"a":1}\n\ndata: {"b":[2]}\n\n'],
    ['no empty line behind the last event', 'event: first\ndata: {"a":1}\n\ndata: {"b":[2]}\n'],
    ['no end of the last line', 'event: first\ndata: {"a":1}\n\ndata: {"b":[2]}'],
    ['[DONE] at its end', 'event: first\ndata: {"a":1}\n\ndata: {"b":[2]}\n\ndata: [DONE]\n\n'],
    [
      'something behind [DONE]',
      'event: first\ndata: {"a":1}\n\ndata: {"b":[2]}\n\ndata: [DONE]\n\ndata: {',
    ],
    ['[DONE] as its last bytes', 'event: first\ndata: {"a":1}\n\ndata: {"b":[2]}\n\ndata: [DONE]'],
  ])('may have %s', async (_name, text) => {
    expect(await eventsOf([text])).toEqual(oneTwo);
  });

  it.each(['', '\n', '\r\n\r\n', ': nothing', 'event: nothing', 'data:\n\n', 'data\n\n'])(
    '%j has no events',
    async (text) => {
      expect(await eventsOf([text])).toEqual([]);
    },
  );

  it('gives the same events wherever it is split', async () => {
    const bytes = Buffer.from('event: first\r\ndata: {"a":1}\r\rdata: {"b":\ndata: [2]}\r\n\r\n');
    for (let at = 0; at <= bytes.length; at++) {
      expect(await eventsOf([bytes.subarray(0, at), bytes.subarray(at)])).toEqual(oneTwo);
    }
    expect(await eventsOf([...bytes].map((byte) => Buffer.of(byte)))).toEqual(oneTwo);
  });

  it('gives the same events in whatever pieces it comes', async () => {
    const end = fc.constantFrom('\n', '\r\n', '\r');
    const line = fc.oneof(
      fc.json({ maxDepth: 1 }).map((json) => `data: ${json}`),
      fc.constantFrom('', '', 'event: é', ': comment', 'data: "ü\u2028"', 'id: 1'),
    );
    const stream = fc.array(fc.tuple(line, end)).map((lines) => Buffer.from(lines.flat().join('')));
    await fc.assert(
      fc.asyncProperty(stream, fc.array(fc.nat()), async (bytes, places) => {
        const cuts = [0, ...places.map((place) => place % (bytes.length + 1)), bytes.length];
        cuts.sort((a, b) => a - b);
        const pieces = cuts.slice(1).map((cut, index) => bytes.subarray(cuts[index], cut));
        const read = (given: Pieces) => eventsOf(given).catch(({ message }: Error) => message);
        expect(await read(pieces)).toEqual(await read([bytes]));
      }),
    );
  });

  it('keeps a picture as bytes', async () => {
    const picture = 'QUJD'.repeat(50_000);
    const text = Buffer.from(`data: {"b64_json":"${picture}"}\n\n`);
    const pieces = [0, 1, 2, 3].map((index) => text.subarray(index * 60_000, (index + 1) * 60_000));
    expect(await eventsOf(pieces)).toEqual([
      { name: null, data: { b64_json: new CutString(Buffer.from(picture)) } },
    ]);
  });

  it('keeps long pictures one behind the other whole, in whatever pieces they come', async () => {
    const pictures = ['AAAA', 'BBBB', 'CCCC'].map((part) => part.repeat(150_000));
    const text = pictures.map((picture) => `data: {"b64":"${picture}"}\n\n`).join('');
    for (const bytes of [64 * 1024, 400_000, text.length]) {
      const events = await eventsOf(inPieces(text, bytes));
      const shown = events.map(({ data }) => data as { b64: CutString });
      expect(shown.map(({ b64 }, index) => String(b64.bytes) === pictures[index])).toEqual([
        true,
        true,
        true,
      ]);
    }
  });

  it('tells those after it how long its pictures are, and is whole when they were longer or shorter', async () => {
    const pictureTexts = new PictureTexts();
    for (const length of [700_000, 3_000_000, 600_000]) {
      const picture = 'AB=='.repeat(length / 4);
      const answer = givenAnswer(inPieces(`data: {"b64":"${picture}"}\n\n`, 64 * 1024));
      const events = await Array.fromAsync(readEventStream(answer, { pictureTexts }));
      const shown = events.map(({ data }) => String((data as { b64: CutString }).b64.bytes));
      expect(shown.map((b64) => b64 === picture)).toEqual([true]);
      expect(pictureTexts.expected(0, longBytes) ?? 0).toBeGreaterThan(length);
    }
  });

  it('has a name of 256 bytes, or none', async () => {
    const named = (bytes: number) => eventsOf([`event: ${'n'.repeat(bytes)}\ndata: 1\n\n`]);
    expect(await named(256)).toEqual([{ name: 'n'.repeat(256), data: 1 }]);
    expect(await named(257)).toEqual([{ name: null, data: 1 }]);
  });

  it('is left when it is done, and when nobody reads on', async () => {
    const finished = givenAnswer(['data: [DONE]\n\n', 'data: 1\n\n']);
    expect(await Array.fromAsync(readEventStream(finished))).toEqual([]);
    expect(finished.wasLeft()).toBe(true);
    expect(finished.wasLetEnd()).toBe(true);

    const left = givenAnswer(['data: 1\n\n', 'data: 2\n\n']);
    for await (const { data } of readEventStream(left)) {
      expect(data).toBe(1);
      break;
    }
    expect(left.wasLeft()).toBe(true);
    expect(left.wasLetEnd()).toBe(false);
    expect((await left.body[Symbol.asyncIterator]().next()).done).toBe(true);
  });
});

describe('a broken event stream', () => {
  it.each(['data: {"a":\n\n', 'data: <html>\n\n', 'data: {"a":1', 'data: \xff\n\n'])(
    '%j is a protocol fault',
    async (text) => {
      const error = await failureOf([Buffer.from(text, 'latin1')]);
      expect(error).toMatchObject({ fault: 'protocol', status: 200, possiblyCharged: true });
      expect(error.message).toMatch(/^an event is not usable JSON \(\w+\)$/);
    },
  );

  it.each(['data: ping\n\n', 'event: partial\ndata: {"b64_json": "QUJD\n\n'])(
    '%j takes away nothing of what comes behind it',
    async (text) => {
      const events = readEventStream(givenAnswer([text, 'data: 1\n\n', 'data: 2\n\n']));
      expect(await events.next()).toMatchObject({ value: { data: 1 } });
      expect(await events.next()).toMatchObject({ value: { data: 2 } });
      expect(await thrownBy(events.next())).toMatchObject({ fault: 'protocol' });
      const done = givenAnswer([text, 'data: 1\n\n', 'data: [DONE]\n\n']);
      expect(await thrownBy(Array.fromAsync(readEventStream(done)))).toMatchObject({
        fault: 'protocol',
        possiblyCharged: true,
      });
    },
  );

  it('that is cut may have been charged', async () => {
    const error = await failureOf(['data: 1\n\n', new OutgoingError('cut', 'ended early')]);
    expect(error).toMatchObject({ fault: 'unavailable', possiblyCharged: true });
  });

  it.each<[string, number]>([
    ['in one piece', 1_000],
    ['in several pieces', 7],
  ])('has a line of at most so many bytes, %s', async (_name, pieceBytes) => {
    const limits = { ...generous, documentBytesMax: 40 };
    const stream = (bytes: number) =>
      inPieces(`data: ${JSON.stringify('x'.repeat(bytes - 8))}\n\n`, pieceBytes);
    expect(await eventsOf(stream(40), limits)).toEqual([{ name: null, data: 'x'.repeat(32) }]);
    expect(await failureOf(stream(41), limits)).toMatchObject({
      fault: 'protocol',
      message: 'the stream or an event of it has over 40 bytes',
      possiblyCharged: true,
    });
  });

  it('has an event of at most so many bytes, in however many lines', async () => {
    // 41 bytes with the breaks between the lines, which are part of the document.
    const stream = ['data: [\n', 'data: 1\n', 'data: ,1\n'.repeat(12), 'data: ]\n\n'];
    const within = { ...generous, documentBytesMax: 41 };
    expect(await eventsOf(stream, within)).toEqual([{ name: null, data: Array(13).fill(1) }]);
    const beyond = { ...generous, documentBytesMax: 40 };
    expect(await failureOf(stream, beyond)).toMatchObject({ fault: 'protocol' });
  });

  it('has at most so many bytes in all', async () => {
    const limits = { ...generous, streamBytesMax: 100 };
    const stream = (bytes: number) => inPieces(': -\n'.repeat(bytes).slice(0, bytes), 9);
    expect(await eventsOf(stream(100), limits)).toEqual([]);
    expect(await failureOf(stream(101), limits)).toMatchObject({
      fault: 'protocol',
      message: 'the stream or an event of it has over 100 bytes',
    });
  });

  it.each<[string, string]>([
    ['comments', ': -\n'],
    ['empty ones', '\n'],
  ])('has at most so many lines in all, %s too', async (_name, line) => {
    const limits = { ...generous, streamLinesMax: 20 };
    // Its end counts as one more.
    expect(await eventsOf([line.repeat(19)], limits)).toEqual([]);
    expect(await failureOf([line.repeat(20)], limits)).toMatchObject({
      fault: 'protocol',
      message: 'the stream has over 20 lines',
      possiblyCharged: true,
    });
  });
});

const generous = { documentBytesMax: 1_000, streamBytesMax: 1_000, streamLinesMax: 1_000 };

function inPieces(text: string, bytes: number): Buffer[] {
  const whole = Buffer.from(text);
  const count = Math.ceil(whole.length / bytes);
  return Array.from({ length: count }, (_, index) =>
    whole.subarray(index * bytes, (index + 1) * bytes),
  );
}
