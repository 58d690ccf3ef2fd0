import { describe, expect, test } from 'vitest';
import { imageLimits } from '../../../shared/limits.ts';
import { pictureOf } from '../../support/callers/answers.ts';
import { describeApi } from '../../support/callers/api.ts';
import { describeEdits } from '../../support/callers/edit-contract.ts';
import { file, wanted, formOf as writeForm } from '../../support/callers/form-body.ts';
import { dot, formEdit, formOf, smallPrompt } from '../../support/callers/ways-to-ask.ts';
import { makePicture, pngOfLength } from '../../support/pictures.ts';

describeApi((api) => {
  const edit = (fields = {}) => api.ask(formEdit, fields);
  const send = (form: FormData) => api.send('POST', formEdit.path, { body: form });

  describeEdits(api, formEdit, (images, mask) => ({ image: images, ...(mask && { mask }) }));

  describe('an edit as a form', () => {
    test('takes pictures as image, image[] and image[N], repeated and mixed', async () => {
      const [a, b] = [await makePicture('png', { width: 9 }), await makePicture('jpeg')];
      const fields = { model: 'gen-image-2', prompt: 'a fox [[actual=64x64]] [[seed=5]]' };
      const expected = pictureOf(await send(formOf({ ...fields, image: [a, b] })));
      for (const names of [
        { 'image[]': [a, b] },
        { 'image[0]': a, 'image[1]': b },
        { image: a, 'image[]': b },
        { 'image[]': a, image: b },
        // The order of arrival counts.
        { 'image[5]': a, 'image[2]': b },
      ]) {
        const picture = pictureOf(await send(formOf({ ...fields, ...names })));
        expect(picture.equals(expected)).toBe(true);
      }
    });

    test('takes its parts in any order', async () => {
      const form = new FormData();
      form.append('mask', new Blob([new Uint8Array(await makePicture('png', { alpha: true }))]));
      form.append('image', new Blob([new Uint8Array(await makePicture('png'))]));
      form.append('prompt', smallPrompt);
      form.append('quality', 'low');
      form.append('model', 'gen-image-2');
      expect(await send(form)).toMatchObject({ status: 200 });
    });

    test.each([
      ['application/octet-stream', 'blob'],
      ['', 'image.png'],
      ['text/plain', 'notes.txt'],
      ['image/gif', '../../etc/passwd'],
      ['image/png', 'naïve “画像”.png'],
    ])('decides by the bytes, not by the type %j and the name %j', async (type, name) => {
      for (const format of ['png', 'jpeg', 'webp'] as const) {
        const form = new FormData();
        form.append('model', 'gen-image-2');
        form.append('prompt', smallPrompt);
        form.append('image', new Blob([new Uint8Array(await makePicture(format))], { type }), name);
        expect(await send(form)).toMatchObject({ status: 200 });
      }
    });

    test('takes numbers and booleans as text', async () => {
      const numbers = { n: '2', output_compression: '80', output_format: 'webp' };
      expect(await edit({ ...numbers, stream: 'false' })).toMatchObject({ status: 200 });
      const answer = await edit({ stream: 'True', partial_images: '1' });
      expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
      expect(answer.text.match(/^event: /gm)).toHaveLength(2);
    });

    test('ignores fields that it does not know', async () => {
      expect(await edit({ user: 'u', style: 'vivid', 'future[a]': '1' })).toMatchObject({
        status: 200,
      });
    });

    test('overlooks a file input that was left empty', async () => {
      const { headers, body } = writeForm([
        ...wanted({ model: 'gen-image-2', prompt: smallPrompt }),
        file('image', dot),
        file('mask', Buffer.alloc(0), ''),
      ]);
      expect(await api.send('POST', formEdit.path, { headers, body })).toMatchObject({
        status: 200,
      });
    });

    test('takes files of 20 MiB, reference and mask', async () => {
      const largest = pngOfLength(imageLimits.fileBytesMax);
      expect(await edit({ image: [dot, largest] })).toMatchObject({ status: 200 });
    });
  });
});
