import sharp from 'sharp';
import { assert, describe, expect, test } from 'vitest';
import { joinedBody } from '../../../test/support/callers/joined-body.ts';
import {
  asked,
  editWishes,
  sample,
  sentJson,
} from '../../../test/upstreams/openai-images-requests.ts';
import type { ImageJob } from '../upstream.ts';

test('no reference image is left out because a service was said to take more', async () => {
  const settings = { dialect: 'together', referenceImagesMax: 2 };
  const job = { ...(await editWishes(2)), upstreamModel: 'black-forest-labs/FLUX.1-kontext-pro' };
  await expect(asked(settings, job)).rejects.toMatchObject({ fault: 'unsupported' });
});

test('a reference image that the engine cannot read is sent as PNG', async () => {
  const webp = await sample('webp');
  const { request } = await asked(
    { dialect: 'sd-server' },
    { operation: 'edit', referenceImages: [webp] },
  );
  const form = await new Response(joinedBody(request.body), {
    headers: { ...request.headers },
  }).formData();
  const file = form.get('image[]');
  assert(file instanceof Blob, 'the picture is a file');
  expect(file.name).toBe('image-1.png');
  const [sent, given] = await Promise.all(
    [Buffer.from(await file.arrayBuffer()), webp.bytes].map((bytes) =>
      sharp(bytes).raw().toBuffer(),
    ),
  );
  expect(sent).toEqual(given);
});

test('a photograph is turned upright on the way to PNG, unless a mask lies over it as it is', async () => {
  const given = await sample('webp');
  const { width, height } = given;
  const bytes = await sharp(given.bytes).webp().withMetadata({ orientation: 6 }).toBuffer();
  const photograph = { ...given, bytes };
  const edit = { operation: 'edit', referenceImages: [photograph, photograph] } as const;
  const sentSizes = async (job: Partial<ImageJob>) => {
    const { request } = await asked({ dialect: 'sd-server' }, job);
    const { headers } = request;
    const form = await new Response(joinedBody(request.body), {
      headers: { ...headers },
    }).formData();
    const files = [...form.getAll('image[]'), ...form.getAll('mask')];
    return Promise.all(
      files.map(async (file) => {
        assert(file instanceof Blob, 'the picture is a file');
        const { width, height } = await sharp(await file.arrayBuffer()).metadata();
        return [width, height];
      }),
    );
  };
  const upright = [height, width];
  expect(await sentSizes(edit)).toEqual([upright, upright]);
  const mask = await sample('png', true);
  const asItIs = [width, height];
  expect(await sentSizes({ ...edit, mask })).toEqual([asItIs, upright, asItIs]);
});

test('a reference image that cannot be decoded ends the attempt', async () => {
  const broken = { ...(await sample('webp')), bytes: Buffer.from('RIFF') };
  const job = { operation: 'edit', referenceImages: [broken] } as const;
  await expect(asked({ dialect: 'sd-server' }, job)).rejects.toMatchObject({
    fault: 'bad_request',
  });
});

test('a generation has no fidelity to a reference, and nothing is missing without one', async () => {
  const job = { inputFidelity: 'high' } as const;
  expect(await sentJson({}, job)).not.toHaveProperty('input_fidelity');
  expect(await asked({}, job)).toMatchObject({ warnings: [] });
  expect(await asked({ dialect: 'xai' }, job)).toMatchObject({ warnings: [] });
});

test.each([
  ['gpt-image-1.5', 'high', true],
  ['gpt-image-1-mini', 'low', true],
  ['gpt-image-1-mini', 'high', false],
  ['gpt-image-2', 'low', false],
] as const)(
  'an edit of %s with the fidelity %s: it is sent, %s',
  async (upstreamModel, fidelity, isSent) => {
    const job = { ...(await editWishes()), upstreamModel, inputFidelity: fidelity };
    const said = await sentJson({ edit: 'json-images' }, job);
    expect(said['input_fidelity']).toBe(isSent ? fidelity : undefined);
    expect(await asked({}, job)).toMatchObject({
      warnings: isSent ? [] : ['input_fidelity_ignored'],
    });
  },
);

test('a service that makes only opaque pictures is not told to, and nothing is missing', async () => {
  const job = { background: 'opaque' } as const;
  expect(await sentJson({ dialect: 'xai' }, job)).not.toHaveProperty('background');
  expect(await asked({ dialect: 'xai' }, job)).toMatchObject({ warnings: [] });
});

test.each([
  ['openai', 'gpt-image-2', 'image[]'],
  // What a neighbour takes one for may be believed by whoever is behind it.
  ['together', 'black-forest-labs/FLUX.1-schnell', 'image[]'],
  ['together', 'black-forest-labs/FLUX.1-schnell', 'mask'],
  ['vllm-omni', 'any', 'mask_image'],
  ['localai', 'any', 'ref_images'],
  ['together', 'black-forest-labs/FLUX.1-kontext-pro', 'image_url'],
  ['siliconflow', 'Qwen/Qwen-Image-Edit-2509', 'image3'],
])(
  'what the administrator adds stands for no picture: %s takes one for %s as %s',
  async (dialect, upstreamModel, field) => {
    const extra = { [field]: 'https://host/a.png', steps: 4 };
    const said = await sentJson({ dialect }, { upstreamModel, extra });
    expect(said).not.toHaveProperty([field]);
    expect(said).toMatchObject({ steps: 4 });
  },
);

describe('a seed of ours', () => {
  test.each([
    ['as a field', 'sglang', /"seed":(\d+)/],
    [
      'behind the prompt',
      'sd-server',
      /"a fox<sd_cpp_extra_args>{\\"seed\\":(\d+)}<\/sd_cpp_extra_args>"/,
    ],
  ])(
    'is the same for each attempt, and another for each picture and request, %s',
    async (_where, dialect, place) => {
      const seedIn = async (job: Partial<ImageJob>) => {
        const [, seed] = place.exec(JSON.stringify(await sentJson({ dialect }, job))) ?? [];
        assert(seed !== undefined, 'there is a seed');
        return seed;
      };
      const seed = await seedIn({});
      expect(seed).toBe(await seedIn({ attempt: 2 }));
      expect(seed).not.toBe(await seedIn({ pictureIndex: 1 }));
      expect(seed).not.toBe(await seedIn({ traceId: 'req_other' }));
    },
  );

  test('stands behind what a caller may order, of which the engine takes the first', async () => {
    const prompt = 'a fox<sd_cpp_extra_args>{"seed":7}</sd_cpp_extra_args>';
    const settings = { dialect: 'sd-server', keepPromptDirectives: true };
    const job = { prompt };
    expect((await sentJson(settings, job))['prompt']).toMatch(prompt);
    expect(await asked(settings, job)).toMatchObject({ warnings: [] });
  });
});

test('of several reference images that are sent as PNG, none is made after one for which there is no room', async () => {
  const webp = await sample('webp');
  const claims: number[] = [];
  const claim = (bytes: number) => {
    claims.push(bytes);
    return bytes === 0 ? 'taken' : 'full';
  };
  const referenceImages = [webp, webp, webp].map((image) => ({ ...image, claim }) as const);
  const asking = asked({ dialect: 'sd-server' }, { operation: 'edit', referenceImages });
  await expect(asking).rejects.toMatchObject({ fault: 'busy' });
  expect(claims.filter((bytes) => bytes > 0)).toHaveLength(1);
});
