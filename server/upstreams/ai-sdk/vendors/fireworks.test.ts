import { describe, expect, it } from 'vitest';
import { thrownBy } from '../../../../test/support/thrown-by.ts';
import { file, json } from '../../../../test/upstreams/ai-sdk-answers.ts';
import { openSdkBench, type VendorAnswer } from '../../../../test/upstreams/ai-sdk-bench.ts';
import { promptCanary, realPicture } from '../../../../test/upstreams/jobs.ts';

const picture = await realPicture();
const models = 'accounts/fireworks/models';

function bench(model: string, answer: VendorAnswer) {
  const settings = { provider: 'fireworks' };
  return openSdkBench({ settings, upstreamModel: `${models}/${model}`, answer, basePath: '/v1' });
}

/** FLUX Kontext, which is asked after. */
function telling(status: string): VendorAnswer {
  return ({ url }, origin) => {
    if (url === '/a.png') return file(picture);
    if (!url.endsWith('/get_result')) return json(200, { request_id: 'req-1' });
    return json(200, { id: 'req-1', status, result: { sample: `${origin}/a.png` } });
  };
}

describe('a picture of Fireworks', () => {
  it('is the answer', async () => {
    const { final, sent, service } = await bench('flux-1-schnell-fp8', () => file(picture));
    const { image, warnings } = await final({ size: { width: 1024, height: 1536 } });
    expect(service.requests[0]).toMatchObject({
      url: `/v1/workflows/${models}/flux-1-schnell-fp8/text_to_image`,
      headers: { authorization: 'Bearer key-fake' },
    });
    expect(sent()).toEqual({ prompt: promptCanary, aspect_ratio: '2:3', samples: 1 });
    expect(image).toEqual({ encoding: 'raw', bytes: picture });
    expect(warnings).toEqual(['size_approximated']);
  });

  it('of a model with sizes has its size', async () => {
    const { final, sent, service } = await bench('SSD-1B', () => file(picture));
    await final();
    expect(service.requests[0]?.url).toBe(`/v1/image_generation/${models}/SSD-1B`);
    expect(sent()).toMatchObject({ width: '1024', height: '1024' });
  });

  it('of FLUX Kontext is asked after, and made of one reference image', async () => {
    const { run, edit, sent, service } = await bench('flux-kontext-pro', telling('Ready'));
    const job = await edit(1);
    expect(await run(job)).toMatchObject([
      { kind: 'accepted', upstreamRequestId: 'req-1' },
      { kind: 'final', image: { bytes: picture } },
    ]);
    const [reference] = job.referenceImages;
    expect(sent()).toMatchObject({
      input_image: `data:image/png;base64,${reference?.bytes.toString('base64')}`,
      output_format: 'png',
    });
    expect(sent(1)).toEqual({ id: 'req-1' });
    expect(service.requests.map(({ url }) => url)).toEqual([
      `/v1/workflows/${models}/flux-kontext-pro`,
      `/v1/workflows/${models}/flux-kontext-pro/get_result`,
      '/a.png',
    ]);
  });

  it('is not made with a mask, which the SDK would leave out', async () => {
    const { run, edit, service } = await bench('flux-kontext-pro', telling('Ready'));
    expect(await thrownBy(run(await edit(1, true)))).toMatchObject({ fault: 'unsupported' });
    expect(service.requests).toHaveLength(0);
  });
});

describe('Fireworks', () => {
  it.each([
    ['Request Moderated', 'refused'],
    ['Content Moderated', 'refused'],
    ['Task not found', 'unavailable'],
    ['Error', 'unavailable'],
    ['Failed', 'unavailable'],
  ])('is asked no more once it said "%s"', async (status, fault) => {
    const { run, service } = await bench('flux-kontext-pro', telling(status));
    expect(await thrownBy(run())).toMatchObject({ fault, upstreamRequestId: 'req-1' });
    expect(service.requests).toHaveLength(2);
  });

  it('says in a header that it has filtered the picture', async () => {
    const filtered = file(picture);
    const { run } = await bench('SSD-1B', () => ({
      ...filtered,
      headers: { ...filtered.headers, 'finish-reason': 'CONTENT_FILTERED' },
    }));
    expect(await thrownBy(run())).toMatchObject({ fault: 'refused' });
  });

  it('has no more of an account that did not pay, for which the caller is not blamed', async () => {
    const message =
      'Account acme is suspended, possibly due to reaching the monthly spending limit or failure to pay past invoices.';
    const error = { message, param: null, code: 'PRECONDITION_FAILED', type: 'error' };
    const { run } = await bench('SSD-1B', () => json(412, { error, request_id: 'req-1' }));
    expect(await thrownBy(run())).toMatchObject({ fault: 'quota', possiblyCharged: false });
  });

  it('lists what is known of its models once the key is accepted', async () => {
    const { adapter, context, service } = await bench('SSD-1B', () => json(200, { data: [] }));
    expect(await adapter.listModels(context())).toHaveLength(4);
    expect(service.requests[0]?.url).toBe('/v1/models');
  });
});
