import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { imageLimits } from '../../../shared/limits.ts';
import {
  accepted,
  field,
  file,
  formOf,
  inPieces,
  wanted,
} from '../../../test/support/callers/form-body.ts';
import { hugeWebp, makePicture, pngOfLength } from '../../../test/support/pictures.ts';
import {
  type ReadingServer,
  startReadingServer,
} from '../../../test/support/services/reading-server.ts';
import { readEdit } from './read-image-request.ts';

const { fileBytesMax } = imageLimits;
const editBytesMax = 45_000_000;

let server: ReadingServer;
let png: Buffer;
let jpeg: Buffer;
let webp: Buffer;
let mask: Buffer;
beforeAll(async () => {
  server = await startReadingServer((message) =>
    readEdit(message, {
      fetchImage: () => Promise.reject(new Error('a form has no URLs')),
      limits: { generationBytesMax: 1, editBytesMax },
    }),
  );
  png = await makePicture('png', { width: 8, height: 6 });
  jpeg = await makePicture('jpeg', { width: 20, height: 10 });
  webp = await makePicture('webp', { width: 3, height: 2 });
  mask = await makePicture('png', { width: 8, height: 6, alpha: true });
});
afterAll(() => server.close());

describe('the form of an edit', () => {
  test('has fields and a picture in any order', async () => {
    const expected = { kind: 'request', request: { operation: 'edit', model: 'm', prompt: 'p' } };
    expect(
      await sendForm(field('model', 'm'), field('prompt', 'p'), file('image', png)),
    ).toMatchObject(expected);
    const backwards = await sendForm(file('image', png), field('prompt', 'p'), field('model', 'm'));
    expect(backwards).toMatchObject(expected);
  });

  test('carries the picture as it is', async () => {
    const reading = await sendForm(...wanted(), file('image', jpeg));
    const [image] = accepted(reading).request.referenceImages;
    expect(image?.bytes.equals(jpeg)).toBe(true);
    expect(image).toMatchObject({ format: 'jpeg', width: 20, height: 10, hasAlpha: false });
  });

  test('names its pictures in any way and keeps their order', async () => {
    const names = ['image', 'image[]', 'image[7]', 'image', 'image[0]', 'image[]'];
    const pictures = [png, jpeg, webp, jpeg, png, webp];
    const parts = pictures.map((bytes, index) => file(names[index] ?? '', bytes));
    const reading = await sendForm(file('mask', mask), ...parts, ...wanted());
    const { referenceImages } = accepted(reading).request;
    expect(
      referenceImages.map(({ bytes }) => pictures.findIndex((one) => one.equals(bytes))),
    ).toEqual([0, 1, 2, 1, 0, 2]);
  });

  test('is the form that browsers and SDKs write', async () => {
    const form = new FormData();
    form.set('model', 'm');
    form.set('prompt', 'a “quoted” prompt\nof two lines 😀');
    form.append('image[]', new Blob([new Uint8Array(png)]), 'näme "with" quotes\\.png');
    form.append('image[]', new Blob([new Uint8Array(webp)], { type: 'image/jpeg' }), 'b');
    form.set('mask', new Blob([new Uint8Array(mask)], { type: 'text/plain' }), 'mask.txt');
    const reading = await server.send({ body: form });
    expect(accepted(reading).request).toMatchObject({
      // Forms write every line break as CR LF.
      prompt: 'a “quoted” prompt\r\nof two lines 😀',
      referenceImages: [{ format: 'png' }, { format: 'webp' }],
      mask: { format: 'png', hasAlpha: true },
    });
  });

  test('writes numbers and booleans as text', async () => {
    const fields = { n: '1', output_compression: '80', partial_images: '3', output_format: 'webp' };
    for (const stream of ['true', 'TRUE', 'True', '1']) {
      const reading = await sendForm(...wanted({ ...fields, stream }), file('image', png));
      expect(accepted(reading).request).toMatchObject({
        n: 1,
        outputCompression: 80,
        partialImages: 3,
        stream: true,
      });
    }
    for (const stream of ['false', 'False', '0']) {
      const reading = await sendForm(...wanted({ stream, n: '10' }), file('image', png));
      expect(accepted(reading).request).toMatchObject({ stream: false, n: 10 });
    }
  });

  test.each([
    ...[' 3', '3.0', '3.5', '-1', '+3', '0x3', '1e1', 'three', '３', '11', '99999999999', 'null'],
  ])('does not write a number as %j', async (n) => {
    const reading = await sendForm(...wanted({ n }), file('image', png));
    expect(reading).toMatchObject({
      param: 'n',
      message: 'n must be a whole number from 1 to 10.',
    });
  });

  test.each(['yes', 'on', ' true', '2', 'null'])(
    'does not write a boolean as %j',
    async (stream) => {
      const reading = await sendForm(...wanted({ stream }), file('image', png));
      expect(reading).toMatchObject({ param: 'stream' });
    },
  );

  test('leaves a field out that is empty, as clients write what was not set, but no other', async () => {
    const bare = await sendForm(...wanted(), file('image', png));
    const names = ['n', 'size', 'response_format', 'output_compression', 'stream'];
    const empty = Object.fromEntries([...names, 'input_fidelity'].map((name) => [name, '']));
    const reading = await sendForm(...wanted(empty), file('image', png));
    expect(accepted(reading).fingerprint).toBe(accepted(bare).fingerprint);
    for (const name of ['model', 'prompt']) {
      const refused = await sendForm(...wanted({ [name]: '' }), file('image', png));
      expect(refused).toMatchObject({ kind: 'refused', param: name });
    }
    expect(await sendForm(...wanted({ size: ' ' }), file('image', png))).toMatchObject({
      param: 'size',
    });
  });

  test('means the same whatever its boundary, order and way to name pictures', async () => {
    const parts = [...wanted({ n: '2', quality: 'standard' }), file('image[]', png)];
    const first = await sendForm(...parts);
    const second = await server.send(
      formOf([file('image', png), ...wanted({ quality: 'auto', n: '2', user: 'u' })], 'another'),
    );
    const third = await sendForm(...parts.slice(0, -1), file('image', jpeg));
    expect(accepted(second).fingerprint).toBe(accepted(first).fingerprint);
    expect(accepted(third).fingerprint).not.toBe(accepted(first).fingerprint);
  });

  test('may come one byte at a time', async () => {
    const { headers, body } = formOf([...wanted(), file('image', png), file('mask', mask)]);
    const reading = await server.send({ headers, body: inPieces(body, 1) });
    expect(accepted(reading).request).toMatchObject({
      referenceImages: [{ width: 8 }],
      mask: { width: 8 },
    });
  });

  test('may be broken into pieces anywhere', async () => {
    const { headers, body } = formOf([...wanted(), file('image', png)]);
    for (const size of [2, 3, 5, 7, 11, 13, 31, 61]) {
      const reading = await server.send({ headers, body: inPieces(body, size) });
      expect(
        accepted(reading).request.referenceImages[0]?.bytes.equals(png),
        `pieces of ${size}`,
      ).toBe(true);
    }
  });

  test('may have a preamble and an epilogue', async () => {
    const { headers, body } = formOf([...wanted(), file('image', png)]);
    const bytes = Buffer.concat([
      Buffer.from('hello\r\n'),
      body,
      Buffer.from('\r\nbye'.repeat(9000)),
    ]);
    expect(await server.send({ headers, body: inPieces(bytes, 5000) })).toMatchObject({
      kind: 'request',
    });
  });

  test('may contain what looks almost like its boundary', async () => {
    const prompt = 'p\r\n--boundar\r\n--Boundary--\r\n--\r\n';
    const reading = await sendForm(
      field('model', 'm'),
      field('prompt', prompt),
      file('image', png),
    );
    expect(accepted(reading).request.prompt).toBe(prompt);
  });

  test('may leave the file inputs it does not need empty', async () => {
    const parts = [...wanted(), file('image', png), file('mask', Buffer.alloc(0), '')];
    const reading = await sendForm(file('image', Buffer.alloc(0), ''), ...parts);
    expect(accepted(reading).request).toMatchObject({
      mask: null,
      referenceImages: [{ width: 8 }],
    });
  });

  test('may give a type instead of a file name', async () => {
    const part = Buffer.concat([
      Buffer.from('Content-Disposition: form-data; name=image\r\nContent-Type: image/png\r\n\r\n'),
      png,
    ]);
    expect(await sendForm(...wanted(), part)).toMatchObject({ kind: 'request' });
  });

  test.each(['', 'Content-Type: text/plain; charset=utf-8\r\n'])(
    'may give neither when it is plain what the bytes are: %j',
    async (type) => {
      const bare = (name: string, bytes: Buffer) => {
        const header = `Content-Disposition: form-data; name="${name}"\r\n${type}\r\n`;
        return Buffer.concat([Buffer.from(header), bytes]);
      };
      const parts = [bare('image[]', png), bare('image[]', webp), bare('mask', mask)];
      const reading = await sendForm(...wanted(), ...parts);
      const files = [file('image', png), file('image', webp), file('mask', mask)];
      const expected = accepted(await sendForm(...wanted(), ...files));
      expect(accepted(reading).fingerprint).toBe(expected.fingerprint);
    },
  );
});

