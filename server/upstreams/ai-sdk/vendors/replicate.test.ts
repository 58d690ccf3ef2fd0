import { describe, expect, it } from 'vitest';
import { makePicture } from '../../../../test/support/pictures.ts';
import { thrownBy } from '../../../../test/support/thrown-by.ts';
import { file, json } from '../../../../test/upstreams/ai-sdk-answers.ts';
import { openSdkBench, type VendorAnswer } from '../../../../test/upstreams/ai-sdk-bench.ts';
import { promptCanary, realPicture } from '../../../../test/upstreams/jobs.ts';
import { paintMask } from '../../wire/mask.ts';

const picture = await realPicture();
const sketch = await makePicture('png', { width: 9 });
const predictionPath = '/v1/predictions/abc123';

function bench(answer: VendorAnswer, upstreamModel = 'black-forest-labs/flux-schnell') {
  const settings = { provider: 'replicate' };
  return openSdkBench({ settings, upstreamModel, answer, basePath: '/v1' });
}

function prediction(origin: string, said: object) {
  const urls = { get: `${origin}${predictionPath}`, cancel: `${origin}${predictionPath}/cancel` };
  return json(201, { id: 'abc123', output: null, error: null, urls, ...said });
}

/** Answers with these in turn, the last for ever. */
function telling(...said: readonly object[]): VendorAnswer {
  let told = 0;
  return ({ url }, origin) => {
    if (url === '/out.png') return file(picture);
    if (url.endsWith('/cancel')) return prediction(origin, { status: 'canceled' });
    return prediction(origin, {
      output: [`${origin}/out.png`],
      ...said[Math.min(told++, said.length - 1)],
    });
  };
}

const succeeded = telling({ status: 'succeeded' });
const running = { status: 'processing', output: null };

