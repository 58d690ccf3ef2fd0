/** What an administrator can correct. */
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { imageLimits } from '../../../shared/limits.ts';
import { joinedBody } from '../../../test/support/callers/joined-body.ts';
import {
  asked,
  capabilities,
  editWishes,
  sample,
  sentJson,
} from '../../../test/upstreams/openai-images-requests.ts';
import { settingsLimits, settingsSchema } from './settings.ts';

describe('corrections', () => {
  test('of the model behind a name', () => {
    const known = capabilities({ modelNames: { pictures: 'gpt-image-2' } }, 'pictures');
    expect(known).toMatchObject({
      transparentBackground: false,
      qualities: ['auto', 'low', 'medium', 'high'],
    });
    expect(capabilities({}, 'pictures').transparentBackground).toBe(true);
    expect(capabilities({}, '__proto__').transparentBackground).toBe(true);
  });

  test('of formats, qualities and transparency', async () => {
    const settings = {
      dialect: 'generic',
      formats: ['jpeg'],
      qualities: ['auto', 'high'],
      transparent: 'yes',
    };
    expect(capabilities(settings)).toMatchObject({
      formats: ['jpeg'],
      qualities: ['auto', 'high'],
      transparentBackground: true,
    });
    const wishes = { format: 'jpeg', quality: 'high', background: 'transparent' } as const;
    expect(await sentJson(settings, wishes)).toMatchObject({
      output_format: 'jpeg',
      quality: 'high',
      background: 'transparent',
    });
    expect(capabilities({ transparent: 'no' }).transparentBackground).toBe(false);
  });

  test.each([
    ['dialect', 0, {}],
    ['dialect', 2, { stream: true, partial_images: 2 }],
    ['never', 2, {}],
    ['partials', 2, { stream: true, partial_images: 2 }],
    ['partials', 0, {}],
    ['always', 0, { stream: true }],
  ])('of streams: %s with %i partial images', async (stream, partialImages, fields) => {
    const { stream: streams, partial_images } = await sentJson({ stream }, { partialImages });
    expect({
      ...(streams !== undefined && { stream: streams }),
      ...(partial_images !== undefined && { partial_images }),
    }).toEqual(fields);
  });

  test('a service that is not known to stream is believed to do so when it is said', () => {
    expect(capabilities({ dialect: 'generic' }).partialImages).toBe(false);
    expect(capabilities({ dialect: 'generic', stream: 'partials' }).partialImages).toBe(true);
  });

  test.each([
    ['never', undefined],
    ['b64_json', 'b64_json'],
    ['url', 'url'],
  ])('of response_format: %s', async (responseFormat, sent) => {
    const body = await sentJson({ dialect: 'xai', responseFormat });
    expect(body['response_format']).toBe(sent);
  });

  test('of edits: none', () => {
    expect(capabilities({ edit: 'none' })).toMatchObject({
      edit: false,
      mask: false,
      referenceImagesMax: 0,
    });
  });

  test.each([
    ['multipart-list', 'image[]'],
    ['multipart-repeated', 'image'],
  ])('of edits: %s', async (edit, name) => {
    const { request } = await asked({ dialect: 'ollama', edit }, await editWishes());
    expect(joinedBody(request.body).toString('latin1')).toContain(`name="${name}"; filename=`);
    expect(request.url.pathname).toBe('/base/images/edits');
  });

  test('of edits: json-images', async () => {
    const body = await sentJson({ edit: 'json-images' }, await editWishes(2));
    const url = expect.stringMatching(/^data:image\/png;base64,/);
    expect(body['images']).toEqual([{ image_url: url }, { image_url: url }]);
  });

  test('of edits: json-image', async () => {
    const body = await sentJson({ edit: 'json-image' }, await editWishes());
    const url = expect.stringMatching(/^data:image\/png;base64,/);
    expect(body['image']).toEqual(url);
    const { request } = await asked({ edit: 'json-image' }, await editWishes(2));
    expect(request.url.pathname).toBe('/base/images/generations');
    const several = await sentJson({ edit: 'json-image' }, await editWishes(2));
    expect(several['image']).toEqual([url, url]);
    // Nobody knows how such a service would take a mask, unless the administrator does.
    expect(capabilities({ edit: 'json-image' }).mask).toBe(false);
    expect(capabilities({ edit: 'json-image', mask: 'white' }).mask).toBe(true);
  });

  test('of references together with a mask', () => {
    expect(capabilities({ dialect: 'localai' })).toMatchObject({
      referenceImagesMax: 16,
      maskedReferenceImagesMax: 1,
    });
    for (const settings of [
      { dialect: 'openai' },
      { dialect: 'localai', edit: 'json-images' },
      { dialect: 'localai', mask: 'white' },
    ]) {
      expect(capabilities(settings)).not.toHaveProperty('maskedReferenceImagesMax');
    }
  });

  test('of masks', async () => {
    const wishes = { ...(await editWishes()), mask: await sample('png', true) };
    expect(capabilities({ mask: 'none' }).mask).toBe(false);
    const masks = await Promise.all(
      ['alpha', 'white', 'black'].map(async (mask) => {
        const body = await sentJson({ edit: 'json-images', mask }, wishes);
        const { image_url } = Object(body['mask']);
        const { data, info } = await sharp(
          Buffer.from(String(image_url).split(',')[1] ?? '', 'base64'),
        )
          .raw()
          .toBuffer({ resolveWithObject: true });
        return [info.channels === 4, data[0]];
      }),
    );
    // Half transparent: that is half white, and half black.
    expect(masks).toEqual([
      [true, 90],
      [false, 127],
      [false, 128],
    ]);
  });

  test('of how many reference images', () => {
    expect(capabilities({ referenceImagesMax: 3 }).referenceImagesMax).toBe(3);
    for (const referenceImagesMax of [0, imageLimits.referenceImagesMax + 1]) {
      expect(settingsSchema.safeParse({ referenceImagesMax }).success).toBe(false);
    }
    const { referenceImagesMax } = imageLimits;
    expect(settingsSchema.safeParse({ referenceImagesMax }).success).toBe(true);
  });

  test('of prompts: directives may stay', async () => {
    const job = { prompt: 'a fox|ugly' };
    const settings = { dialect: 'localai' };
    expect(await asked(settings, job)).toMatchObject({ warnings: ['prompt_stripped'] });
    const kept = { ...settings, keepPromptDirectives: true };
    expect(await asked(kept, job)).toMatchObject({ warnings: [] });
    expect(await sentJson(kept, job)).toMatchObject({ prompt: 'a fox|ugly' });
  });
});

describe('limits', () => {
  const accepts = (settings: Record<string, unknown>) => settingsSchema.safeParse(settings).success;

  test('of a version', () => {
    const { versionCharactersMax } = settingsLimits;
    expect(accepts({ apiVersion: '1'.repeat(versionCharactersMax) })).toBe(true);
    expect(accepts({ apiVersion: '1'.repeat(versionCharactersMax + 1) })).toBe(false);
    expect(accepts({ apiVersion: '1&key=2' })).toBe(false);
  });

  test('of known models', () => {
    const { modelNamesMax, modelNameCharactersMax } = settingsLimits;
    const names = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, index) => [`name-${index}`, 'gpt-image-2']),
      );
    expect(accepts({ modelNames: names(modelNamesMax) })).toBe(true);
    expect(accepts({ modelNames: names(modelNamesMax + 1) })).toBe(false);
    expect(accepts({ modelNames: { ['a'.repeat(modelNameCharactersMax)]: 'b' } })).toBe(true);
    expect(accepts({ modelNames: { ['a'.repeat(modelNameCharactersMax + 1)]: 'b' } })).toBe(false);
  });
});
