import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accepted, field, file, formOf, wanted } from '../../../test/support/callers/form-body.ts';
import { makePicture } from '../../../test/support/pictures.ts';
import {
  type ReadingServer,
  startReadingServer,
} from '../../../test/support/services/reading-server.ts';
import { readEdit } from './read-image-request.ts';

let server: ReadingServer;
let png: Buffer;
beforeAll(async () => {
  server = await startReadingServer((message) =>
    readEdit(message, {
      fetchImage: () => Promise.reject(new Error('a form has no URLs')),
      limits: { generationBytesMax: 1, editBytesMax: 45_000_000 },
    }),
  );
  png = await makePicture('png');
});
afterAll(() => server.close());

describe('parts that do not belong into a form', () => {
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
    ...['input_image', 'input_image_mask[image_url]', 'init_image', 'reference_images[]'],
    'markup',
  ])('are refused as text: %s', async (name) => {
    const foreign = field(name, 'https://example.com/a.png');
    const reading = await sendForm(...wanted(), file('image', png), foreign);
    expect(reading).toMatchObject({ kind: 'refused', message: expect.stringMatching(/send JSON/) });
  });

  test.each(['image', 'image[]', 'mask', 'image_url', 'mask_url', 'markup'])(
    'are absent when their text is empty: %s',
    async (name) => {
      const bare = await sendForm(...wanted(), file('image', png));
      const reading = await sendForm(field(name, ''), ...wanted(), file('image', png));
      expect(accepted(reading).fingerprint).toBe(accepted(bare).fingerprint);
    },
  );

  test('are refused as files where text is meant', async () => {
    const parts = [field('model', 'm'), file('prompt', Buffer.from('p')), file('image', png)];
    expect(await sendForm(...parts)).toMatchObject({ param: 'prompt' });
  });

  test('are refused as a file that is no reference image', async () => {
    const reading = await sendForm(...wanted(), file('image', png), file('markup', png));
    expect(reading).toMatchObject({ kind: 'refused', param: 'markup' });
  });

  test('are refused as files of an unknown name', async () => {
    const reading = await sendForm(...wanted(), file('image', png), file('picture', png));
    expect(reading).toMatchObject({ kind: 'refused', param: null });
  });

  test.each(['model', 'prompt', 'n', 'stream', 'input_fidelity'])(
    'are refused twice with different values: %s',
    async (name) => {
      const twice = [field(name, '1'), field(name, '2')];
      expect(await sendForm(...twice, file('image', png))).toMatchObject({
        kind: 'refused',
        param: name,
        message: `${name} was sent more than once, with different values.`,
      });
    },
  );

  test('are refused with a value and then without', async () => {
    const parts = [...wanted(), field('n', '3'), field('n', ''), file('image', png)];
    expect(await sendForm(...parts)).toMatchObject({ kind: 'refused', param: 'n' });
  });

  test('count once where the same is said again, as async-openai says its output_compression', async () => {
    const asked = [...wanted({ output_format: 'webp', output_compression: '50' })];
    const once = await sendForm(...asked, file('image', png));
    const again = [field('output_compression', '50'), field('model', 'm')];
    const reading = await sendForm(...asked, file('image', png), ...again);
    expect(accepted(reading).request).toMatchObject({ model: 'm', outputCompression: 50 });
    expect(accepted(reading).fingerprint).toBe(accepted(once).fingerprint);
  });

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
    expect(accepted(reading).fingerprint).toBe(accepted(bare).fingerprint);
    expect(({} as { n?: unknown }).n).toBeUndefined();
  });

  test.each(['base64', 'Quoted-Printable', 'x-uuencode'])(
    'are refused as text that was rewritten for mail: %s',
    async (coding) => {
      const prompt = encodedField('prompt', coding, 'R3LDvG4=');
      expect(await sendForm(field('model', 'm'), prompt, file('image', png))).toMatchObject({
        kind: 'refused',
        param: 'prompt',
        message: 'prompt must be sent as it is, without a Content-Transfer-Encoding.',
      });
    },
  );

  test.each(['7bit', '8bit', 'Binary', ''])(
    'are text as it is when they say so: %j',
    async (coding) => {
      const parts = [field('model', 'm'), file('image', png)];
      const bare = await sendForm(...parts, field('prompt', 'p'));
      const reading = await sendForm(...parts, encodedField('prompt', coding, 'p'));
      expect(accepted(reading).fingerprint).toBe(accepted(bare).fingerprint);
    },
  );

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

function encodedField(name: string, coding: string, text: string): Buffer {
  const plain = field(name, text).toString();
  return Buffer.from(`Content-Transfer-Encoding: ${coding}\r\n${plain}`);
}

function sendForm(...parts: readonly Buffer[]) {
  return server.send(formOf(parts));
}
