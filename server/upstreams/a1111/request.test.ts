import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { imageQualities } from '../../../shared/image-options.ts';
import { joinedBody } from '../../../test/support/callers/joined-body.ts';
import { makePicture } from '../../../test/support/pictures.ts';
import { a1111Subject } from '../../../test/upstreams/a1111.ts';
import { generationJob } from '../../../test/upstreams/jobs.ts';
import type { ImageJob, InputImage } from '../upstream.ts';
import { flavourNames } from './flavours.ts';
import { type PictureRequest, requestFor } from './request.ts';
import { engineOf, settingsSchema } from './settings.ts';

const reference = await inputImage('png');
const webp = await inputImage('webp');
const mask = await halfMask();

describe('a generation', () => {
  test('is asked for with everything that is known of it', async () => {
    expect(await asked({ prompt: 'a fox' })).toEqual({
      path: '/sdapi/v1/txt2img',
      warnings: [],
      body: {
        prompt: 'a fox',
        negative_prompt: '',
        width: 1024,
        height: 1024,
        steps: 20,
        seed: -1,
        batch_size: 1,
        n_iter: 1,
        send_images: true,
        save_images: false,
        do_not_save_samples: true,
        do_not_save_grid: true,
        force_task_id: 'task(1)',
        override_settings: { sd_model_checkpoint: 'sd_xl_base_1.0' },
        override_settings_restore_afterwards: false,
      },
    });
  });

  test.each([
    [{ quality: 'low' }, {}, { steps: 8 }],
    [{ quality: 'medium' }, {}, { steps: 20 }],
    [{ quality: 'high' }, {}, { steps: 30 }],
    [{ quality: 'xhigh' }, {}, { steps: 40 }],
    [{ quality: 'max' }, {}, { steps: 50 }],
    [{ quality: 'max' }, { steps: { max: 4 } }, { steps: 4 }],
    [{ size: { width: 1536, height: 1024 } }, {}, { width: 1536, height: 1024 }],
    [{ size: 'auto' }, { autoSidePixels: 512 }, { width: 512, height: 512 }],
    [{}, { cfgScale: 3.5 }, { cfg_scale: 3.5 }],
    [{}, { sampler: 'DPM++ 2M' }, { sampler_name: 'DPM++ 2M' }],
    [{}, { scheduler: 'karras' }, { scheduler: 'karras' }],
    [{}, { negativePrompt: 'blurry' }, { negative_prompt: 'blurry' }],
    [{}, { restoreModel: true }, { override_settings_restore_afterwards: true }],
    [
      {},
      { clipSkip: 2 },
      { override_settings: { sd_model_checkpoint: 'sd_xl_base_1.0', CLIP_stop_at_last_layers: 2 } },
    ],
    [{}, { flavour: 'sdnext', clipSkip: 2 }, { clip_skip: 2 }],
    // Otherwise as many as its window says.
    [{}, { flavour: 'draw-things' }, { batch_size: 1, batch_count: 1 }],
    [{}, { flavour: 'draw-things', cfgScale: 3.5 }, { guidance_scale: 3.5 }],
    [{}, { flavour: 'draw-things', sampler: 'Euler A Trailing' }, { sampler: 'Euler A Trailing' }],
  ] as const)('maps %j with the settings %j', async (job, settings, fields) => {
    expect((await asked(job, settings)).body).toMatchObject(fields);
  });

  test('goes by the settings of its model, and by the common ones in what they leave open', async () => {
    const settings = {
      cfgScale: 7,
      sampler: 'Euler',
      models: { 'flux-dev': { cfgScale: 1, steps: { low: 4 } }, constructor: { cfgScale: 2 } },
    };
    const fields = async (upstreamModel: string) =>
      (await asked({ upstreamModel, quality: 'low' }, settings)).body;
    expect(await fields('flux-dev')).toMatchObject({
      cfg_scale: 1,
      sampler_name: 'Euler',
      steps: 4,
    });
    expect(await fields('sd_xl')).toMatchObject({ cfg_scale: 7, sampler_name: 'Euler', steps: 8 });
    expect(await fields('toString')).toMatchObject({ cfg_scale: 7 });
  });

  test.each(flavourNames)('is one picture, at %s', async (flavour) => {
    const { body } = await asked({}, { flavour });
    expect(body['batch_size']).toBe(1);
    expect(Object.hasOwn(body, 'force_task_id')).toBe(true);
  });

  test('names its model only where a model may be named', async () => {
    const named = async (flavour: string) =>
      (await asked({}, { flavour })).body['override_settings'];
    for (const flavour of ['a1111', 'forge', 'sdnext']) {
      expect(await named(flavour)).toEqual({ sd_model_checkpoint: 'sd_xl_base_1.0' });
    }
    for (const flavour of ['draw-things', 'koboldcpp', 'sd-server']) {
      expect(await named(flavour)).toBeUndefined();
    }
  });

  test.each(flavourNames)('skips no layers unless it is to, at %s', async (flavour) => {
    const unset = (await asked({}, { flavour })).body;
    expect(unset).not.toHaveProperty('clip_skip');
    expect(unset['override_settings'] ?? {}).not.toHaveProperty('CLIP_stop_at_last_layers');
    const said = JSON.stringify((await asked({}, { flavour, clipSkip: 2 })).body);
    expect(said.match(/clip_skip|CLIP_stop_at_last_layers/g)).toHaveLength(1);
  });

  test('has no task where there are none', async () => {
    const request = await requestFor(jobOf({}), engine({ flavour: 'sd-server' }), null);
    expect(bodyOf(request)).not.toHaveProperty('force_task_id');
  });
});

