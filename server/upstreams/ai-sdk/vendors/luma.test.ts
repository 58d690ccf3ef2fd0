import { describe, expect, it } from 'vitest';
import { thrownBy } from '../../../../test/support/thrown-by.ts';
import { file, json } from '../../../../test/upstreams/ai-sdk-answers.ts';
import { openSdkBench, type VendorAnswer } from '../../../../test/upstreams/ai-sdk-bench.ts';
import { promptCanary, realPicture } from '../../../../test/upstreams/jobs.ts';

const picture = await realPicture();

function bench(answer: VendorAnswer) {
  return openSdkBench({ settings: { provider: 'luma' }, upstreamModel: 'photon-1', answer });
}

/** Answers the submission as queued, and every question after it like this. */
function telling(state: string, said: object = {}): VendorAnswer {
  return ({ method, url }, origin) => {
    if (url === '/a.png') return file(picture);
    if (method === 'POST') return json(201, { id: 'gen-1', state: 'queued', assets: null });
    return json(200, { id: 'gen-1', state, assets: { image: `${origin}/a.png` }, ...said });
  };
}

describe('a picture of Luma', () => {
  it('is asked for with the nearest proportions, and accepted before it is made', async () => {
    const { run, sent, service } = await bench(telling('completed'));
    const events = await run({ size: { width: 1536, height: 1024 } });
    expect(events).toMatchObject([
      { kind: 'accepted', upstreamRequestId: 'gen-1' },
      { kind: 'final', warnings: ['size_approximated'] },
    ]);
    expect(sent()).toEqual({ prompt: promptCanary, aspect_ratio: '4:3', model: 'photon-1' });
    expect(service.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST /dream-machine/v1/generations/image',
      'GET /dream-machine/v1/generations/gen-1',
      'GET /a.png',
    ]);
    expect(service.requests[1]?.headers.authorization).toBe('Bearer key-fake');
  });

  it('keeps its model whatever is added', async () => {
    const { final, sent } = await bench(telling('completed'));
    await final({ extra: { model: 'photon-flash-1', style: [] } });
    expect(sent()).toMatchObject({ model: 'photon-1', style: [] });
  });

  it('is not made of reference images', async () => {
    const { run, edit, service } = await bench(telling('completed'));
    expect(await thrownBy(run(await edit(1)))).toMatchObject({ fault: 'unsupported' });
    expect(service.requests).toHaveLength(0);
  });
});

describe('Luma', () => {
  it('declines a prompt with words only', async () => {
    const { run } = await bench(() =>
      json(400, { detail: 'Prompt not allowed because advanced moderation failed' }),
    );
    expect(await thrownBy(run())).toMatchObject({ fault: 'refused', possiblyCharged: false });
  });

  it('is not believed when it says the same of an account', async () => {
    const { run } = await bench(() => json(403, { detail: 'moderation failed for the account' }));
    expect(await thrownBy(run())).toMatchObject({ fault: 'auth' });
  });

  it.each([
    ['Image moderation failed', 'refused'],
    ['Contains blacklisted words', 'refused'],
    ['The cluster lost the job', 'unavailable'],
  ])('gives up: %s', async (reason, fault) => {
    const { run } = await bench(telling('failed', { failure_reason: reason }));
    expect(await thrownBy(run())).toMatchObject({ fault, upstreamRequestId: 'gen-1' });
  });

  it('lists its two models once the key is accepted', async () => {
    const { adapter, context, service } = await bench(() => json(200, { credit_balance: 1 }));
    expect(await adapter.listModels(context())).toHaveLength(2);
    expect(service.requests[0]?.url).toBe('/dream-machine/v1/credits');
  });
});
