import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { file, json } from '../../../test/upstreams/ai-sdk-answers.ts';
import { openSdkBench } from '../../../test/upstreams/ai-sdk-bench.ts';
import { realPicture } from '../../../test/upstreams/jobs.ts';
import { pollingLimits } from './vendor.ts';

const picture = await realPicture();
/** More than the SDK would ask by itself: by then the job is half done, and paid. */
const questions = 300;

beforeEach(() => {
  const { setTimeout: wait } = globalThis;
  // Between its questions the SDK waits on a clock that it is given by nobody.
  vi.stubGlobal('setTimeout', (work: () => void, ms?: number) =>
    wait(work, ms === pollingLimits.intervalMs ? 0 : ms),
  );
});

afterEach(() => {
  vi.unstubAllGlobals();
});

it.each<[string, string, (isDone: boolean, origin: string) => object]>([
  [
    'black-forest-labs',
    'flux-2-pro',
    (isDone, origin) => ({
      polling_url: `${origin}/job`,
      status: isDone ? 'Ready' : 'Pending',
      result: isDone ? { sample: `${origin}/a.png` } : null,
    }),
  ],
  [
    'luma',
    'photon-1',
    (isDone, origin) => ({
      state: isDone ? 'completed' : 'dreaming',
      assets: isDone ? { image: `${origin}/a.png` } : null,
    }),
  ],
  [
    'replicate',
    'black-forest-labs/flux-schnell',
    (isDone, origin) => ({
      status: isDone ? 'succeeded' : 'processing',
      output: isDone ? [`${origin}/a.png`] : null,
      urls: { get: `${origin}/job` },
    }),
  ],
])('a slow job of %s is waited for, and never given twice', async (provider, model, saysOf) => {
  let asked = 0;
  const { final, service } = await openSdkBench({
    settings: { provider },
    upstreamModel: model,
    answer: ({ method, url }, origin) => {
      if (url === '/a.png') return file(picture);
      if (method === 'GET') asked++;
      return json(200, { id: 'job', ...saysOf(asked > questions, origin) });
    },
  });
  expect(await final()).toMatchObject({ image: { encoding: 'raw' } });
  expect(asked).toBe(questions + 1);
  expect(service.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
});