describe('an edit', () => {
  test('sends its reference image and how much of it is to be redrawn', async () => {
    const { path, body } = await asked(edit());
    expect(path).toBe('/sdapi/v1/img2img');
    expect(body).toMatchObject({
      init_images: [reference.bytes.toString('base64')],
      denoising_strength: 0.75,
      resize_mode: 1,
      include_init_images: false,
    });
    expect(body).not.toHaveProperty('mask');
    expect(body).not.toHaveProperty('inpainting_fill');
  });

  test.each([
    [{ inputFidelity: 'low' }, {}, { denoising_strength: 0.75 }],
    [{ inputFidelity: 'high' }, {}, { denoising_strength: 0.45 }],
    [{ inputFidelity: 'high' }, { denoising: { high: 0.2 } }, { denoising_strength: 0.2 }],
    [{}, { flavour: 'draw-things' }, { strength: 0.75 }],
    [{}, { flavour: 'sdnext' }, { resize_mode: 2 }],
    [{ size: 'auto' }, {}, { width: 1448, height: 728 }],
    [{ size: 'auto' }, { flavour: 'draw-things' }, { width: 1472, height: 704 }],
    [
      { mask },
      {},
      {
        inpainting_mask_invert: 0,
        inpainting_fill: 1,
        inpaint_full_res: false,
        inpaint_full_res_padding: 32,
        mask_blur: 4,
      },
    ],
    [{ mask }, { inpainting: { fill: 'fill' } }, { inpainting_fill: 0 }],
    [{ mask }, { inpainting: { fill: 'latent-noise' } }, { inpainting_fill: 2 }],
    [{ mask }, { inpainting: { fill: 'latent-nothing' } }, { inpainting_fill: 3 }],
    [
      { mask },
      { inpainting: { wholePicture: false, marginPixels: 8, maskBlurPixels: 0 } },
      { inpaint_full_res: true, inpaint_full_res_padding: 8, mask_blur: 0 },
    ],
  ] as const)('maps %j with the settings %j', async (job, settings, fields) => {
    expect((await asked(edit(job), settings)).body).toMatchObject(fields);
  });

  test('sends a mask that is white where the picture is to change, and has no alpha', async () => {
    const { body } = await asked(edit({ mask }));
    const painted = sharp(Buffer.from(String(body['mask']), 'base64'));
    expect(await painted.metadata()).toMatchObject({ format: 'png', channels: 1, hasAlpha: false });
    const { data, info } = await painted
      .toColourspace('b-w')
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(info).toMatchObject({ width: 64, height: 32, channels: 1 });
    // The left half of the canonical mask has alpha 0: it is to be changed.
    const row = Buffer.concat([Buffer.alloc(32, 255), Buffer.alloc(32, 0)]);
    expect(data).toEqual(Buffer.concat(Array.from({ length: 32 }, () => row)));
  });

  test('sends a WebP as PNG to engines that read none', async () => {
    const sent = async (flavour: string) => {
      const { body } = await asked(edit({ referenceImages: [webp] }), { flavour });
      return Buffer.from(String(Object(body['init_images'])[0]), 'base64');
    };
    expect(await sent('a1111')).toEqual(webp.bytes);
    const converted = await sent('sd-server');
    expect(await sharp(converted).metadata()).toMatchObject({ format: 'png', width: 64 });
    const pixels = (bytes: Buffer) => sharp(bytes).raw().toBuffer();
    expect(await pixels(converted)).toEqual(await pixels(webp.bytes));
  });

  test.each([
    ['as its EXIF says', null, { width: 32, height: 64 }, { width: 728, height: 1448 }],
    ['as it is stored under a mask', mask, { width: 64, height: 32 }, { width: 1448, height: 728 }],
  ])('sends a turned photograph %s, in its proportions', async (_how, over, sent, size) => {
    const bytes = await sharp(reference.bytes).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const turned = { ...reference, bytes, format: 'jpeg' as const };
    const { body } = await asked(edit({ size: 'auto', referenceImages: [turned], mask: over }));
    const file = Buffer.from(String(Object(body['init_images'])[0]), 'base64');
    const { width, height, orientation = 1 } = await sharp(file).metadata();
    expect({ width, height, orientation }).toEqual({ ...sent, orientation: 1 });
    expect(body).toMatchObject(size);
  });

  test('with a WebP that cannot be decoded is the caller’s mistake', async () => {
    const broken = { ...webp, bytes: webp.bytes.subarray(0, 40) };
    await expect(
      asked(edit({ referenceImages: [broken] }), { flavour: 'koboldcpp' }),
    ).rejects.toMatchObject({ fault: 'bad_request' });
  });
});

