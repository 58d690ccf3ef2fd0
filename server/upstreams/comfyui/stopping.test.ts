import { describe, expect, it } from 'vitest';
import { makePicture } from '../../../test/support/pictures.ts';
import { comfyuiSubject } from '../../../test/upstreams/comfyui.ts';
import { errorOf, eventsOf, until, withComfyui } from '../../../test/upstreams/comfyui-bench.ts';
import type { ComfyuiEngine, EngineRun } from '../../../test/upstreams/comfyui-engine.ts';
import type { SeenRequest } from '../../../test/upstreams/contract-subject.ts';
import { whole } from '../../../test/upstreams/deliveries.ts';
import type { Reply } from '../../../test/upstreams/fake-service.ts';
import { editJob, generationJob } from '../../../test/upstreams/jobs.ts';
import { emptyPicture } from './empty-picture.ts';
import { comfyuiLimits } from './limits.ts';

const picture = await makePicture('png');
const generation = generationJob({ ...comfyuiSubject(), upstreamModel: 'sdxl-generate' });
const edit = await editJob(
  { ...comfyuiSubject(), upstreamModel: 'sdxl-edit' },
  { references: 1, withMask: true },
);

const cancel = (id: string | undefined) => `POST /api/jobs/${id}/cancel`;
const starts = (run: EngineRun) => run.execute('3');
const finishes = (run: EngineRun) => {
  run.execute('9');
  run.sendPicture('9', picture);
  run.succeed();
};

describe('a stop', () => {
  it('cancels a workflow that runs, and leaves nothing of it', async () => {
    const stop = new AbortController();
    await withComfyui({ work: starts }, async ({ run, engine, untilCalled }) => {
      const failing = errorOf(run(edit, { signal: stop.signal }));
      await until(() => engine.running !== null);
      stop.abort();
      expect((await failing).fault).toBe('canceled');
      await untilCalled(cancel(engine.prompt?.id));
      await untilCalled('POST /history');
      expect(engine.running).toBeNull();
      expect(engine.history.size).toBe(0);
    });
  });

  it('takes a workflow that waits out of the queue', async () => {
    const stop = new AbortController();
    await withComfyui({ work: starts, isRunning: false }, async (bench) => {
      const { run, engine, untilCalled } = bench;
      const failing = errorOf(run(generation, { signal: stop.signal }));
      await until(() => engine.pending.length === 1);
      stop.abort();
      expect((await failing).fault).toBe('canceled');
      await untilCalled(cancel(engine.prompt?.id));
      await until(() => engine.pending.length === 0);
    });
  });

  it('is also to leave the loop', async () => {
    await withComfyui({ work: starts }, async ({ run, engine, untilCalled }) => {
      for await (const { kind } of run(generation)) {
        expect(kind).toBe('accepted');
        break;
      }
      await untilCalled(cancel(engine.prompt?.id));
      await until(() => engine.running === null);
    });
  });

  it('closes the socket', async () => {
    await withComfyui({ work: finishes }, async ({ run, engine, close }) => {
      await eventsOf(run(generation));
      await close();
      await until(() => engine.openSockets === 0);
      expect(engine.openSockets).toBe(0);
    });
  });

  it('ends in time with a server that does not end the workflow', async () => {
    const stop = new AbortController();
    await withComfyui({ work: starts }, async ({ run, engine, clock, close, untilCalled }) => {
      const failing = errorOf(run(generation, { signal: stop.signal }));
      await until(() => engine.running !== null);
      const { running } = engine;
      if (running) running.interrupt = () => {};
      stop.abort();
      await failing;
      await untilCalled(cancel(engine.prompt?.id));
      await clock.untilSleeping(2);
      clock.advance(comfyuiLimits.endingMsMax);
      await untilCalled('POST /history');
      await close();
      await until(() => engine.openSockets === 0);
      expect(clock.sleeping).toBe(0);
    });
  });

  it.each([
    ['sent', (run: EngineRun) => run.sendPicture('9', picture)],
    ['saved', (run: EngineRun) => run.save('9', picture)],
  ])(
    'sends no cancel for a workflow that has %s its picture and is not at its end',
    async (_name, give) => {
      const runs: EngineRun[] = [];
      const work = (run: EngineRun) => {
        runs.push(run);
        give(run);
      };
      await withComfyui({ work }, async ({ run, engine, close, calls }) => {
        expect((await eventsOf(run(generation))).at(-1)).toMatchObject({ kind: 'final' });
        runs[0]?.succeed();
        await close();
        expect(calls().filter((call) => call.includes('cancel'))).toEqual([]);
        expect(engine.history.size).toBe(0);
      });
    },
  );

  it('cancels a workflow that was queued though a proxy says that it was not', async () => {
    const engines: ComfyuiEngine[] = [];
    const before = (request: SeenRequest): Reply | null => {
      if (request.method !== 'POST' || request.path !== '/prompt') return null;
      engines[0]?.answer(request);
      return { answer: { status: 502, headers: {}, body: [] }, deliver: whole };
    };
    await withComfyui({ work: starts, before }, async ({ run, engine, untilCalled }) => {
      engines.push(engine);
      expect((await errorOf(run(generation))).fault).toBe('unavailable');
      await untilCalled(cancel(engine.prompt?.id));
      await until(() => engine.running === null && engine.pending.length === 0);
    });
  });
});

