import sharp from 'sharp';
import { assert, describe, expect, it } from 'vitest';
import { hurriedClock } from '../../../test/support/hurried-clock.ts';
import { makePicture, pngChunk } from '../../../test/support/pictures.ts';
import { comfyuiSubject } from '../../../test/upstreams/comfyui.ts';
import { errorOf, eventsOf, until, withComfyui } from '../../../test/upstreams/comfyui-bench.ts';
import type { EngineRun } from '../../../test/upstreams/comfyui-engine.ts';
import { generationJob } from '../../../test/upstreams/jobs.ts';
import { comfyuiLimits } from './limits.ts';
import textToImage from './workflows/text-to-image.json' with { type: 'json' };

const picture = await makePicture('png');
const generation = generationJob({ ...comfyuiSubject(), upstreamModel: 'sdxl-generate' });

/** The workflow of the preset, with a node that writes to the disk. */
const saving = {
  workflows: {
    saving: {
      workflow: {
        ...textToImage,
        '9': { class_type: 'SaveImage', inputs: { images: ['8', 0], filename_prefix: 'ours' } },
      },
      slots: {
        prompt: { node: '6', input: 'text' },
        width: { node: '5', input: 'width' },
        height: { node: '5', input: 'height' },
        seed: { node: '3', input: 'seed' },
      },
    },
  },
};
const savedJob = { ...generation, upstreamModel: 'saving' };

describe('the queue', () => {
  it.each([
    [1, 2, true],
    [2, 2, false],
  ])('of %i, with %i as its limit, is accepted: %s', async (length, queueMax, isAccepted) => {
    const work = (run: EngineRun) => {
      run.sendPicture('9', picture);
      run.succeed();
    };
    const options = { work, isRunning: false, settings: { queueMax } };
    await withComfyui(options, async ({ run, engine, calls }) => {
      for (let index = 0; index < length; index++) {
        engine.pending.push({ id: `other-${index}`, clientId: '', graph: {}, extraData: {} });
      }
      if (!isAccepted) {
        expect((await errorOf(run(generation))).fault).toBe('busy');
        expect(calls()).toEqual(['GET /prompt']);
        return;
      }
      const events = eventsOf(run(generation));
      await until(() => engine.pending.length > length);
      engine.pending.splice(0, length);
      engine.runNext();
      expect((await events).at(-1)).toMatchObject({ kind: 'final' });
    });
  });

  it('that does not move in time makes the server count as busy, and the workflow is taken back', async () => {
    const settings = { queueSecondsMax: 45 };
    const options = { work: () => {}, isRunning: false, settings };
    await withComfyui(options, async ({ run, engine, clock, untilCalled }) => {
      const failing = errorOf(run(generation));
      await clock.untilSleeping();
      clock.advance(45_000);
      const error = await failing;
      expect(error).toMatchObject({ fault: 'busy', upstreamRequestId: engine.prompt?.id });
      await untilCalled(`POST /api/jobs/${engine.prompt?.id}/cancel`);
      await until(() => engine.pending.length === 0);
    });
  });
});

describe('a workflow that the server does not accept', () => {
  it.each([
    [
      'a checkpoint that it does not have',
      { '4': { ckpt_name: 'no.safetensors' } },
      'value_not_in_list',
    ],
  ])('for %s is for the next upstream', async (_, nodes, upstreamCode) => {
    await withComfyui({ work: () => {} }, async ({ run }) => {
      const error = await errorOf(run({ ...generation, extra: { nodes } }));
      expect(error).toMatchObject({ fault: 'unsupported', status: 400, upstreamCode });
    });
  });

  it('for a node that it does not have is for the next upstream', async () => {
    const settings = structuredClone(saving);
    settings.workflows.saving.workflow['8'].class_type = 'VAEDecodeElsewhere';
    await withComfyui({ work: () => {}, settings }, async ({ run }) => {
      const error = await errorOf(run(savedJob));
      expect(error).toMatchObject({ fault: 'unsupported', upstreamCode: 'missing_node_type' });
    });
  });

  it('for a size out of its range is the job’s own fault', async () => {
    await withComfyui({ work: () => {} }, async ({ run }) => {
      const size = { width: 16_385, height: 1024 };
      const error = await errorOf(run({ ...generation, size }));
      expect(error).toMatchObject({ fault: 'bad_request', upstreamCode: 'value_bigger_than_max' });
    });
  });
});

