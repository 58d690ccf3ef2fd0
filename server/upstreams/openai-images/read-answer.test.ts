import { describe, expect, test } from 'vitest';
import { LentMemory } from '../../../test/support/lent-memory.ts';
import { makePicture, pngOfLength } from '../../../test/support/pictures.ts';
import { givenAnswer } from '../../../test/upstreams/given-answer.ts';
import { OutgoingError } from '../../lib/outgoing/guarded-http.ts';
import { PictureTexts } from '../wire/picture-texts.ts';
import { type AnswerPart, readAnswer } from './read-answer.ts';

const picture = pngOfLength(200).toString('base64');
const other = pngOfLength(100).toString('base64');
const longPicture = pngOfLength(60_000).toString('base64');
const reading = {
  errors: {},
  refusedWhen: [
    { member: 'safe', is: 'false' },
    { member: 'reason', is: 'present' },
  ],
} as const;

describe('where a picture may be', () => {
  test.each([
    ['data[].b64_json', { data: [{ b64_json: picture }] }],
    ['images[].b64_json', { images: [{ b64_json: picture }] }],
    ['images[]', { images: [picture] }],
    ['a data URL', { data: [{ url: `data:image/png;base64,${picture}` }] }],
    ['a data URL as b64_json', { data: [{ b64_json: `data:image/png;base64,${picture}` }] }],
    ['image_url.url', { data: [{ image_url: { url: `data:image/png;base64,${picture}` } }] }],
    ['data.b64_json', { data: { b64_json: picture } }],
    ['b64_json', { b64_json: picture }],
    ['data[] beside what it was drawn from', { image: other, data: [{ b64_json: picture }] }],
    ['data[] beside no error', { error: null, data: [{ b64_json: picture }] }],
    ['data[] beside an empty error', { error: {}, data: [{ b64_json: picture }] }],
    ['data[] beside no reason to hold it back', { reason: '', data: [{ b64_json: picture }] }],
    ['an entry with an empty error', { data: [{ error: { code: '' }, b64_json: picture }] }],
    ['the second entry', { data: [{ b64_json: null }, { b64_json: picture }] }],
  ])('%s', async (_name, said) => {
    expect(await partsOf(json(said))).toMatchObject([
      { kind: 'picture', source: { image: { ascii: Buffer.from(picture) } } },
    ]);
  });

  test('a picture long enough never becomes a string', async () => {
    const [part] = await partsOf(json({ data: [{ b64_json: longPicture }] }));
    expect(part).toMatchObject({ source: { image: { ascii: Buffer.from(longPicture) } } });
  });

  test.each([
    ['a short one', picture, '\\r\\n'],
    ['a short one, as a data URL', picture, '\\r\\n', 'data:image/png;base64,'],
    ['a long one', longPicture, '\\r\\n'],
    ['a long one, as a data URL', longPicture, '\\r\\n', 'data:image/png;base64,'],
    ['a long one, with one character a line', longPicture, '\\n'],
    ['a long one, with escapes of another kind', longPicture, '\\u000d\\u000a'],
    ['a long one, without escapes', longPicture, '\r\n'],
  ])('base64 with line breaks, as MIME has it: %s', async (_name, base64, lineBreak, head = '') => {
    const lines = `${head}${base64}`.replace(/.{76}/g, `$&${lineBreak}`) + lineBreak;
    const document = `{"data": [{"b64_json": "${lines}"}]}`;
    const [part] = await partsOf(answerOf('application/json', inPieces(document, 64 * 1024)));
    expect(part).toMatchObject({ source: { image: { ascii: Buffer.from(base64) } } });
  });

  test.each(['png', 'jpeg', 'webp'] as const)('the answer itself, in %s', async (format) => {
    const bytes = await makePicture(format);
    const headers = { 'content-type': `image/${format}` };
    const [part] = await Array.fromAsync(readAnswer(givenAnswer([bytes], { headers }), reading));
    expect(part).toMatchObject({ kind: 'picture', source: { image: { encoding: 'raw', bytes } } });
  });

  test('the base64 of a JPEG is no address, though it begins with a slash', async () => {
    const jpeg = Buffer.from('/9j/4AAQSkZJRgABAQAAAQABAAD', 'latin1');
    const [part] = await partsOf(json({ data: [{ b64_json: jpeg.toString() }] }));
    expect(part).toMatchObject({ source: { image: { ascii: jpeg } } });
  });

  test.each([['https://cdn.example/a.png'], ['/v1/images/1/content']])('%s', async (url) => {
    expect(await partsOf(json({ data: [{ url }] }))).toMatchObject([{ source: { address: url } }]);
  });
});

