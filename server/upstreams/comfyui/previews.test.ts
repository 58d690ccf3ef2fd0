import { describe, expect, it } from 'vitest';
import { makePicture } from '../../../test/support/pictures.ts';
import { comfyuiSubject } from '../../../test/upstreams/comfyui.ts';
import { eventsOf, withComfyui } from '../../../test/upstreams/comfyui-bench.ts';
import type { EngineRun } from '../../../test/upstreams/comfyui-engine.ts';
import { generationJob } from '../../../test/upstreams/jobs.ts';

const picture = await makePicture('png');
const preview = await makePicture('jpeg');
const generation = generationJob({ ...comfyuiSubject(), upstreamModel: 'sdxl-generate' });

/** Node 3 samples, node 9 sends the picture. */
function draws(steps = 4) {
  return (run: EngineRun) => {
    run.execute('3');
    for (let step = 1; step <= steps; step++) {
      run.preview('3', preview, { value: step, max: steps });
    }
    run.execute('9');
    run.sendPicture('9', picture);
    run.succeed();
  };
}

describe('previews', () => {
  it.each([
    [1, [2]],
    [2, [2, 3]],
    [3, [1, 2, 3]],
  ])('%i of them are spread over the work', async (partialImages, steps) => {
    const previews = await Promise.all([1, 2, 3, 4].map((width) => makePicture('jpeg', { width })));
    const work = (run: EngineRun) => {
      run.execute('3');
      for (const [index, bytes] of previews.entries()) {
        run.preview('3', bytes, { value: index + 1, max: previews.length });
      }
      run.execute('9');
      run.sendPicture('9', picture);
      run.succeed();
    };
    await withComfyui({ work }, async ({ run, engine }) => {
      const events = await eventsOf(run({ ...generation, partialImages }));
      const partials = events.filter(({ kind }) => kind === 'partial');
      expect(partials).toEqual(
        steps.map((step, index) => ({
          kind: 'partial',
          index,
          image: { encoding: 'raw', bytes: previews[step - 1] },
        })),
      );
      expect(engine.prompt?.extraData['preview_method']).toBe('auto');
    });
  });

  it('are asked for with metadata, before the prompt is sent', async () => {
    await withComfyui({ work: draws() }, async ({ run, engine }) => {
      await eventsOf(run({ ...generation, partialImages: 1 }));
      const [first] = engine.heard;
      expect(first?.clientId).toBe(engine.prompt?.clientId);
      expect(first?.message).toEqual({
        type: 'feature_flags',
        data: { supports_preview_metadata: true },
      });
    });
  });

  it('are not drawn for a job that wants none', async () => {
    await withComfyui({ work: draws() }, async ({ run, engine }) => {
      await eventsOf(run(generation));
      expect(engine.prompt?.extraData['preview_method']).toBe('none');
    });
  });

  it('are left out with a warning where they are switched off', async () => {
    await withComfyui({ work: draws(), settings: { previews: 'none' } }, async (bench) => {
      const events = await eventsOf(bench.run({ ...generation, partialImages: 2 }));
      expect(bench.engine.prompt?.extraData['preview_method']).toBe('none');
      expect(events.map(({ kind }) => kind)).toEqual(['accepted', 'final']);
      expect(events.at(-1)).toMatchObject({ warnings: ['partial_images_ignored'] });
      expect(bench.adapter.capabilities('sdxl-generate').partialImages).toBe(false);
    });
  });

  it('are told to be missing where the workflow has none to show', async () => {
    const work = (run: EngineRun) => {
      run.execute('9');
      run.sendPicture('9', picture);
      run.succeed();
    };
    await withComfyui({ work }, async ({ run }) => {
      const events = await eventsOf(run({ ...generation, partialImages: 2 }));
      expect(events.map(({ kind }) => kind)).toEqual(['accepted', 'final']);
      expect(events.at(-1)).toMatchObject({ warnings: ['partial_images_ignored'] });
      const unasked = await eventsOf(run(generation));
      expect(unasked.at(-1)).toMatchObject({ warnings: [] });
    });
    await withComfyui({ work: draws() }, async ({ run }) => {
      const events = await eventsOf(run({ ...generation, partialImages: 2 }));
      expect(events.at(-1)).toMatchObject({ warnings: [] });
    });
  });

  it('that are no pictures are passed over', async () => {
    const work = (run: EngineRun) => {
      run.preview('3', Buffer.from('not a picture at all'), { value: 3, max: 4 });
      run.sendPicture('9', picture);
      run.succeed();
    };
    await withComfyui({ work }, async ({ run }) => {
      const events = await eventsOf(run({ ...generation, partialImages: 1 }));
      expect(events.map(({ kind }) => kind)).toEqual(['accepted', 'final']);
    });
  });
});
