import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hugeWebp, makePicture, pngOfLength } from '../../../test/support/pictures.ts';
import {
  type Reading,
  type ReadingServer,
  startReadingServer,
} from '../../../test/support/reading-server.ts';
import { imageLimits } from '../../../shared/limits.ts';
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
    const [image] = requestOf(reading).referenceImages;
    expect(image?.bytes.equals(jpeg)).toBe(true);
    expect(image).toMatchObject({ format: 'jpeg', width: 20, height: 10, hasAlpha: false });
  });

  test('names its pictures in any way and keeps their order', async () => {
    const names = ['image', 'image[]', 'image[7]', 'image', 'image[0]', 'image[]'];
    const pictures = [png, jpeg, webp, jpeg, png, webp];
    const parts = pictures.map((bytes, index) => file(names[index] ?? '', bytes));
    const reading = await sendForm(file('mask', mask), ...parts, ...wanted());
    const { referenceImages } = requestOf(reading);
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
    expect(requestOf(reading)).toMatchObject({
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
      expect(requestOf(reading)).toMatchObject({
        n: 1,
        outputCompression: 80,
        partialImages: 3,
        stream: true,
      });
    }
    for (const stream of ['false', 'False', '0']) {
      const reading = await sendForm(...wanted({ stream, n: '10' }), file('image', png));
      expect(requestOf(reading)).toMatchObject({ stream: false, n: 10 });
    }
  });

  test.each([
    ...[
      '',
      ' 3',
      '3.0',
      '3.5',
      '-1',
      '+3',
      '0x3',
      '1e1',
      'three',
      '３',
      '11',
      '99999999999',
      'null',
    ],
  ])('does not write a number as %j', async (n) => {
    const reading = await sendForm(...wanted({ n }), file('image', png));
    expect(reading).toMatchObject({
      param: 'n',
      message: 'n must be a whole number from 1 to 10.',
    });
  });

  test.each(['', 'yes', 'on', ' true', '2', 'null'])(
    'does not write a boolean as %j',
    async (stream) => {
      const reading = await sendForm(...wanted({ stream }), file('image', png));
      expect(reading).toMatchObject({ param: 'stream' });
    },
  );

  test('means the same whatever its boundary, order and way to name pictures', async () => {
    const parts = [...wanted({ n: '2', quality: 'standard' }), file('image[]', png)];
    const first = await sendForm(...parts);
    const second = await server.send(
      formInit([file('image', png), ...wanted({ quality: 'auto', n: '2', user: 'u' })], 'another'),
    );
    const third = await sendForm(...parts.slice(0, -1), file('image', jpeg));
    expect(fingerprint(second)).toBe(fingerprint(first));
    expect(fingerprint(third)).not.toBe(fingerprint(first));
  });

  test('may come one byte at a time', async () => {
    const { headers, body } = formInit([...wanted(), file('image', png), file('mask', mask)]);
    const reading = await server.send({ headers, body: inPieces(body, 1) });
    expect(requestOf(reading)).toMatchObject({
      referenceImages: [{ width: 8 }],
      mask: { width: 8 },
    });
  });

  test('may be broken into pieces anywhere', async () => {
    const { headers, body } = formInit([...wanted(), file('image', png)]);
    for (const size of [2, 3, 5, 7, 11, 13, 31, 61]) {
      const reading = await server.send({ headers, body: inPieces(body, size) });
      expect(requestOf(reading).referenceImages[0]?.bytes.equals(png), `pieces of ${size}`).toBe(
        true,
      );
    }
  });

  test('may have a preamble and an epilogue', async () => {
    const { headers, body } = formInit([...wanted(), file('image', png)]);
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
    expect(requestOf(reading).prompt).toBe(prompt);
  });

  test('may leave the file inputs it does not need empty', async () => {
    const parts = [...wanted(), file('image', png), file('mask', Buffer.alloc(0), '')];
    const reading = await sendForm(file('image', Buffer.alloc(0), ''), ...parts);
    expect(requestOf(reading)).toMatchObject({ mask: null, referenceImages: [{ width: 8 }] });
  });

  test('may give a type instead of a file name', async () => {
    const part = Buffer.concat([
      Buffer.from('Content-Disposition: form-data; name=image\r\nContent-Type: image/png\r\n\r\n'),
      png,
    ]);
    expect(await sendForm(...wanted(), part)).toMatchObject({ kind: 'request' });
  });
});