describe('a stop at a server that knows no jobs by address', () => {
  const refusesCancel = ({ path }: SeenRequest): Reply | null =>
    path.endsWith('/cancel')
      ? { answer: { status: 405, headers: {}, body: [] }, deliver: whole }
      : null;

  it.each([
    ['there is no such path', { isOlder: true }],
    ['a status of 405', { before: refusesCancel }],
  ])('interrupts the workflow when it is ours that runs (told by: %s)', async (_told, options) => {
    const stop = new AbortController();
    await withComfyui({ work: starts, ...options }, async ({ run, engine, untilCalled }) => {
      const failing = errorOf(run(generation, { signal: stop.signal }));
      await until(() => engine.running !== null);
      stop.abort();
      await failing;
      await untilCalled('POST /interrupt');
      expect(engine.running).toBeNull();
    });
  });

  it('never interrupts the workflow of somebody else', async () => {
    const options = { work: starts, isOlder: true, isRunning: false };
    await withComfyui(options, async ({ run, engine, close, untilCalled, calls }) => {
      engine.pending.push({ id: 'foreign', clientId: 'foreign', graph: {}, extraData: {} });
      engine.runNext();
      for await (const { kind } of run(generation)) {
        expect(kind).toBe('accepted');
        break;
      }
      await untilCalled('GET /queue');
      await close();
      expect(engine.running?.prompt.id).toBe('foreign');
      expect(engine.pending).toEqual([]);
      expect(calls()).not.toContain('POST /interrupt');
    });
  });

  it('follows the ID that the server gave the prompt', async () => {
    await withComfyui({ work: finishes, isOlder: true }, async ({ run, engine, close }) => {
      const [accepted] = await eventsOf(run(generation));
      expect(accepted).toMatchObject({ upstreamRequestId: engine.prompt?.id });
      await close();
      expect(engine.history.size).toBe(0);
    });
  });
});

describe('what stays at the server', () => {
  it('is nothing of the prompt and nothing of the pictures', async () => {
    await withComfyui({ work: finishes }, async ({ run, engine, close }) => {
      await eventsOf(run(edit));
      await close();
      expect(engine.history.size).toBe(0);
      expect(engine.files.size).toBe(2);
      for (const bytes of engine.files.values()) expect(bytes).toEqual(emptyPicture.bytes);
    });
  });

  it('is the files, where the operator keeps them', async () => {
    const settings = { eraseFiles: false };
    await withComfyui({ work: finishes, settings }, async ({ run, engine, close }) => {
      await eventsOf(run(edit));
      await close();
      expect(engine.history.size).toBe(0);
      expect([...engine.files.values()]).toEqual([
        edit.referenceImages[0]?.bytes,
        edit.mask?.bytes,
      ]);
    });
  });

  it('is nothing after a workflow that was not accepted', async () => {
    await withComfyui({ work: finishes }, async ({ run, engine, close, calls }) => {
      const extra = { nodes: { '4': { ckpt_name: 'missing.safetensors' } } };
      await errorOf(run({ ...edit, extra }));
      await close();
      expect(engine.files.size).toBe(2);
      for (const bytes of engine.files.values()) expect(bytes).toEqual(emptyPicture.bytes);
      expect(calls().filter((call) => call.includes('cancel'))).toEqual([]);
    });
  });
});