describe('a workflow that fails', () => {
  it.each([
    ['torch.OutOfMemoryError', 'Allocation on device 0', 'busy'],
    ['torch.cuda.OutOfMemoryError', 'CUDA out of memory. Tried to allocate', 'busy'],
    ['RuntimeError', 'HIP out of memory', 'busy'],
    ['ValueError', 'a fox is not a tensor', 'unavailable'],
  ])('with %s, %s is %s', async (type, message, fault) => {
    await withComfyui({ work: (run) => run.fail(type, message) }, async ({ run }) => {
      const error = await errorOf(run(generation));
      expect(error).toMatchObject({ fault, upstreamCode: type });
      expect(error.message).not.toContain(message);
    });
  });

  it('because somebody else interrupted it is unavailable', async () => {
    await withComfyui({ work: (run) => run.interrupt() }, async ({ run }) => {
      expect((await errorOf(run(generation))).fault).toBe('unavailable');
    });
  });

  it('to give a picture is a fault of the protocol', async () => {
    await withComfyui({ work: (run) => run.succeed() }, async ({ run }) => {
      const error = await errorOf(run(generation));
      expect(error).toMatchObject({ fault: 'protocol', possiblyCharged: true });
    });
  });
});

describe('a picture that was saved', () => {
  const work = (run: EngineRun) => {
    run.execute('9');
    run.save('9', picture);
    run.succeed();
  };

  it('is fetched, and its file emptied', async () => {
    await withComfyui({ work, settings: saving }, async ({ run, engine, close }) => {
      const final = (await eventsOf(run(savedJob))).at(-1);
      expect(final).toMatchObject({ image: { encoding: 'raw', bytes: picture } });
      await close();
      expect([...engine.files.values()].every((bytes) => !bytes.equals(picture))).toBe(true);
      expect(engine.history.size).toBe(0);
    });
  });

  it('is that of the output node, whatever others save before', async () => {
    const other = await makePicture('png', { width: 9 });
    const both = (run: EngineRun) => {
      run.save('8', other);
      work(run);
    };
    await withComfyui({ work: both, settings: saving }, async ({ run }) => {
      expect((await eventsOf(run(savedJob))).at(-1)).toMatchObject({ image: { bytes: picture } });
    });
  });

  it('is none that another node saves, where the output node gives none', async () => {
    const other = (run: EngineRun) => {
      run.save('8', picture);
      run.succeed();
    };
    await withComfyui({ work: other, settings: saving }, async ({ run }) => {
      const error = await errorOf(run(savedJob));
      expect(error).toMatchObject({ fault: 'protocol', possiblyCharged: true });
    });
  });

  it('is made anew by a workflow without a seed, whose last file was emptied', async () => {
    const saved = new Map<string, unknown>();
    const cached = (run: EngineRun) => {
      const graph = JSON.stringify(run.prompt.graph);
      const before = saved.get(graph);
      const say = run.say.bind(run);
      run.say = (type, data) => {
        if (type === 'executed') saved.set(graph, data['output']);
        say(type, data);
      };
      if (before === undefined) run.save('9', picture);
      else run.say('executed', { node: '9', output: before });
      run.succeed();
    };
    const slots = { prompt: { node: '6', input: 'text' } };
    const seedless = { workflows: { saving: { ...saving.workflows.saving, slots } } };
    await withComfyui({ work: cached, settings: seedless }, async ({ run, engine }) => {
      await eventsOf(run(savedJob));
      await until(() => [...engine.files.values()].every((bytes) => !bytes.equals(picture)));
      expect((await eventsOf(run(savedJob))).at(-1)).toMatchObject({ image: { bytes: picture } });
    });
  });

  it('is freed from the workflow that the server wrote into it', async () => {
    const text = pngChunk(
      'tEXt',
      Buffer.from('prompt\0{"4": {"inputs": {"ckpt_name": "secret"}}}'),
    );
    const written = Buffer.concat([picture.subarray(0, -12), text, picture.subarray(-12)]);
    const save = (run: EngineRun) => {
      run.save('9', written);
      run.succeed();
    };
    await withComfyui({ work: save, settings: saving }, async ({ run }) => {
      expect((await eventsOf(run(savedJob))).at(-1)).toMatchObject({ image: { bytes: picture } });
    });
  });

  it('keeps its alpha channel in another format than PNG, and loses the workflow there too', async () => {
    const transparent = await makePicture('webp', { alpha: true });
    const exif = { IFD0: { Model: 'prompt:{"4": {"inputs": {"ckpt_name": "secret"}}}' } };
    const written = await sharp(transparent).withExif(exif).webp().toBuffer();
    const save = (run: EngineRun) => {
      run.save('9', written, 'webp');
      run.succeed();
    };
    await withComfyui({ work: save, settings: saving }, async ({ run }) => {
      const final = (await eventsOf(run(savedJob))).at(-1);
      assert(final?.kind === 'final' && final.image.encoding === 'raw');
      expect(await sharp(final.image.bytes).metadata()).toMatchObject({ hasAlpha: true });
      expect(final.image.bytes.includes('secret')).toBe(false);
    });
  });

  it('is found in the history when no message told of it', async () => {
    const quiet = (run: EngineRun) => {
      const say = run.say.bind(run);
      run.say = (type, data) => {
        if (type !== 'executed') say(type, data);
      };
      work(run);
    };
    await withComfyui({ work: quiet, settings: saving }, async ({ run }) => {
      expect((await eventsOf(run(savedJob))).at(-1)).toMatchObject({ image: { bytes: picture } });
    });
  });

  it('is found in the history after a silence', async () => {
    const silent = (run: EngineRun) => {
      run.say = () => {};
      work(run);
    };
    await withComfyui({ work: silent, settings: saving }, async ({ run, clock, engine }) => {
      const events = eventsOf(run(savedJob));
      await until(() => engine.history.size === 1);
      await clock.untilSleeping();
      clock.advance(comfyuiLimits.silenceMs);
      expect((await events).at(-1)).toMatchObject({ image: { bytes: picture } });
      // The end is not told either.
      await clock.untilSleeping(2);
      clock.advance(comfyuiLimits.endingMsMax);
    });
  });

  it('is found in the history after the socket was cut', async () => {
    const runs: EngineRun[] = [];
    const begin = (run: EngineRun) => void runs.push(run);
    await withComfyui({ work: begin, settings: saving }, async ({ run, engine, untilCalled }) => {
      const events = eventsOf(run(savedJob, { clock: hurriedClock(1000) }));
      await until(() => runs.length === 1);
      engine.dropSockets();
      await untilCalled(`GET /history/${engine.prompt?.id}`);
      for (const each of runs) work(each);
      expect((await events).at(-1)).toMatchObject({ image: { bytes: picture } });
    });
  });

  it('is waited for only so often after the socket was cut', async () => {
    await withComfyui({ work: () => {}, settings: saving }, async ({ run, engine, calls }) => {
      const failing = errorOf(run(savedJob, { clock: hurriedClock(100_000) }));
      await until(() => engine.running !== null);
      engine.dropSockets();
      const error = await failing;
      expect(error).toMatchObject({ fault: 'unavailable', possiblyCharged: true });
      const looks = calls().filter((call) => call.startsWith('GET /history/'));
      expect(looks.length).toBeGreaterThanOrEqual(comfyuiLimits.pollsMax);
    });
  });

  it('that failed after the socket was cut has failed', async () => {
    const runs: EngineRun[] = [];
    const begin = (run: EngineRun) => void runs.push(run);
    await withComfyui({ work: begin, settings: saving }, async ({ run, engine }) => {
      const failing = errorOf(run(savedJob, { clock: hurriedClock(1000) }));
      await until(() => runs.length === 1);
      engine.dropSockets();
      for (const each of runs) each.fail('torch.OutOfMemoryError', 'no room');
      expect((await failing).fault).toBe('busy');
    });
  });
});