describe('what is no picture', () => {
  test.each([
    ['an empty list', { data: [] }, 'protocol'],
    ['words', { data: [{ b64_json: 'I cannot draw that, I am sorry.' }] }, 'protocol'],
    ['another scheme', { data: [{ url: 'file:///etc/passwd' }] }, 'protocol'],
    ['another host without a scheme', { data: [{ url: '//cdn.example/a.png' }] }, 'protocol'],
    ['an error', { error: { code: 'moderation_blocked' } }, 'refused'],
    ['an error beside the picture', { error: 'x', data: [{ b64_json: picture }] }, 'protocol'],
    ['an empty error alone', { error: {} }, 'protocol'],
    ['an error in its place', { data: [{ error: { code: 'insufficient_quota' } }] }, 'quota'],
    ['a picture held back', { data: [{ b64_json: picture, safe: false }] }, 'refused'],
    ['a picture with a reason to', { reason: 'x', data: [{ b64_json: picture }] }, 'refused'],
  ])('%s', async (_name, said, fault) => {
    await expect(partsOf(json(said))).rejects.toMatchObject({ fault });
  });

  test('a picture that was held back was made, and may have been charged', async () => {
    const said = { data: [{ url: '', safe: false }] };
    await expect(partsOf(json(said))).rejects.toMatchObject({ possiblyCharged: true });
  });

  test('a status in the code of an error counts as that status', async () => {
    const said = { error: { code: 503, message: 'no provider' } };
    await expect(partsOf(json(said))).rejects.toMatchObject({ fault: 'unavailable', status: 200 });
  });
});

test.each([
  ['document', (b64_json: string) => json({ data: [{ b64_json }] })],
  ['stream', (b64_json: string) => events(event({ type: 'image_generation.completed', b64_json }))],
])('memory for a picture in a %s is taken in one go behind another one', async (_name, answer) => {
  const pictureTexts = new PictureTexts();
  const large = pngOfLength(2_500_000).toString('base64');
  const timesTaken = async () => {
    using lent = new LentMemory();
    const parts = await Array.fromAsync(readAnswer(answer(large), reading, pictureTexts));
    expect(parts).toHaveLength(1);
    return lent.times;
  };
  const first = await timesTaken();
  expect(await timesTaken()).toBeLessThan(first);
});

describe('the kind of an answer is told by its first bytes', () => {
  const completed = `data: {"type":"image_generation.completed","b64_json":"${picture}"}\n\n`;

  test.each([
    ['ends with its last event', [completed], true],
    ['goes on behind it', [completed, ': more\n\n'], true],
    ['was broken off', [new OutgoingError('cut', 'it is gone')], false],
  ])('one that %s', async (_name, pieces, isLetEnd) => {
    const answer = givenAnswer(pieces, { headers: { 'content-type': 'text/event-stream' } });
    await Array.fromAsync(readAnswer(answer, reading)).catch(() => {});
    expect(answer.wasLetEnd(), 'its connection is kept').toBe(isLetEnd);
  });
  const document = JSON.stringify({ data: [{ b64_json: picture }] });

  test.each([
    ['events labelled as JSON', 'application/json', completed],
    ['events labelled as text', 'text/plain', `event: image_generation.completed\n${completed}`],
    ['events after a comment', 'text/event-stream', `: keep-alive\n\n${completed}`],
    ['events after how long to wait', 'text/event-stream', `retry: 3000\n${completed}`],
    ['events after blank lines', 'text/plain', `\n\n${completed}`],
    ['JSON labelled as events', 'text/event-stream; charset=utf-8', document],
    ['JSON after white space', 'text/event-stream', `\n  ${document}`],
    ['JSON without a label', '', document],
  ])('%s', async (_name, type, text) => {
    for (const size of [1, 7, text.length]) {
      const parts = await partsOf(answerOf(type, inPieces(text, size)));
      expect(parts).toMatchObject([{ kind: 'picture', source: { image: { encoding: 'base64' } } }]);
    }
  });
});