describe('what an engine cannot do is refused', () => {
  test.each([
    ['two reference images', edit({ referenceImages: [reference, reference] }), {}],
    ['an edit without one', edit({ referenceImages: [] }), {}],
    ['an edit where edits are turned off', edit(), { edit: false }],
    [
      'an edit of a model that has them turned off',
      edit(),
      { models: { 'sd_xl_base_1.0': { edit: false } } },
    ],
    ['a mask without inpainting', edit({ mask }), { flavour: 'draw-things' }],
    ['a transparent background', { background: 'transparent' as const }, {}],
  ])('%s', async (_name, job, settings) => {
    await expect(asked(job, settings)).rejects.toMatchObject({ fault: 'unsupported' });
  });
});

describe('what the administrator adds', () => {
  test('comes last', async () => {
    const extra = { steps: 3, enable_hr: true, override_settings: { sd_vae: 'a.vae' } };
    expect((await asked({ extra })).body).toMatchObject({
      steps: 3,
      enable_hr: true,
      override_settings: { sd_vae: 'a.vae', sd_model_checkpoint: 'sd_xl_base_1.0' },
    });
  });

  test('changes no prompt, picture, task or model', async () => {
    const extra = {
      prompt: 'an owl',
      init_images: ['x'],
      mask: 'x',
      force_task_id: 'x',
      override_settings: { sd_model_checkpoint: 'x' },
    };
    const plain = await asked({});
    expect(await asked({ extra })).toEqual(plain);
    const edited = await asked(edit({ mask }));
    expect(await asked(edit({ mask, extra }))).toEqual(edited);
  });

  test('that is of no use is left out', async () => {
    const plain = await asked({});
    for (const given of ['text', null, 3]) {
      expect(await asked({ extra: { override_settings: given } })).toEqual(plain);
    }
  });
});

describe('warnings', () => {
  test('a prompt loses its directives, and says so', async () => {
    const { body, warnings } = await asked({ prompt: 'a fox <lora:ink:1>' });
    expect(body['prompt']).toBe('a fox ');
    expect(warnings).toEqual(['prompt_stripped']);
  });

  test('a prompt keeps its directives where the administrator lets it', async () => {
    const prompt = 'a fox <lora:ink:1> AND an owl';
    const { body, warnings } = await asked({ prompt }, { keepPromptDirectives: true });
    expect(body['prompt']).toBe(prompt);
    expect(warnings).toEqual([]);
  });

  test('a size that the engine does not draw is approximated', async () => {
    const { body, warnings } = await asked({ size: { width: 1021, height: 1024 } });
    expect(body).toMatchObject({ width: 1024, height: 1024 });
    expect(warnings).toEqual(['size_approximated']);
  });

  test('moderation is nothing that an engine does', async () => {
    expect((await asked({ moderation: 'low' })).warnings).toEqual(['moderation_ignored']);
    expect((await asked({ moderation: 'auto' })).warnings).toEqual([]);
  });
});

test('every quality has its steps', () => {
  const { steps } = settingsSchema.parse({});
  expect(Object.keys(steps).sort()).toEqual([...imageQualities].sort());
});

function engine(settings: Record<string, unknown>) {
  return engineOf({ baseUrl: 'http://engine.test', settings: settingsSchema.parse(settings) });
}

function jobOf(job: Partial<ImageJob>): ImageJob {
  return generationJob(a1111Subject, job);
}

function edit(job: Partial<ImageJob> = {}): Partial<ImageJob> {
  return { operation: 'edit', referenceImages: [reference], ...job };
}

async function asked(job: Partial<ImageJob>, settings: Record<string, unknown> = {}) {
  const request = await requestFor(jobOf(job), engine(settings), 'task(1)');
  return { path: request.path, warnings: request.warnings, body: bodyOf(request) };
}

function bodyOf({ body }: PictureRequest): Record<string, unknown> {
  const parsed: unknown = JSON.parse(joinedBody(body).toString());
  return z.record(z.string(), z.unknown()).parse(parsed);
}

async function inputImage(format: 'png' | 'webp'): Promise<InputImage> {
  const size = { width: 64, height: 32 };
  return { bytes: await makePicture(format, size), format, ...size, hasAlpha: false };
}

/** Its left half is to be changed. */
async function halfMask(): Promise<InputImage> {
  const [width, height] = [64, 32];
  const pixels = Buffer.alloc(width * height * 4, 0xff);
  for (let i = 0; i < width * height; i++) if (i % width < width / 2) pixels[i * 4 + 3] = 0;
  const bytes = await sharp(pixels, { raw: { width, height, channels: 4 } })
    .png()
    .toBuffer();
  return { bytes, format: 'png', width, height, hasAlpha: true };
}
