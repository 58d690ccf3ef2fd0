import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inPieces } from '../../../test/support/callers/form-body.ts';
import { plainGeneration } from '../../../test/support/callers/image-requests.ts';
import {
  type ReadingServer,
  startReadingServer,
} from '../../../test/support/services/reading-server.ts';
import { readGeneration } from './read-image-request.ts';

const generationBytesMax = 100_000;
const wanted = { model: 'gen-image-2', prompt: 'a lighthouse' };

let server: ReadingServer;
beforeAll(async () => {
  server = await startReadingServer((message) =>
    readGeneration(message, {
      fetchImage: () => Promise.reject(new Error('a generation has no pictures')),
      limits: { generationBytesMax, editBytesMax: 1 },
    }),
  );
});
afterAll(() => server.close());

const json = { 'content-type': 'application/json' };
const send = (body: NonNullable<RequestInit['body']>, headers: Record<string, string> = json) =>
  server.send({ body, headers });
const sendFields = (fields: object) => send(JSON.stringify({ ...wanted, ...fields }));

describe('a generation', () => {
  test('needs no more than model and prompt', async () => {
    expect(await sendFields({})).toMatchObject({
      request: { ...plainGeneration, ...wanted },
    });
  });

  test('takes every field of the specification', async () => {
    const fields = {
      size: '1536x1024',
      quality: 'high',
      response_format: 'url',
      output_format: 'webp',
      background: 'transparent',
      output_compression: 80,
      moderation: 'low',
      stream: true,
      partial_images: 3,
    };
    expect(await sendFields(fields)).toMatchObject({
      request: {
        size: '1536x1024',
        quality: 'high',
        responseFormat: 'url',
        outputFormat: 'webp',
        background: 'transparent',
        outputCompression: 80,
        moderation: 'low',
        stream: true,
        partialImages: 3,
      },
    });
  });

  test('ignores fields it does not know, whatever they hold', async () => {
    const bare = await sendFields({});
    const extra = await sendFields({
      user: 'u-1',
      style: 'vivid',
      safety_identifier: 'x',
      price: -5,
      long: 'x'.repeat(50_000),
      callback: { urls: ['https://example.com/a.png', 'data:text/plain,a'] },
      metadata: { profile_id: 7, file_id: null, lists: [['x'.repeat(40_000)]] },
    });
    expect(extra).toMatchObject({ kind: 'request' });
    expect(extra).toEqual(bare);
  });

  test.each([
    { image: 'data:image/png;base64,AAAA' },
    { 'image[]': 'x' },
    { images: [{ image_url: 'https://example.com/a.png' }] },
    { image_url: 'https://example.com/a.png' },
    { mask: { image_url: 'x' } },
    { image_urls: ['https://example.com/a.png'] },
    { reference_images: ['https://example.com/a.png'] },
    { input_image_mask: { image_url: 'x' } },
    { markup: { image_url: 'x' } },
    // Under any other name a picture is told by its value.
    { reference: 'data:image/png;base64,AAAA' },
    { init_images: ['iVBORw0KGgoAAAANSUhEUg=='] },
    { extra: { input: [{ bytes: '/9j/4AAQSkZJRgABAQ==' }] } },
    { 'contents of': { source: `data:;base64,UklGR${'A'.repeat(50_000)}` } },
  ])('takes no pictures: %j', async (fields) => {
    expect(await sendFields(fields)).toMatchObject({
      kind: 'refused',
      param: 'contents of' in fields ? null : Object.keys(fields)[0],
      message: 'A generation takes no pictures; POST /v1/images/edits does.',
    });
  });

  test.each<[object, string]>([
    [{ file_id: 'file-1' }, 'file_id'],
    [{ input: [{ type: 'input_image', file_id: 'file-1' }] }, 'input[0].file_id'],
    [
      { extra: { references: [{}, { image: { fileId: 'file-1' } }] } },
      'extra.references[1].image.fileId',
    ],
  ])('refers to no file, however deep: %j', async (fields, param) => {
    expect(await sendFields(fields)).toMatchObject({
      kind: 'refused',
      param,
      message: expect.stringMatching(/^file_id is not supported\./),
    });
  });

  test.each([{ image: null }, { image: '' }, { images: [], mask: null }])(
    'does not mind where a picture would be: %j',
    async (fields) => {
      expect(await sendFields(fields)).toEqual(await sendFields({}));
    },
  );

  test('is not moved by a member called __proto__', async () => {
    const body = `{"model":"m","prompt":"p","__proto__":{"n":7},"constructor":{"prototype":{"n":7}}}`;
    expect(await send(body)).toMatchObject({ request: { n: 1, model: 'm' } });
  });

  test.each([
    ...['application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"'],
    'application/json; odata=verbose; charset=utf8',
  ])('may come as %s', async (type) => {
    expect(await send(JSON.stringify(wanted), { 'content-type': type })).toMatchObject({
      kind: 'request',
    });
  });

  test('may say that its body is not encoded', async () => {
    const headers = { ...json, 'content-encoding': 'identity' };
    expect(await send(JSON.stringify(wanted), headers)).toMatchObject({ kind: 'request' });
  });
});