describe('a socket that is cut', () => {
  it('takes a picture with it that was to come over it', async () => {
    await withComfyui({ work: () => {} }, async ({ run, engine, untilCalled }) => {
      const failing = errorOf(run(generation, { clock: hurriedClock(1000) }));
      await until(() => engine.running !== null);
      engine.dropSockets();
      expect(await failing).toMatchObject({ fault: 'unavailable', possiblyCharged: true });
      await untilCalled(`POST /api/jobs/${engine.prompt?.id}/cancel`);
    });
  });

  it('ends with the server’s own trouble when that is gone too', async () => {
    await withComfyui({ work: () => {}, settings: saving }, async ({ run, engine, fake }) => {
      const failing = errorOf(run(savedJob, { clock: hurriedClock(1000) }));
      await until(() => engine.running !== null);
      await fake.stop();
      expect((await failing).fault).toBe('unavailable');
    });
  });
});

describe('a socket that says nothing', () => {
  it('is borne so long, and then the workflow counts as stuck', async () => {
    const work = (run: EngineRun) => run.execute('3');
    await withComfyui({ work }, async ({ run, engine, clock, calls, close }) => {
      const failing = errorOf(run(generation)).then((error) => error);
      await until(() => engine.running !== null);
      const looks = () => calls().filter((call) => call.startsWith('GET /history/')).length;
      // The first look still sees the frames of the beginning.
      for (let look = 1; look <= comfyuiLimits.silentChecksMax + 2; look++) {
        await clock.untilSleeping();
        clock.advance(comfyuiLimits.silenceMs);
        await until(() => looks() === look);
      }
      expect(await failing).toMatchObject({ fault: 'timeout', possiblyCharged: true });
      await close();
    });
  });
});
