import { describe, expect, it } from 'vitest';
import { hurriedClock } from '../../../test/support/hurried-clock.ts';
import { makePicture } from '../../../test/support/pictures.ts';
import { comfyuiSubject } from '../../../test/upstreams/comfyui.ts';
import { errorOf, eventsOf, until, withComfyui } from '../../../test/upstreams/comfyui-bench.ts';
import type { EngineRun } from '../../../test/upstreams/comfyui-engine.ts';
import { cutAt, whole } from '../../../test/upstreams/deliveries.ts';
import type { FakeBehaviour, Reply } from '../../../test/upstreams/fake-service.ts';
import { generationJob } from '../../../test/upstreams/jobs.ts';
import textToImage from './workflows/text-to-image.json' with { type: 'json' };

const picture = await makePicture('png');

/** The workflow of the preset, with a node that writes to the disk. */
const settings = {
  workflows: {
    saving: {
      workflow: {
        ...textToImage,
        '9': { class_type: 'SaveImage', inputs: { images: ['8', 0], filename_prefix: 'ours' } },
      },
      slots: { prompt: { node: '6', input: 'text' } },
    },
  },
};
const job = { ...generationJob({ ...comfyuiSubject(), upstreamModel: 'saving' }) };

const work = (run: EngineRun) => {
  run.save('9', picture);
  run.succeed();
};
/** Says nothing of the picture, so that the history is asked for it. */
const quietWork = (run: EngineRun) => {
  const say = run.say.bind(run);
  run.say = (type, data) => {
    if (type !== 'executed') say(type, data);
  };
  work(run);
};

const answered = (status: number): Reply => ({
  answer: { status, headers: {}, body: [] },
  deliver: whole,
});
const reset: Reply = {
  answer: { status: 200, headers: {}, body: [] },
  deliver: cutAt(0, 'reset'),
};
const cutOff: Reply = {
  answer: { status: 200, headers: {}, body: [picture] },
  deliver: cutAt(0.5, 'ended'),
};

const page: Reply = {
  answer: {
    status: 200,
    headers: { 'content-type': 'text/html' },
    body: [Buffer.from('<p>Back in a minute</p>')],
  },
  deliver: whole,
};

/** The first questions of this path are answered so; the engine answers those that follow. */
function troubled(path: string, replies: readonly Reply[]): NonNullable<FakeBehaviour['other']> {
  const left = [...replies];
  return (request) => (request.path.startsWith(path) ? (left.shift() ?? null) : null);
}

const asksOf = (calls: readonly string[], path: string) =>
  calls.filter((call) => call.startsWith(`GET ${path}`)).length;

describe.each([
  ['/view', work],
  ['/history/', quietWork],
])('a question of %s that fails after the picture was made', (path, made) => {
  const run = (replies: readonly Reply[]) => ({
    work: made,
    settings,
    before: troubled(path, replies),
  });

  it.each([
    ['502', answered(502)],
    ['429', answered(429)],
    ['504', answered(504)],
    ['a connection that is reset', reset],
    ['an answer that is cut off', cutOff],
    ['a web page', page],
  ])('by %s is asked again', async (_, reply) => {
    await withComfyui(run([reply, reply, reply]), async (bench) => {
      const events = await eventsOf(bench.run(job, { clock: hurriedClock(1000) }));
      expect(events.at(-1)).toMatchObject({ kind: 'final', image: { bytes: picture } });
      expect(asksOf(bench.calls(), path)).toBe(4);
    });
  });

  it.each([
    ['429', answered(429), { fault: 'busy', status: 429 }],
    ['a web page', page, { fault: 'protocol' }],
  ])('by %s again and again is asked four times in all', async (_, reply, expected) => {
    const replies = Array.from({ length: 9 }, () => reply);
    await withComfyui(run(replies), async (bench) => {
      const error = await errorOf(bench.run(job, { clock: hurriedClock(1000) }));
      expect(error).toMatchObject({ ...expected, possiblyCharged: true });
      expect(error.upstreamRequestId).toBe(bench.engine.prompt?.id);
      expect(asksOf(bench.calls(), path)).toBe(4);
    });
  });

  it.each([
    [400, 'protocol'],
    [404, 'protocol'],
    [401, 'auth'],
  ] as const)(
    'by %i is not asked again, is %s, and may have been charged',
    async (status, fault) => {
      await withComfyui(run([answered(status)]), async (bench) => {
        const error = await errorOf(bench.run(job, { clock: hurriedClock(1000) }));
        expect(error).toMatchObject({ fault, status, possiblyCharged: true });
        expect(asksOf(bench.calls(), path)).toBe(1);
      });
    },
  );

  it('is not asked again when nobody waits any more', async () => {
    await withComfyui(run([answered(502)]), async (bench) => {
      const stop = new AbortController();
      const failing = errorOf(bench.run(job, { signal: stop.signal }));
      await until(() => asksOf(bench.calls(), path) === 1);
      await bench.clock.untilSleeping();
      stop.abort();
      expect((await failing).fault).toBe('canceled');
      expect(asksOf(bench.calls(), path)).toBe(1);
    });
  });
});