describe('pictures of a form', () => {
  test('have up to 20 MiB each', async () => {
    const largest = pngOfLength(fileBytesMax);
    const reading = await sendForm(...wanted(), file('image', largest), file('image', largest));
    expect(accepted(reading).request.referenceImages.map(({ bytes }) => bytes.length)).toEqual([
      fileBytesMax,
      fileBytesMax,
    ]);
  });

  test.each([
    ['image', [['image', 0]]],
    [
      'image[1]',
      [
        ['image', 100],
        ['image', 0],
      ],
    ],
    [
      'image[2]',
      [
        ['image[]', 100],
        ['image[]', 100],
        ['image[5]', 0],
      ],
    ],
    [
      'mask',
      [
        ['image', 100],
        ['mask', 0],
      ],
    ],
  ] as const)('are refused as %s when they have one byte more', async (param, files) => {
    const parts = files.map(([name, length]) =>
      file(name, pngOfLength(length || fileBytesMax + 1)),
    );
    expect(await sendForm(...parts, ...wanted())).toMatchObject({
      kind: 'refused',
      param,
      message: `${param} must have at most 20971520 bytes.`,
    });
  });

  test('are at least one and at most sixteen', async () => {
    const pictures = (count: number) => Array.from({ length: count }, () => file('image[]', webp));
    expect(await sendForm(...wanted())).toMatchObject({ kind: 'refused', param: 'image' });
    expect(await sendForm(...wanted(), ...pictures(16))).toMatchObject({ kind: 'request' });
    expect(await sendForm(...wanted(), ...pictures(17))).toMatchObject({
      kind: 'refused',
      param: 'image',
    });
  });

  test.each([
    ['text', Buffer.from('hello')],
    ['nothing', Buffer.alloc(0)],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['a GIF', Buffer.from('GIF89a\x01\0\x01\0\0\0\0;')],
    ['a PNG cut short', pngOfLength(500).subarray(0, 400)],
    ['a bomb', hugeWebp(16_383, 16_383)],
  ])('are refused when they are %s, whatever they claim', async (_name, bytes) => {
    const honest = file('image', png);
    expect(await sendForm(...wanted(), file('image', bytes))).toMatchObject({ param: 'image' });
    expect(await sendForm(...wanted(), honest, file('image[]', bytes))).toMatchObject({
      param: 'image[1]',
    });
    expect(await sendForm(...wanted(), honest, file('mask', bytes))).toMatchObject({
      param: 'mask',
    });
  });

  test('are said to be empty when a client read its file before it sent it', async () => {
    const message = (param: string) =>
      `${param} is empty. Send the bytes of the picture; a file that was read before must be opened anew.`;
    const nothing = Buffer.alloc(0);
    expect(await sendForm(...wanted(), file('image', nothing))).toMatchObject({
      param: 'image',
      message: message('image'),
    });
    const parts = [...wanted(), file('image', png), file('mask', nothing)];
    expect(await sendForm(...parts)).toMatchObject({ param: 'mask', message: message('mask') });
  });

  test.each(['image', 'mask'])(
    'are refused when their bytes were rewritten for mail: %s',
    async (name) => {
      const coded = file(name, Buffer.from(png.toString('base64')));
      const header = Buffer.from('Content-Transfer-Encoding: base64\r\n');
      const parts = [...wanted(), file('image', png), Buffer.concat([header, coded])];
      const param = name === 'image' ? 'image[1]' : 'mask';
      expect(await sendForm(...parts)).toMatchObject({
        param,
        message: `${param} must be sent as it is, without a Content-Transfer-Encoding.`,
      });
    },
  );

  test.each([
    ['is sent twice', () => [file('mask', mask), file('mask', mask)]],
    ['has no alpha channel', () => [file('mask', png)]],
    ['is no PNG', () => [file('mask', jpeg)]],
  ])('go without a mask that %s', async (_name, masks) => {
    const reading = await sendForm(...wanted(), file('image', png), ...masks());
    expect(reading).toMatchObject({ kind: 'refused', param: 'mask' });
  });

  test('go without a mask of another size than the first of them', async () => {
    const fits = await sendForm(
      ...wanted(),
      file('image', png),
      file('image', webp),
      file('mask', mask),
    );
    const fitsNot = await sendForm(
      ...wanted(),
      file('image', webp),
      file('image', png),
      file('mask', mask),
    );
    expect(fits).toMatchObject({ kind: 'request' });
    expect(fitsNot).toMatchObject({ kind: 'refused', param: 'mask' });
  });
});

function sendForm(...parts: readonly Buffer[]) {
  return server.send(formOf(parts));
}