describe('pictures of a form', () => {
  test('have up to 20 MiB each', async () => {
    const largest = pngOfLength(fileBytesMax);
    const reading = await sendForm(...wanted(), file('image', largest), file('image', largest));
    expect(requestOf(reading).referenceImages.map(({ bytes }) => bytes.length)).toEqual([
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

describe('parts that do not belong', () => {
  test.each([
    ...['file_id', 'image_file_id', 'mask_file_id', 'image[file_id]', 'mask.file_id', 'file_ids[]'],
    ...['images[0][file_id]', 'images[0].file_id', 'fileId'],
  ])('are refused with an explanation: %s', async (name) => {
    const reading = await sendForm(...wanted(), file('image', png), field(name, 'file-123'));
    expect(reading).toMatchObject({
      kind: 'refused',
      code: 'invalid_request_error',
      param: name,
      message: expect.stringMatching(/^file_id is not supported\. Send the picture itself/),
    });
  });

  test.each([
    ...[
      'image',
      'image[]',
      'image[0]',
      'mask',
      'image_url',
      'images[0][image_url]',
      'mask[image_url]',
    ],
    ...['mask_url', 'images', 'image[][a]'],
  ])('are refused as text: %s', async (name) => {
    const reading = await sendForm(...wanted(), field(name, 'https://example.com/a.png'));
    expect(reading).toMatchObject({ kind: 'refused', message: expect.stringMatching(/send JSON/) });
  });

  test('are refused as files where text is meant', async () => {
    const parts = [field('model', 'm'), file('prompt', Buffer.from('p')), file('image', png)];
    expect(await sendForm(...parts)).toMatchObject({ param: 'prompt' });
  });

  test('are refused as files of an unknown name', async () => {
    const reading = await sendForm(...wanted(), file('image', png), file('picture', png));
    expect(reading).toMatchObject({ kind: 'refused', param: null });
  });

  test.each(['model', 'prompt', 'n', 'stream', 'input_fidelity'])(
    'are refused twice: %s',
    async (name) => {
      const twice = [field(name, '1'), field(name, '1')];
      expect(await sendForm(...twice, file('image', png))).toMatchObject({
        kind: 'refused',
        param: name,
        message: `${name} was sent more than once.`,
      });
    },
  );

  test('are ignored as text of an unknown name', async () => {
    const bare = await sendForm(...wanted(), file('image', png));
    const strange = [
      'user',
      '__proto__',
      'constructor[prototype][n]',
      'toString',
      'a[b][c]',
      'user',
    ];
    const parts = strange.map((name) => field(name, 'x'.repeat(100_000)));
    const reading = await sendForm(...parts, ...wanted(), file('image', png));
    expect(reading).toMatchObject({ kind: 'request' });
    expect(fingerprint(reading)).toBe(fingerprint(bare));
    expect(({} as { n?: unknown }).n).toBeUndefined();
  });

  test('are refused when they are too long or not UTF-8', async () => {
    const longest = '😀'.repeat(32_000);
    expect(await sendForm(...wanted({ prompt: longest }), file('image', png))).toMatchObject({
      kind: 'request',
    });
    for (const prompt of [`${longest}x`, 'x'.repeat(32_001), 'x'.repeat(5_000_000)]) {
      expect(await sendForm(...wanted({ prompt }), file('image', png))).toMatchObject({
        param: 'prompt',
      });
    }
    const latin = Buffer.from(
      'Content-Disposition: form-data; name="prompt"\r\n\r\ncaf\xe9',
      'latin1',
    );
    expect(await sendForm(field('model', 'm'), latin, file('image', png))).toMatchObject({
      param: 'prompt',
    });
  });
});

describe('a broken form', () => {
  const malformed = { status: 400, kind: 'refused', param: null };

  test.each([
    ['no boundary', 'multipart/form-data'],
    ['an empty boundary', 'multipart/form-data; boundary='],
    ['an empty quoted boundary', 'multipart/form-data; boundary=""'],
    ['another boundary', 'multipart/form-data; boundary=elsewhere'],
    ['a boundary of 5,000 characters', `multipart/form-data; boundary=${'b'.repeat(5000)}`],
    ['another kind of multipart', 'multipart/mixed; boundary=boundary'],
    ['no type', ''],
  ])('has %s', async (_name, type) => {
    const { body } = formInit([...wanted(), file('image', png)]);
    const bytes = new Uint8Array(body);
    expect(await server.send({ headers: { 'content-type': type }, body: bytes })).toMatchObject(
      malformed,
    );
  });

  test('ends anywhere before its end', async () => {
    const { headers, body } = formInit([field('model', 'm'), file('image', webp)]);
    const last = body.lastIndexOf('--');
    for (let length = 0; length < last; length += 3) {
      const reading = await server.send({
        headers,
        body: new Uint8Array(body.subarray(0, length)),
      });
      expect(reading, `cut to ${length}`).toMatchObject(malformed);
    }
  });

  test('is broken off by its sender', async () => {
    const { body } = formInit([...wanted(), file('image', png)]);
    for (const length of [0, 5, 60, 250, body.length - 30]) {
      const socket = server.connect();
      socket.write('POST / HTTP/1.1\r\nhost: a\r\n');
      socket.write('content-type: multipart/form-data; boundary=boundary\r\n');
      socket.write(`content-length: ${body.length}\r\n\r\n`);
      socket.write(body.subarray(0, length), () => socket.destroy());
      expect(await server.nextReading(), `after ${length}`).toMatchObject({
        kind: 'refused',
        message: 'The body ended before it was complete.',
      });
    }
  });

  const part = (header: string) => Buffer.from(`${header}\r\n\r\nvalue`);
  test.each([
    ['a part without a header', part('')],
    ['a part without a name', part('Content-Disposition: form-data')],
    ['a part with an empty name', part('Content-Disposition: form-data; name=""')],
    ['a part of another disposition', part('Content-Disposition: attachment; name="a"')],
    ['a part with only a type', part('Content-Type: image/png')],
    ['a part whose header never ends', Buffer.from('Content-Disposition: form-data; name="a"')],
    [
      'a part whose name is cut by a line break',
      part('Content-Disposition: form-data; name="a\nb"'),
    ],
    ['a name of 1 MiB', part(`Content-Disposition: form-data; name="${'n'.repeat(1_048_576)}"`)],
    ['a name of 129 characters', part(`Content-Disposition: form-data; name="${'n'.repeat(129)}"`)],
    [
      '2,000 header lines',
      part(`${'X-Line: 1\r\n'.repeat(2000)}Content-Disposition: form-data; name="a"`),
    ],
  ])('has %s', async (_name, bad) => {
    expect(await sendForm(bad, ...wanted(), file('image', png))).toMatchObject(malformed);
    expect(await sendForm(...wanted(), file('image', png), bad)).toMatchObject(malformed);
  });

  test('has 10,000 fields, 1,000 files, or one part too many', async () => {
    const many = (count: number, one: Buffer) => Array.from({ length: count }, () => one);
    expect(await sendForm(...many(10_000, field('a', '')))).toMatchObject(malformed);
    expect(await sendForm(...many(1_000, file('image[]', webp)))).toMatchObject(malformed);
    const rest = [...wanted(), file('image', png)];
    expect(await sendForm(...many(97, field('a', '')), ...rest)).toMatchObject({ kind: 'request' });
    expect(await sendForm(...many(98, field('a', '')), ...rest)).toMatchObject(malformed);
  });

  test('has no parts at all', async () => {
    const { headers } = formInit([]);
    for (const body of [
      '',
      '--boundary--',
      '--boundary--\r\n',
      '\r\n\r\n',
      '--boundary\r\n--boundary--',
    ]) {
      expect(await server.send({ headers, body }), JSON.stringify(body)).toMatchObject({
        status: 400,
      });
    }
  });

  test('is longer than the limit, announced or not', async () => {
    const parts = [...wanted(), file('image', png)];
    const missing =
      editBytesMax -
      formInit(parts).body.length -
      field('a', '').length -
      '\r\n--boundary\r\n'.length;
    const sized = (length: number) => formInit([...parts, field('a', 'x'.repeat(length))]);
    const fitting = sized(missing);
    expect(fitting.body).toHaveLength(editBytesMax);
    expect(await server.send({ ...fitting, body: new Uint8Array(fitting.body) })).toMatchObject({
      kind: 'request',
    });
    const over = sized(missing + 1);
    const tooLarge = { ...malformed, message: expect.stringMatching(/too large/) };
    expect(await server.send({ ...over, body: new Uint8Array(over.body) })).toMatchObject(tooLarge);
    const { headers, body } = over;
    expect(await server.send({ headers, body: inPieces(body, 1_000_000) })).toMatchObject(tooLarge);
  });

  test('is refused early, and its sender still reads why', async () => {
    const filling = field('a', 'x'.repeat(40_000_000));
    const reading = await sendForm(field('file_id', 'f'), filling, ...wanted());
    expect(reading).toMatchObject({ status: 400, param: 'file_id' });
  });
});

function wanted(fields: Record<string, string> = {}): Buffer[] {
  return Object.entries({ model: 'm', prompt: 'p', ...fields }).map(([name, text]) =>
    field(name, text),
  );
}

function field(name: string, text: string): Buffer {
  return Buffer.from(`Content-Disposition: form-data; name="${name}"\r\n\r\n${text}`);
}

function file(name: string, bytes: Buffer, fileName = 'a.bin'): Buffer {
  const disposition = `form-data; name="${name}"; filename="${fileName}"`;
  const type = 'application/octet-stream';
  const header = `Content-Disposition: ${disposition}\r\nContent-Type: ${type}\r\n\r\n`;
  return Buffer.concat([Buffer.from(header), bytes]);
}

function formInit(parts: readonly Buffer[], boundary = 'boundary') {
  const opening = Buffer.from(`--${boundary}\r\n`);
  const pieces = parts.flatMap((part) => [opening, part, Buffer.from('\r\n')]);
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]),
  };
}

function sendForm(...parts: readonly Buffer[]) {
  const { headers, body } = formInit(parts);
  return server.send({ headers, body: new Uint8Array(body) });
}

function inPieces(bytes: Buffer, size: number): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) controller.close();
      else controller.enqueue(new Uint8Array(bytes.subarray(at, (at += size))));
    },
  });
}

function requestOf(reading: Reading) {
  if (reading.kind === 'refused') throw new Error(`${reading.param}: ${reading.message}`);
  return reading.request;
}

function fingerprint(reading: Reading): string {
  if (reading.kind === 'refused') throw new Error(`${reading.param}: ${reading.message}`);
  return reading.fingerprint;
}
