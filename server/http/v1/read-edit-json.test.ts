import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { imageLimits } from '../../../shared/limits.ts';
import { accepted, field, file, formOf } from '../../../test/support/callers/form-body.ts';
import { hugePng, makePicture, pngOfLength } from '../../../test/support/pictures.ts';
import {
  type ReadingServer,
  startReadingServer,
} from '../../../test/support/services/reading-server.ts';
import type { FetchImage } from '../../lib/outgoing/safe-fetch.ts';
import { invalidRequest } from '../../lib/service-error.ts';
import { readEdit } from './read-image-request.ts';

const { fileBytesMax } = imageLimits;
const limits = { generationBytesMax: 1_048_576, editBytesMax: 60_000_000 };

let server: ReadingServer;
let png: Buffer;
let webp: Buffer;
let mask: Buffer;
/** What the web answers in a test, by URL; null never answers. */
const web = new Map<string, Buffer | null>();
const fetched: { url: string; param: string }[] = [];
const aborted = Promise.withResolvers<void>();

const tooManyLinks = Array.from({ length: imageLimits.referenceImagesMax + 1 }, () => ({
  image_url: 'https://a.example/1',
}));

beforeAll(async () => {
  server = await startReadingServer((message) =>
    readEdit(message, { fetchImage: fetchFromWeb, fetchTimeoutMs: 7_000, limits }),
  );
  png = await makePicture('png', { width: 8, height: 6 });
  webp = await makePicture('webp', { width: 3, height: 2 });
  mask = await makePicture('png', { width: 8, height: 6, alpha: true });
});
afterAll(() => server.close());
afterEach(() => {
  web.clear();
  fetched.length = 0;
});

describe('an edit in JSON', () => {
  test('has its pictures in data URLs', async () => {
    const reading = await send({ images: [image(png), image(webp)], mask: image(mask) });
    const { request } = accepted(reading);
    expect(request).toMatchObject({ operation: 'edit', model: 'm', prompt: 'p' });
    expect(request.referenceImages.map(({ bytes }) => bytes)).toEqual([png, webp]);
    expect(request.mask?.bytes).toEqual(mask);
    expect(request.pictureParams).toEqual({ images: 'images', mask: 'mask.image_url' });
  });

  test('takes the fields of an edit', async () => {
    const fields = { input_fidelity: 'high', n: 2, background: 'opaque', size: '1024x1024' };
    const reading = await send({ ...fields, images: [image(png)], mask: null });
    expect(accepted(reading).request).toMatchObject({
      inputFidelity: 'high',
      n: 2,
      background: 'opaque',
      size: '1024x1024',
      mask: null,
    });
  });

  test('has large pictures, up to 20 MiB each', async () => {
    const largest = pngOfLength(fileBytesMax);
    const reading = await send({ images: [image(largest), image(largest)] });
    const lengths = accepted(reading).request.referenceImages.map(({ bytes }) => bytes.length);
    expect(lengths).toEqual([fileBytesMax, fileBytesMax]);
    const over = await send({ images: [image(png), image(pngOfLength(fileBytesMax + 1))] });
    expect(over).toMatchObject({
      param: 'images[1].image_url',
      message: expect.stringMatching(/20971520 bytes/),
    });
  });

  test.each([
    ['PHP, which escapes slashes', (json: string) => json.replaceAll('/', '\\/')],
    ['.NET, which escapes plus signs', (json: string) => json.replaceAll('+', '\\u002B')],
    ['Gson, which escapes equal signs', (json: string) => json.replaceAll('=', '\\u003d')],
  ])('may be written by %s', async (_name, rewrite) => {
    const picture = await makePicture('png', { width: 300, height: 200 });
    const large = pngOfLength(70_001);
    const body = JSON.stringify({
      model: 'm',
      prompt: 'p',
      images: [image(picture), image(large)],
    });
    const { request } = accepted(await server.send({ headers: json, body: rewrite(body) }));
    expect(request.referenceImages.map(({ bytes }) => bytes)).toEqual([picture, large]);
  });

  test('means the same as a form with the same pictures', async () => {
    const inJson = await send({ n: 2, images: [image(png), image(webp)], mask: image(mask) });
    const text = [field('prompt', 'p'), field('model', 'm'), field('n', '2')];
    const files = [file('mask', mask), file('image[]', png), file('image[]', webp)];
    const inForm = await server.send(formOf([...files, ...text]));
    expect(accepted(inForm).fingerprint).toBe(accepted(inJson).fingerprint);
  });

  test.each(['', 'text/plain', 'application/x-www-form-urlencoded', 'application/octet-stream'])(
    'must not be declared as %j',
    async (type) => {
      const body = Buffer.from(JSON.stringify({ model: 'm', prompt: 'p', images: [image(png)] }));
      const headers: Record<string, string> = type === '' ? {} : { 'content-type': type };
      expect(await server.send({ headers, body: new Uint8Array(body) })).toMatchObject({
        param: null,
        message: 'The Content-Type must be multipart/form-data or application/json.',
      });
    },
  );
});