describe('a picture of Replicate', () => {
  it('is asked for so that its ID comes soon', async () => {
    const { final, sent, service } = await bench(succeeded);
    const { warnings, upstreamRequestId } = await final({ format: 'jpeg', compression: 70 });
    expect(service.requests[0]).toMatchObject({
      url: '/v1/models/black-forest-labs/flux-schnell/predictions',
      headers: { authorization: 'Bearer key-fake', prefer: 'wait=1', 'user-agent': 'tintype' },
    });
    expect(sent()).toEqual({
      input: {
        prompt: promptCanary,
        aspect_ratio: '1:1',
        num_outputs: 1,
        output_format: 'jpg',
        output_quality: 70,
      },
    });
    expect(warnings).toEqual(['size_approximated']);
    expect(upstreamRequestId).toBe('abc123');
  });

  it.each([
    ['jpeg', 0, { output_format: 'jpg', output_quality: 1 }, []],
    ['webp', 100, { output_format: 'webp', output_quality: 100 }, []],
    ['webp', null, { output_format: 'webp' }, []],
    ['png', 0, { output_format: 'png' }, ['compression_ignored']],
  ] as const)(
    'as %s with the compression %j is asked for as %j',
    async (format, compression, said, told) => {
      const { final, sent } = await bench(succeeded);
      const { warnings } = await final({ size: 'auto', format, compression });
      expect(sent()).toEqual({ input: { prompt: promptCanary, num_outputs: 1, ...said } });
      expect(warnings).toEqual(told);
    },
  );

  it('of a version is asked for by that version, which nothing may change', async () => {
    const { final, sent, service } = await bench(succeeded, 'owner/model:5c7d5dc6');
    await final({ extra: { version: 'another', input: { prompt: 'another', steps: 4 } } });
    expect(service.requests[0]?.url).toBe('/v1/predictions');
    expect(sent()).toMatchObject({
      version: '5c7d5dc6',
      input: { prompt: promptCanary, steps: 4 },
    });
  });

  it.each(['starting', 'processing'])(
    'may take longer than Replicate waits: %s',
    async (status) => {
      const begun = { status, output: null };
      const { run } = await bench(telling(begun, begun, { status: 'succeeded' }));
      expect(await run()).toMatchObject([
        { kind: 'accepted', upstreamRequestId: 'abc123' },
        { kind: 'final', image: { bytes: picture } },
      ]);
    },
  );

  it.each([
    ['shows how far it has come', (origin: string) => [`${origin}/sketch.png`]],
    ['has begun its list', () => []],
  ])('is waited for while the model only %s', async (_name, output) => {
    let told = 0;
    const { run } = await bench((request, origin) => {
      if (request.url === '/sketch.png') return file(sketch);
      if (told++ > 1) return succeeded(request, origin);
      return prediction(origin, { status: 'processing', output: output(origin) });
    });
    expect(await run()).toMatchObject([
      { kind: 'accepted', upstreamRequestId: 'abc123' },
      { kind: 'final', image: { bytes: picture } },
    ]);
  });

  it('is the last of those that the model has shown', async () => {
    const { final } = await bench((request, origin) => {
      if (request.url === '/sketch.png') return file(sketch);
      const output = [`${origin}/sketch.png`, `${origin}/out.png`];
      return telling({ status: 'succeeded', output })(request, origin);
    });
    expect(await final()).toMatchObject({ image: { bytes: picture } });
  });

  it('may stand in the answer', async () => {
    const inline = (bytes: Buffer) => `data:image/png;base64,${bytes.toString('base64')}`;
    const long = await bench(telling({ status: 'succeeded', output: inline(picture) }));
    const { image } = await long.final();
    expect(image).toEqual({ encoding: 'base64', ascii: Buffer.from(picture.toString('base64')) });
    const short = await bench(telling({ status: 'succeeded', output: inline(Buffer.alloc(30)) }));
    expect(await short.final()).toMatchObject({ image: { ascii: Buffer.from('A'.repeat(40)) } });
  });

  it('of FLUX 2 carries every reference image', async () => {
    const { run, edit, sent } = await bench(succeeded, 'black-forest-labs/flux-2-pro');
    const job = await edit(2);
    await run(job);
    const [first, second] = job.referenceImages.map(
      ({ bytes, format }) => `data:image/${format};base64,${bytes.toString('base64')}`,
    );
    expect(sent()).toMatchObject({ input: { input_image: first, input_image_2: second } });
  });

  it.each(['black-forest-labs/flux-dev', 'stability-ai/stable-diffusion-3.5-large'])(
    'of %s is made from a reference image',
    async (upstreamModel) => {
      const { run, edit, sent } = await bench(succeeded, upstreamModel);
      const job = await edit(1);
      await run(job);
      const image = `data:image/png;base64,${job.referenceImages[0]?.bytes.toString('base64')}`;
      expect(sent()).toMatchObject({ input: { image } });
    },
  );

  it.each(['black-forest-labs/flux-schnell', 'owner/flux-dev-lora', 'owner/model:5c7d5dc6'])(
    'of %s is not made where a reference image may go unread',
    async (upstreamModel) => {
      const { run, edit, service } = await bench(succeeded, upstreamModel);
      expect(await thrownBy(run(await edit(1)))).toMatchObject({ fault: 'unsupported' });
      expect(service.requests).toHaveLength(0);
    },
  );

  it('of FLUX Fill carries a mask in which white is filled', async () => {
    const { run, edit, sent } = await bench(succeeded, 'black-forest-labs/flux-fill-pro');
    const job = await edit(1, true);
    await run(job);
    const mask = job.mask && (await paintMask(job.mask, 'white')).toString('base64');
    expect(sent()).toMatchObject({ input: { mask: `data:image/png;base64,${mask}` } });
  });

  it('of FLUX Fill keeps its reference image and its mask whatever is added', async () => {
    const { run, edit, sent } = await bench(succeeded, 'black-forest-labs/flux-fill-pro');
    const job = await edit(1, true);
    const other = 'https://host/a.png';
    await run({ ...job, extra: { input: { image: other, mask: other, steps: 4 } } });
    const [reference] = job.referenceImages;
    const mask = job.mask && (await paintMask(job.mask, 'white'));
    expect(sent()).toMatchObject({
      input: {
        image: `data:image/png;base64,${reference?.bytes.toString('base64')}`,
        mask: `data:image/png;base64,${mask?.toString('base64')}`,
        steps: 4,
      },
    });
  });
});