describe('a prompt', () => {
  test('has up to 32,000 characters, however many bytes they take', async () => {
    for (const character of ['x', 'é', '漢', '😀']) {
      const longest = character.repeat(32_000);
      if (Buffer.byteLength(longest) < generationBytesMax) {
        expect(await sendFields({ prompt: longest })).toMatchObject({
          request: { prompt: longest },
        });
      }
      const tooLong = await sendFields({ prompt: character.repeat(32_001) });
      expect(tooLong, character).toMatchObject({ kind: 'refused', code: 'invalid_request_error' });
    }
  });

  test.each([32_001, 33_000, 90_000])('of %i characters is refused by name', async (length) => {
    expect(await sendFields({ prompt: 'x'.repeat(length) })).toMatchObject({
      param: 'prompt',
      message: 'prompt must be text of 1 to 32000 characters. It is longer.',
    });
  });

  test('may be written with escapes', async () => {
    const escaped = '\\u0041'.repeat(10_000);
    const body = `{"model":"m","prompt":"${escaped}"}`;
    expect(await send(body)).toMatchObject({ request: { prompt: 'A'.repeat(10_000) } });
  });

  test('keeps its line breaks and tabs', async () => {
    const prompt = 'one\ntwo\r\n\tthree';
    expect(await sendFields({ prompt })).toMatchObject({ request: { prompt } });
  });

  test.each([
    ['half a surrogate pair', '{"model":"m","prompt":"a \\ud83d b"}'],
    ['a NUL', '{"model":"m","prompt":"a \\u0000 b"}'],
    ['only white space', '{"model":"m","prompt":" \\n\\u3000"}'],
    ['nothing', '{"model":"m","prompt":""}'],
    ['null', '{"model":"m","prompt":null}'],
    ['a list', '{"model":"m","prompt":["a"]}'],
    ['absence', '{"model":"m"}'],
  ])('is refused for %s', async (_name, body) => {
    expect(await send(body)).toMatchObject({ kind: 'refused', param: 'prompt' });
  });

  test('is never repeated in an error', async () => {
    const answers = [
      await sendFields({ prompt: 'canary '.repeat(10_000) }),
      await sendFields({ prompt: ['canary'] }),
      await sendFields({ prompt: 'canary', size: 'canary', n: 'canary' }),
      await send('{"prompt": "canary'),
    ];
    expect(JSON.stringify(answers)).not.toContain('canary');
  });
});