describe('pictures by URL', () => {
  test('are fetched, in the order they were given', async () => {
    web.set('https://a.example/1', png).set('http://b.example/2', webp);
    web.set('https://a.example/mask', mask);
    const { request } = accepted(
      await send({
        images: [
          { image_url: 'https://a.example/1' },
          image(png),
          { image_url: 'http://b.example/2' },
        ],
        mask: { image_url: 'https://a.example/mask' },
      }),
    );
    expect(request.referenceImages.map(({ bytes }) => bytes)).toEqual([png, png, webp]);
    expect(request.mask?.bytes).toEqual(mask);
    expect(fetched.map(({ param }) => param).toSorted()).toEqual([
      'images[0].image_url',
      'images[2].image_url',
      'mask.image_url',
    ]);
  });

  test('are refused by name when one cannot be fetched', async () => {
    web.set('https://a.example/1', png);
    const images = ['https://a.example/1', 'https://a.example/2'].map((url) => ({
      image_url: url,
    }));
    expect(await send({ images })).toMatchObject({ param: 'images[1].image_url' });
  });

  test('are refused when what comes is no picture', async () => {
    web.set('https://a.example/1', Buffer.from('<html>'));
    const images = [{ image_url: 'https://a.example/1' }];
    expect(await send({ images })).toMatchObject({ param: 'images[0].image_url' });
  });

  test.each([{ size: '1x1' }, { n: 2, stream: true }, { images: tooManyLinks }])(
    'are not fetched for a request that is refused all the same: %j',
    async (fields) => {
      web.set('https://a.example/1', png);
      const images = [{ image_url: 'https://a.example/1' }];
      expect(await send({ images, ...fields })).toMatchObject({ kind: 'refused' });
      expect(fetched).toEqual([]);
    },
  );

  test('have a limit together', async () => {
    const largest = pngOfLength(fileBytesMax);
    const images = ['1', '2', '3'].map((name) => {
      web.set(`https://a.example/${name}`, largest);
      return { image_url: `https://a.example/${name}` };
    });
    expect(await send({ images: images.slice(1) })).toMatchObject({ kind: 'request' });
    expect(await send({ images })).toMatchObject({
      message: expect.stringMatching(/at most 60000000 bytes together/),
    });
  });

  test('are not waited for when the caller is gone', async () => {
    web.set('https://slow.example/', null);
    const images = [{ image_url: 'https://slow.example/' }];
    const body = JSON.stringify({ model: 'm', prompt: 'p', images });
    const socket = server.connect();
    socket.write('POST / HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n');
    socket.write(`content-length: ${body.length}\r\n\r\n${body}`);
    while (fetched.length === 0) await new Promise((resolve) => setImmediate(resolve));
    socket.destroy();
    await aborted.promise;
    expect(await server.nextReading()).toMatchObject({ kind: 'refused' });
  });
});