describe('Replicate', () => {
  it.each([
    'The input or output was flagged as sensitive. Please try again. (E005) (3mPFzEZFk6)',
    'NSFW content detected. Try running it again, or try a different prompt.',
    'All generated images contained NSFW content. Try running it again with a different prompt.',
  ])('declines content: %s', async (error) => {
    const { run } = await bench(telling({ status: 'failed', output: null, error }));
    expect(await thrownBy(run())).toMatchObject({ fault: 'refused' });
  });

  it('fails for other reasons too', async () => {
    const error = 'CUDA out of memory while it drew NSFW content';
    const { run } = await bench(telling(running, { status: 'failed', output: null, error }));
    expect(await thrownBy(run())).toMatchObject({
      fault: 'unavailable',
      possiblyCharged: true,
      upstreamRequestId: 'abc123',
    });
  });

  it.each([
    ['in its answer', {}, 7_000],
    ['in a header, which counts', { 'retry-after': '2' }, 2_000],
  ])('says how long to wait %s', async (_name, headers, retryAfterMs) => {
    const detail = 'Request was throttled. Your rate limit resets in ~7s.';
    const answer = json(429, { detail, status: 429, retry_after: 7 });
    const { run } = await bench(() => ({ ...answer, headers: { ...answer.headers, ...headers } }));
    expect(await thrownBy(run())).toMatchObject({ fault: 'busy', retryAfterMs });
  });

  it.each([
    ['canceled', 'somebody canceled the job'],
    ['aborted', 'the job did not begin in time'],
  ])('may have a job that somebody else ended: %s', async (status, message) => {
    const { run, service } = await bench(
      telling({ status: 'starting', output: null }, { status, output: null }),
    );
    expect(await thrownBy(run())).toMatchObject({
      fault: 'unavailable',
      message,
      possiblyCharged: true,
      upstreamRequestId: 'abc123',
    });
    expect(service.requests.map(({ method }) => method)).toEqual(['POST', 'GET']);
  });

  it('hears when nobody waits for the picture any more', async () => {
    const stop = new AbortController();
    const { run, service } = await bench(telling(running));
    const asked = run({}, { signal: stop.signal });
    await expect.poll(() => service.requests.length).toBeGreaterThan(1);
    stop.abort();
    expect(await thrownBy(asked)).toMatchObject({ fault: 'canceled' });
    const cancel = { method: 'POST', url: `${predictionPath}/cancel` };
    const headers = { authorization: 'Bearer key-fake' };
    await expect.poll(() => service.requests.at(-1)).toMatchObject({ ...cancel, headers });
  });

  it('hears it too when its events are no longer read, and before the adapter closes', async () => {
    const { adapter, context, service, edit } = await bench(
      telling(running),
      'black-forest-labs/flux-2-pro',
    );
    for await (const event of adapter.run(await edit(1), context())) {
      expect(event.kind).toBe('accepted');
      break;
    }
    await adapter.close();
    expect(service.requests.at(-1)?.url).toBe(`${predictionPath}/cancel`);
  });

  it('is not told to stop what it has done', async () => {
    const { run, service } = await bench(telling(running, { status: 'succeeded' }));
    await run();
    expect(service.requests.map(({ url }) => url)).not.toContain(`${predictionPath}/cancel`);
  });

  it('lists its collection of models', async () => {
    const models = [{ owner: 'luma', name: 'photon', description: 'Pictures'.repeat(100) }];
    const { adapter, context, service } = await bench(() => json(200, { models }));
    const [listed] = await adapter.listModels(context());
    expect(listed?.upstreamModel).toBe('luma/photon');
    expect(listed?.description).toHaveLength(200);
    expect(service.requests[0]?.url).toBe('/v1/collections/text-to-image');
  });

  it('cuts a long description between two characters, not within one', async () => {
    const beginning = 'x'.repeat(199);
    const models = [{ owner: 'luma', name: 'photon', description: `${beginning}🎨` }];
    const { adapter, context } = await bench(() => json(200, { models }));
    const [listed] = await adapter.listModels(context());
    expect(listed?.description).toBe(beginning);
  });

  it('lists the others where an entry is none', async () => {
    const named = { owner: 'luma', name: 'photon', description: 7 };
    const models = [7, null, {}, { ...named, owner: 7 }, named];
    const { adapter, context } = await bench(() => json(200, { models }));
    expect(await adapter.listModels(context())).toEqual([
      { upstreamModel: 'luma/photon', description: null },
    ]);
  });
});
