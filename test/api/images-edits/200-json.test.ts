import { describe, expect, test } from 'vitest';
import { imageLimits } from '../../../shared/limits.ts';
import { imagesOf } from '../../support/callers/answers.ts';
import { describeApi } from '../../support/callers/api.ts';
import { describeEdits } from '../../support/callers/edit-contract.ts';
import { optionalFields } from '../../support/callers/field-table.ts';
import { dataUrl, dot, jsonEdit, smallPrompt } from '../../support/callers/ways-to-ask.ts';
import { makePicture, pngOfLength } from '../../support/pictures.ts';

describeApi((api) => {
  const edit = (fields = {}) => api.ask(jsonEdit, fields);

  describeEdits(api, jsonEdit, (images, mask) => ({
    images: images.map((bytes) => ({ image_url: dataUrl(bytes) })),
    ...(mask && { mask: { image_url: dataUrl(mask) } }),
  }));

  describe('an edit in JSON', () => {
    test('reads null as absent, in every field that may be absent', async () => {
      const nulls = Object.fromEntries(optionalFields(jsonEdit).map((name) => [name, null]));
      const prompt = `${smallPrompt} [[seed=1]]`;
      const images = [{ image_url: dataUrl(dot), file_id: null }];
      const withNulls = imagesOf(await edit({ ...nulls, prompt, images, mask: null }));
      const without = imagesOf(await edit({ prompt }));
      expect(withNulls).toEqual({ ...without, created: withNulls.created });
    });

    test('ignores fields that it does not know', async () => {
      const fields = { user: 'u', moderation_level: 'x', future: [{ a: 1 }] };
      expect(await edit(fields)).toMatchObject({ status: 200 });
    });

    test.each([
      ['without a media type', `data:;base64,${dot.toString('base64')}`],
      ['of another media type', dataUrl(dot, 'application/octet-stream')],
      ['of a wrong media type', dataUrl(dot, 'image/jpeg')],
      ['with parameters', `data:image/png;name=a.png;base64,${dot.toString('base64')}`],
      ['in capitals', `DATA:image/png;BASE64,${dot.toString('base64')}`],
    ])('takes a data URL %s', async (_how, url) => {
      expect(await edit({ images: [{ image_url: url }] })).toMatchObject({ status: 200 });
    });

    test.each(['png', 'jpeg', 'webp'] as const)('takes a %s', async (format) => {
      const url = dataUrl(await makePicture(format), `image/${format}`);
      expect(await edit({ images: [{ image_url: url }] })).toMatchObject({ status: 200 });
    });

    test('takes pictures of 20 MiB, reference and mask', async () => {
      const largest = dataUrl(pngOfLength(imageLimits.fileBytesMax));
      const images = [{ image_url: dataUrl(dot) }, { image_url: largest }];
      expect(await edit({ images })).toMatchObject({ status: 200 });
    });
  });
});