describe('pictures that are refused', () => {
  const first = 'images[0].image_url';
  const data = (rest: string) => ({ image_url: `data:${rest}` });

  test.each<[string, unknown, string]>([
    ['are missing', undefined, 'images'],
    ['are null', null, 'images'],
    ['are an empty list', [], 'images'],
    ['are one object', { image_url: 'https://a.example/' }, 'images'],
    ['are text', 'https://a.example/', 'images'],
    ['are texts in a list', ['https://a.example/'], 'images[0]'],
    ['are null in a list', [null], 'images[0]'],
    ['have no URL', [{}], first],
    ['have null for a URL', [{ image_url: null }], first],
    ['have an object for a URL', [{ image_url: { url: 'https://a.example/' } }], first],
    ['have a number for a URL', [{ image_url: 7 }], first],
    ['have an empty URL', [{ image_url: '' }], first],
    ['are bare base64', [{ image_url: 'iVBORw0KGgo=' }], first],
    ['are long bare base64', [{ image_url: 'iVBO'.repeat(20_000) }], first],
    [
      'are seventeen',
      Array.from({ length: 17 }, () => ({ image_url: 'https://a.example/' })),
      'images',
    ],
    ['are data URLs that are cut off', [data('image/png')], first],
    ['are data URLs without base64', [data('image/png,abc')], first],
    ['are empty data URLs', [data('image/png;base64,')], first],
    ['are junk in base64', [data('image/png;base64,!!!!')], first],
    ['are base64 with spaces', [data('image/png;base64,iVBO Rw0K')], first],
    ['are base64 without padding', [data('image/png;base64,iVBORw0KGg')], first],
    ['are URL-safe base64', [data('image/png;base64,____')], first],
    ['are text in base64', [data(`text/plain;base64,${btoa('hello')}`)], first],
    ['are SVG', [data(`image/svg+xml;base64,${btoa('<svg/>')}`)], first],
    ['are bombs', [image(hugePng(60_000, 60_000))], first],
    ['refer to files', [{ file_id: 'file-1' }], 'images[0].file_id'],
    ['refer to files as well', [data('x'), { image_url: 'a', file_id: 'b' }], 'images[1].file_id'],
  ])('%s', async (_name, images, param) => {
    const reading = await send({ images });
    expect(reading).toMatchObject({ kind: 'refused', code: 'invalid_request_error', param });
  });

  test('are more pixels than allowed, by one row', async () => {
    const reading = (height: number) => send({ images: [image(hugePng(40_000, height))] });
    expect(await reading(1_000)).toMatchObject({ kind: 'request' });
    expect(await reading(1_001)).toMatchObject({
      param: first,
      message: expect.stringMatching(/40000000 pixels/),
    });
  });

  test.each<[string, unknown, string]>([
    ['is text', 'https://a.example/', 'mask'],
    ['is a list', [{ image_url: 'https://a.example/' }], 'mask'],
    ['has no URL', {}, 'mask.image_url'],
    ['has null for a URL', { image_url: null }, 'mask.image_url'],
    ['has other members', { image_url: 'https://a.example/', invert: true }, 'mask'],
    ['refers to a file', { file_id: 'file-1' }, 'mask.file_id'],
    ['is no picture', data(`image/png;base64,${btoa('hello')}`), 'mask.image_url'],
  ])('have a mask that %s', async (_name, value, param) => {
    const reading = await send({ images: [image(png)], mask: value });
    expect(reading).toMatchObject({ kind: 'refused', param });
  });

  test('have a mask of another size or without alpha', async () => {
    const wrong = { kind: 'refused', param: 'mask.image_url' };
    expect(await send({ images: [image(webp)], mask: image(mask) })).toMatchObject(wrong);
    expect(await send({ images: [image(png)], mask: image(png) })).toMatchObject(wrong);
  });

  test.each(['file_id', 'image_file_id', 'mask_file_id', 'file_ids'])(
    'are hidden in %s',
    async (name) => {
      const reading = await send({ images: [image(png)], [name]: 'file-1' });
      expect(reading).toMatchObject({
        param: name,
        message: expect.stringMatching(/^file_id is not supported/),
      });
      const absent = await send({ images: [image(png)], [name]: null });
      expect(absent).toMatchObject({ kind: 'request' });
    },
  );

  test.each(['image', 'image[]', 'image_url'])('stand in %s', async (name) => {
    const reading = await send({ images: [image(png)], [name]: 'data:image/png;base64,AAAA' });
    expect(reading).toMatchObject({ param: name, message: expect.stringMatching(/images: \[/) });
  });

  test('stand beside other text that is too long', async () => {
    const chatter = Array(40).fill('é'.repeat(20_000));
    const reading = await send({ images: [image(png)], chatter });
    expect(reading).toMatchObject({
      message: expect.stringMatching(/at most 1048576 bytes are accepted besides/),
    });
  });

  test('are in lines, as mail and many a shell write base64', async () => {
    const inLines = (bytes: Buffer) => {
      const { image_url: url } = image(bytes);
      return { image_url: url.replaceAll(/.{76}/g, '$&\n') };
    };
    expect(await send({ images: [inLines(png)] })).toMatchObject({
      param: 'images[0].image_url',
      message: expect.stringMatching(/without line breaks/),
    });
    // No picture any more to a reader that keeps pictures as bytes, but text.
    expect(await send({ images: [inLines(pngOfLength(1_500_000))] })).toMatchObject({
      param: null,
      message: expect.stringMatching(/besides its pictures, .* without line breaks/),
    });
  });
});

const json = { 'content-type': 'application/json' };

function send(fields: object) {
  const body = JSON.stringify({ model: 'm', prompt: 'p', ...fields });
  return server.send({ headers: json, body });
}

function image(bytes: Buffer, type = 'application/octet-stream') {
  return { image_url: `data:${type};base64,${bytes.toString('base64')}` };
}

/** Stands for the guarded fetch, which has tests of its own. */
const fetchFromWeb: FetchImage = (url, { param, signal, timeoutMs }) => {
  expect(timeoutMs).toBe(7_000);
  fetched.push({ url, param });
  const answer = web.get(url);
  if (answer) return Promise.resolve(answer);
  if (answer === undefined) return Promise.reject(invalidRequest(param, 'not fetched'));
  return new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => {
      aborted.resolve();
      reject(signal.reason);
    });
  });
};
