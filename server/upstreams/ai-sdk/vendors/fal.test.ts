import { describe, expect, it } from 'vitest';
import { thrownBy } from '../../../../test/support/thrown-by.ts';
import { file, json } from '../../../../test/upstreams/ai-sdk-answers.ts';
import { openSdkBench, type VendorAnswer } from '../../../../test/upstreams/ai-sdk-bench.ts';
import { promptCanary, realPicture } from '../../../../test/upstreams/jobs.ts';

const picture = await realPicture();

function bench(upstreamModel: string, answer: VendorAnswer = making()) {
  return openSdkBench({ settings: { provider: 'fal' }, upstreamModel, answer });
}

function making(said: object = {}): VendorAnswer {
  return ({ url }, origin) =>
    url === '/files/a.png'
      ? file(picture)
      : json(200, { images: [{ url: `${origin}/files/a.png` }], seed: 7, ...said });
}

describe('a picture of fal', () => {
  it('is asked for with its size, and in the format', async () => {
    const { final, sent, service } = await bench('fal-ai/flux/dev');
    const { image, warnings } = await final({
      size: { width: 1536, height: 1024 },
      extra: { num_inference_steps: 20 },
    });
    expect(service.requests[0]).toMatchObject({
      url: '/fal-ai/flux/dev',
      headers: { authorization: 'Key key-fake' },
    });
    expect(sent()).toEqual({
      prompt: promptCanary,
      image_size: { width: 1536, height: 1024 },
      num_images: 1,
      output_format: 'png',
      num_inference_steps: 20,
    });
    expect(image).toEqual({ encoding: 'raw', bytes: picture });
    expect(warnings).toEqual([]);
  });

  it.each([
    ['jpeg', 'jpeg'],
    ['webp', 'png'],
  ] as const)('that is to be a %s is asked for as a %s', async (format, output_format) => {
    const { final, sent } = await bench('fal-ai/flux/dev');
    await final({ format });
    expect(sent()).toMatchObject({ output_format });
  });

  it('has its proportions where the model looks for them', async () => {
    const { final, sent } = await bench('fal-ai/flux-pro/v1.1-ultra');
    const { warnings } = await final({ size: { width: 1024, height: 1536 } });
    expect(sent()).toEqual({
      prompt: promptCanary,
      aspect_ratio: '2:3',
      num_images: 1,
      output_format: 'png',
    });
    expect(warnings).toEqual(['size_approximated']);
  });

  it.each([
    ['fal-ai/flux-2/edit', 2, 'image_urls'],
    ['fal-ai/flux-pro/kontext', 1, 'image_url'],
  ])('is made by %s of %i reference images', async (upstreamModel, references, field) => {
    const { run, edit, sent } = await bench(upstreamModel);
    const job = await edit(references);
    await run(job);
    const urls = job.referenceImages.map(
      ({ bytes, format }) => `data:image/${format};base64,${bytes.toString('base64')}`,
    );
    expect(sent()).toMatchObject({ [field]: field === 'image_urls' ? urls : urls[0] });
  });

  it('is not made from words alone by a model that only edits', async () => {
    const { run, service } = await bench('fal-ai/flux-pro/kontext');
    expect(await thrownBy(run())).toMatchObject({ fault: 'unsupported' });
    expect(service.requests).toHaveLength(0);
  });
});

describe('fal refuses', () => {
  it.each([{ has_nsfw_concepts: [true] }, { nsfw_content_detected: [true] }])(
    'a picture that it has blackened, which is not even fetched: %o',
    async (said) => {
      const { run, service } = await bench('fal-ai/flux/dev', making(said));
      expect(await thrownBy(run())).toMatchObject({ fault: 'refused', upstreamCode: 'nsfw' });
      expect(service.requests).toHaveLength(1);
    },
  );

  it('nothing when its checker found nothing', async () => {
    const { final } = await bench('fal-ai/flux/dev', making({ has_nsfw_concepts: [false] }));
    expect(await final()).toMatchObject({ kind: 'final' });
  });

  it.each([
    ['content_policy_violation', 'refused'],
    ['downstream_service_unavailable', 'unavailable'],
    ['generation_timeout', 'timeout'],
    ['no_media_generated', 'protocol'],
    ['image_too_large', 'bad_request'],
  ])('or fails by the type of its error: %s', async (type, fault) => {
    const detail = [{ loc: ['body', 'prompt'], msg: 'The words of fal', type }];
    const { run } = await bench('fal-ai/flux/dev', () => json(422, { detail }));
    expect(await thrownBy(run())).toMatchObject({ fault, upstreamCode: type });
  });

  it('or fails by it when the error repeats the reference images', async () => {
    const { run, edit } = await bench('fal-ai/flux-2/edit', ({ body }) => {
      const input: unknown = JSON.parse(body.toString());
      return json(422, { detail: [{ input, loc: ['body'], msg: '', type: 'no_media_generated' }] });
    });
    const job = await edit(1);
    const referenceImages = job.referenceImages.map((image) => ({ ...image, bytes: picture }));
    const error = await thrownBy(run({ ...job, referenceImages }));
    expect(error).toMatchObject({ fault: 'protocol', upstreamCode: 'no_media_generated' });
  });

  it.each([
    'User is locked. Reason: Exhausted balance. Top up your balance at fal.ai/dashboard/billing.',
    'User is locked. Reason: TOP_UP.',
    'User is locked. Reason: Admin lock. Please contact support@fal.ai.',
  ])('whoever has no money there, which is not said of the key: %s', async (detail) => {
    const { run } = await bench('fal-ai/flux/dev', () => json(403, { detail }));
    expect(await thrownBy(run())).toMatchObject({ fault: 'quota' });
  });

  it('a key that it does not know', async () => {
    const { run } = await bench('fal-ai/flux/dev', () => json(403, { detail: 'Access denied' }));
    expect(await thrownBy(run())).toMatchObject({ fault: 'auth' });
  });
});

it('lists what it knows of the models, without a question', async () => {
  const { adapter, context, service } = await bench('fal-ai/flux/dev');
  const listed = await adapter.listModels(context());
  expect(listed.map(({ upstreamModel }) => upstreamModel)).toContain('fal-ai/flux/dev');
  expect(service.requests).toHaveLength(0);
});

it('lists the models that the administrator named behind them, each once', async () => {
  const { adapter, context } = await openSdkBench({
    settings: { provider: 'fal', moreModels: ['me/my-model', 'fal-ai/flux/dev', 'me/my-model'] },
    upstreamModel: 'me/my-model',
    answer: making(),
  });
  const listed = (await adapter.listModels(context())).map(({ upstreamModel }) => upstreamModel);
  expect(listed.filter((name) => name === 'fal-ai/flux/dev')).toHaveLength(1);
  expect(listed.slice(-1)).toEqual(['me/my-model']);
});