describe('streams', () => {
  const succeeded = event({ type: 'image_generation.partial_succeeded', b64_json: picture });
  const partial = event({ type: 'image_generation.partial_image', b64_json: picture });
  const completed = event({
    type: 'image_generation.completed',
    usage: { output_tokens: 5, input_tokens: 2 },
  });

  test('the picture before the last event gets the tokens of the last', async () => {
    expect(await partsOf(events(succeeded, completed))).toMatchObject([
      { kind: 'picture', tokens: { input: 2, output: 5 } },
    ]);
  });

  test('of several pictures the first is given, with what was said of that', async () => {
    const first = { type: 'image_generation.partial_succeeded', b64_json: picture, quality: 'low' };
    const second = { ...first, b64_json: other, quality: 'high' };
    expect(await partsOf(events(event(first), event(second), completed))).toMatchObject([
      {
        source: { image: { ascii: Buffer.from(picture) } },
        actual: { quality: 'low' },
        tokens: { input: 2, output: 5 },
      },
    ]);
  });

  test('a picture survives an event before it that is not JSON', async () => {
    for (const odd of ['data: ping\n\n', partial.replace('}', '')]) {
      expect(await partsOf(events(odd, succeeded))).toMatchObject([{ kind: 'picture' }]);
    }
  });

  test('a picture that came whole survives what breaks behind it', async () => {
    async function* cut() {
      yield Buffer.from(succeeded);
      throw new OutgoingError('cut', 'cut');
    }
    expect(await partsOf(answerOf('text/event-stream', cut()))).toMatchObject([
      { kind: 'picture' },
    ]);
  });

  test('but not that it is held back after all', async () => {
    const refused = event({ type: 'error', error: { code: 'content_filter' } });
    await expect(partsOf(events(succeeded, refused))).rejects.toMatchObject({ fault: 'refused' });
  });

  test('a partial image is never taken for the picture', async () => {
    const error = { fault: 'protocol', possiblyCharged: true };
    await expect(partsOf(events(partial, partial))).rejects.toMatchObject(error);
  });

  test.each([
    ['a quote', '\\u0022AAA'],
    ['a line break', '\\u000aAAA'],
    ['a control character as it is', '\tAAA'],
    ['punctuation', '!AAA'],
  ])('a partial image with %s in its base64 is passed over', async (_name, written) => {
    // Long enough to be kept as the bytes it came in.
    const start = longPicture.slice(0, 40_000);
    const broken = `data: {"type":"x.partial_image","b64_json":"${start}${written}"}\n\n`;
    const whole = `data: {"type":"x.partial_image","b64_json":"${start}"}\n\n`;
    expect(await partsOf(events(broken, whole, succeeded))).toMatchObject([
      { kind: 'partial', image: { ascii: Buffer.from(start) } },
      { kind: 'picture' },
    ]);
  });

  test('nothing is read behind the last event', async () => {
    let wasRead = false;
    async function* pieces() {
      yield Buffer.from(event({ type: 'image_edit.completed', b64_json: picture }));
      wasRead = true;
      yield Buffer.from(partial);
    }
    expect((await partsOf(answerOf('text/event-stream', pieces()))).length).toBe(1);
    expect(wasRead).toBe(false);
  });

  test('an event that is no picture and no error is passed over', async () => {
    const words = event({ type: 'ar_delta', delta: 'A close-up product photo' });
    expect(await partsOf(events(words, succeeded))).toMatchObject([{ kind: 'picture' }]);
  });
});

describe('what an answer says of its picture', () => {
  test('a detail that is only auto says nothing', async () => {
    const said = { quality: 'auto', background: 'auto', data: [{ b64_json: picture }] };
    expect(await partsOf(json(said))).toMatchObject([
      { actual: { quality: null, background: null } },
    ]);
  });

  test('details that are no words of a few letters are left out', async () => {
    const said = {
      quality: 'q'.repeat(33),
      background: 'b'.repeat(32),
      data: [{ b64_json: picture }],
    };
    expect(await partsOf(json(said))).toMatchObject([
      { actual: { quality: null, background: 'b'.repeat(32) } },
    ]);
  });

  test.each([
    [
      { input_tokens: 1.5, output_tokens: 3 },
      { input: 0, output: 3 },
    ],
    [{ input_tokens: -1, output_tokens: 'x' }, null],
    [{ total_tokens: 4 }, null],
    ['none', null],
  ])('counts of tokens in %j', async (usage, tokens) => {
    const [part] = await partsOf(json({ usage, data: [{ b64_json: picture }] }));
    if (tokens === null) expect(part).toMatchObject({ tokens: null });
    else expect(part).toMatchObject({ tokens });
  });
});

function json(value: unknown) {
  return answerOf('application/json', inPieces(JSON.stringify(value), 64 * 1024));
}

function event(data: { type: string } & Record<string, unknown>): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
}

function events(...texts: readonly string[]) {
  return answerOf('text/event-stream', inPieces(texts.join(''), 64 * 1024));
}

function answerOf(type: string, body: AsyncGenerator<Buffer>) {
  return { status: 200, headers: { 'content-type': type }, body, discard: () => {} };
}

async function* inPieces(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

async function partsOf(answer: ReturnType<typeof answerOf>): Promise<AnswerPart[]> {
  const parts: AnswerPart[] = [];
  for await (const part of readAnswer(answer, reading)) parts.push(part);
  return parts;
}