describe('a body that is refused', () => {
  test.each([
    ['empty', ''],
    ['not JSON', 'model=m&prompt=p'],
    ['cut off', '{"model": "m", "prompt": "p"'],
    ['a list', '[]'],
    ['a string', '"x"'],
    ['a long string', JSON.stringify('x'.repeat(50_000))],
    ['a number', '1'],
    ['null', 'null'],
    ['UTF-16', Buffer.from(JSON.stringify(wanted), 'utf16le')],
    ['invalid UTF-8', Buffer.from('{"model":"m","prompt":"\xff\xfe"}', 'latin1')],
    ['an endless nest', '['.repeat(90_000)],
    ['a deep nest in a field that is ignored', `{"a":${'['.repeat(40)}${']'.repeat(40)}}`],
  ])('is %s', async (_name, body) => {
    expect(await send(body)).toMatchObject({ status: 400, kind: 'refused', param: null });
  });

  test.each([
    ['a form', { 'content-type': 'multipart/form-data; boundary=x' }],
    ['a web form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['text', { 'content-type': 'text/plain' }],
    ['JSON lines', { 'content-type': 'application/jsonl' }],
    ['nothing in particular', { 'content-type': '' }],
    ['JSON in UTF-16', { 'content-type': 'application/json; charset=utf-16' }],
    ['JSON in Latin-1', { 'content-type': 'application/json;charset=iso-8859-1' }],
  ])('claims to be %s', async (_name, headers) => {
    expect(await send(JSON.stringify(wanted), headers)).toMatchObject({
      kind: 'refused',
      message: expect.stringMatching(/Content-Type must be application\/json|UTF-8/),
    });
  });

  test('is compressed', async () => {
    const headers = { ...json, 'content-encoding': 'gzip' };
    const body = new Uint8Array(gzipSync(JSON.stringify(wanted)));
    expect(await send(body, headers)).toMatchObject({ kind: 'refused', param: null });
  });

  test('is longer than the limit by one byte, announced or not', async () => {
    const fitting = JSON.stringify(wanted).padEnd(generationBytesMax, ' ');
    expect(await send(fitting)).toMatchObject({ kind: 'request' });
    expect(await send(inPieces(Buffer.from(fitting), 7_000))).toMatchObject({ kind: 'request' });
    const message =
      'The body is too large: at most 100000 bytes are accepted. A generation takes no pictures; POST /v1/images/edits does.';
    const tooLong = { kind: 'refused', message };
    expect(await send(`${fitting} `)).toMatchObject(tooLong);
    expect(await send(inPieces(Buffer.from(`${fitting} `), 7_000))).toMatchObject(tooLong);
  });

  test('is so long that it takes a while to send, and its sender still reads why', async () => {
    const answer = await send(new Uint8Array(30_000_000));
    expect(answer).toMatchObject({ status: 400, kind: 'refused' });
  });

  test('has no end in sight, and is cut off', async () => {
    const socket = server.connect();
    socket.on('error', () => {});
    socket.write('POST / HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n');
    socket.write('content-length: 100000000000\r\n\r\n');
    const closed = new Promise((resolve) => socket.on('close', resolve));
    const block = Buffer.alloc(1_000_000);
    const pour = () => {
      while (socket.writable && socket.write(block));
    };
    socket.on('drain', pour);
    pour();
    expect(await server.nextReading()).toMatchObject({ kind: 'refused' });
    await closed;
  });

  test('is broken off by its sender', async () => {
    const socket = server.connect();
    socket.write('POST / HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n');
    socket.write('content-length: 100\r\n\r\n{"model": "m",');
    socket.on('connect', () => setImmediate(() => socket.destroy()));
    expect(await server.nextReading()).toMatchObject({
      kind: 'refused',
      message: 'The body ended before it was complete.',
    });
  });
});

test('a refused request leaves the connection usable for the next', async () => {
  const socket = server.connect();
  let received = '';
  const request = (body: string) =>
    `POST / HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  const answered = new Promise<void>((resolve) => {
    socket.on('data', (piece) => {
      received += piece.toString();
      if (received.match(/HTTP\/1\.1/g)?.length === 2) resolve();
    });
  });
  socket.write(request('x'.repeat(generationBytesMax + 50_000)) + request(JSON.stringify(wanted)));
  await answered;
  socket.destroy();
  expect(received).toMatch(/^HTTP\/1\.1 400[^]*HTTP\/1\.1 200/);
  expect((await server.nextReading()).kind).toBe('refused');
  expect((await server.nextReading()).kind).toBe('request');
});

test('a body may come one byte at a time', async () => {
  const answer = await send(inPieces(Buffer.from(JSON.stringify(wanted)), 1));
  expect(answer).toMatchObject({ request: wanted });
});
