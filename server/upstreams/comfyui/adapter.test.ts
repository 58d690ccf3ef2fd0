import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { makePicture } from '../../../test/support/pictures.ts';
import { comfyuiSubject } from '../../../test/upstreams/comfyui.ts';
import { errorOf, eventsOf, withComfyui } from '../../../test/upstreams/comfyui-bench.ts';
import type { EngineRun } from '../../../test/upstreams/comfyui-engine.ts';
import { editJob, generationJob } from '../../../test/upstreams/jobs.ts';
import { paintMask } from '../wire/mask.ts';
import { comfyuiPresets } from './presets.ts';
import { comfyuiSettings } from './settings.ts';

const picture = await makePicture('png');
const preview = await makePicture('jpeg');

const generation = generationJob({ ...comfyuiSubject(), upstreamModel: 'sdxl-generate' });
const edit = await editJob(
  { ...comfyuiSubject(), upstreamModel: 'sdxl-edit' },
  { references: 1, withMask: true },
);

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

describe('a workflow that sends its picture over the socket', () => {
  it('is accepted under the ID of its prompt and ends with the picture', async () => {
    await withComfyui({ work: draws() }, async ({ run, engine }) => {
      const events = await eventsOf(run(generation));
      const upstreamRequestId = engine.prompt?.id;
      expect(upstreamRequestId).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);
      expect(events).toEqual([
        { kind: 'accepted', upstreamRequestId },
        {
          kind: 'final',
          image: { encoding: 'raw', bytes: picture },
          revisedPrompt: null,
          actual: { quality: null, background: null },
          tokens: null,
          upstreamRequestId,
          warnings: [],
        },
      ]);
    });
  });

  it('gets the prompt, the size, the steps and a seed of its own in its places', async () => {
    await withComfyui({ work: draws() }, async ({ run, engine }) => {
      const job = { ...generation, quality: 'high', size: { width: 1536, height: 1024 } } as const;
      await eventsOf(run(job));
      const first = engine.prompt?.graph;
      await eventsOf(run(job));
      const second = engine.prompt?.graph;
      expect(first?.['6']?.inputs['text']).toBe(job.prompt);
      expect(first?.['5']?.inputs).toMatchObject({ width: 1536, height: 1024, batch_size: 1 });
      expect(first?.['3']?.inputs['steps']).toBe(30);
      expect(first?.['3']?.inputs['seed']).toSatisfy(Number.isSafeInteger);
      expect(second?.['3']?.inputs['seed']).not.toBe(first?.['3']?.inputs['seed']);
      expect(first?.['7']?.inputs['text']).toBe('blurry, watermark, text');
    });
  });

  it('keeps its own size and steps where the job leaves them to it', async () => {
    await withComfyui({ work: draws() }, async ({ run, engine }) => {
      await eventsOf(run({ ...generation, size: 'auto', quality: 'auto' }));
      expect(engine.prompt?.graph['5']?.inputs).toMatchObject({ width: 1024, height: 1024 });
      expect(engine.prompt?.graph['3']?.inputs['steps']).toBe(25);
    });
  });

  it('takes the first picture of a batch', async () => {
    const other = await makePicture('png', { width: 9 });
    const work = (run: EngineRun) => {
      run.execute('9');
      run.sendPicture('9', picture);
      run.sendPicture('9', other);
      run.succeed();
    };
    await withComfyui({ work }, async ({ run }) => {
      const final = (await eventsOf(run(generation))).at(-1);
      expect(final).toMatchObject({ image: { bytes: picture } });
    });
  });

  it('may be a JPEG, which counts once the workflow has ended', async () => {
    const work = (run: EngineRun) => {
      run.execute('9');
      run.sendPicture('9', preview);
      run.succeed();
    };
    await withComfyui({ work }, async ({ run }) => {
      const final = (await eventsOf(run(generation))).at(-1);
      expect(final).toMatchObject({ kind: 'final', image: { bytes: preview } });
    });
  });

  it('is not what a node shows that saves its picture later', async () => {
    const work = (run: EngineRun) => {
      run.execute('9');
      run.preview('9', preview, { value: 1, max: 2 });
      run.preview('9', preview, { value: 2, max: 2 });
      run.save('9', picture);
      run.succeed();
    };
    await withComfyui({ work }, async ({ run }) => {
      expect(await eventsOf(run({ ...generation, partialImages: 1 }))).toMatchObject([
        { kind: 'accepted' },
        { kind: 'partial', image: { bytes: preview } },
        { kind: 'final', image: { bytes: picture } },
      ]);
    });
  });

  it('is understood without metadata, by the node that is at work', async () => {
    const work = (run: EngineRun) => {
      run.execute('3');
      run.sendPlainPicture(preview);
      run.execute('9');
      run.sendPlainPicture(picture);
      run.succeed();
    };
    await withComfyui({ work }, async ({ run }) => {
      const events = await eventsOf(run({ ...generation, partialImages: 1 }));
      expect(events.map(({ kind }) => kind)).toEqual(['accepted', 'partial', 'final']);
      expect(events.at(-1)).toMatchObject({ image: { bytes: picture } });
    });
  });

  it('is no other client’s: pictures and ends of other prompts are passed over', async () => {
    const other = await makePicture('png', { width: 9 });
    const work = (run: EngineRun) => {
      const mine = run.prompt.id;
      run.prompt.id = '11111111-1111-4111-8111-111111111111';
      run.execute('9');
      run.sendPicture('9', other);
      run.say('execution_error', { exception_type: 'ValueError', exception_message: 'no' });
      run.say('executing', { node: null });
      run.prompt.id = mine;
      run.sendPicture('9', picture);
      run.succeed();
    };
    await withComfyui({ work }, async ({ run }) => {
      expect((await eventsOf(run(generation))).at(-1)).toMatchObject({ image: { bytes: picture } });
    });
  });
});

describe('an edit', () => {
  /** What the server has of an uploaded file while the workflow runs. */
  function uploadsSeen() {
    const seen = new Map<string, Buffer>();
    const work = (run: EngineRun) => {
      for (const node of ['10', '11']) {
        const name = String(run.prompt.graph[node]?.inputs['image']).replace(' [temp]', '');
        const bytes = run.fileAt(`temp//${name}`);
        if (bytes) seen.set(node, bytes);
      }
      draws()(run);
    };
    return { seen, work };
  }

  it('uploads the reference and the mask, the mask as it is for the alpha channel', async () => {
    const { seen, work } = uploadsSeen();
    await withComfyui({ work }, async ({ run }) => {
      await eventsOf(run(edit));
      expect(seen.get('10')).toEqual(edit.referenceImages[0]?.bytes);
      expect(seen.get('11')).toEqual(edit.mask?.bytes);
    });
  });

  it.each(['png', 'jpeg', 'webp'] as const)(
    'has a %s turned by its EXIF, which the nodes read, only where no mask lies over it as it is stored',
    async (format) => {
      const { seen, work } = uploadsSeen();
      const turned = await sharp(edit.referenceImages[0]?.bytes)
        .withMetadata({ orientation: 6 })
        .toFormat(format)
        .toBuffer();
      const referenceImages = edit.referenceImages.map((image) => ({
        ...image,
        format,
        bytes: turned,
      }));
      await withComfyui({ work }, async ({ run }) => {
        await eventsOf(run({ ...edit, referenceImages, mask: null }));
        expect(seen.get('10')).toEqual(turned);
        await eventsOf(run({ ...edit, referenceImages }));
        const { width, height, orientation } = await sharp(seen.get('10')).metadata();
        expect({ width, height, orientation }).toEqual({
          width: 64,
          height: 48,
          orientation: undefined,
        });
      });
    },
  );

  it('paints the mask white for a workflow that reads a colour', async () => {
    const { seen, work } = uploadsSeen();
    const settings = structuredClone(comfyuiSettings.parse(comfyuiPresets[0]?.settings));
    Object.assign(settings.workflows['sdxl-edit'] ?? {}, { maskForm: 'white' });
    await withComfyui({ work, settings }, async ({ run }) => {
      await eventsOf(run(edit));
      expect(seen.get('11')).toEqual(edit.mask && (await paintMask(edit.mask, 'white')));
    });
  });

  it('may change all of the picture when there is no mask', async () => {
    const { seen, work } = uploadsSeen();
    await withComfyui({ work }, async ({ run }) => {
      await eventsOf(run({ ...edit, mask: null }));
      const { data, info } = await sharp(seen.get('11'))
        .raw()
        .toBuffer({ resolveWithObject: true });
      expect(info).toMatchObject({ width: 64, height: 48, channels: 4 });
      expect(data.every((byte) => byte === 0)).toBe(true);
    });
  });

  it('denoises less the more of the reference is to stay', async () => {
    await withComfyui({ work: draws() }, async ({ run, engine }) => {
      const denoise = async (inputFidelity: 'low' | 'high' | null) => {
        await eventsOf(run({ ...edit, inputFidelity }));
        return engine.prompt?.graph['3']?.inputs['denoise'];
      };
      expect(await denoise('high')).toBe(0.45);
      expect(await denoise('low')).toBe(0.75);
      expect(await denoise(null)).toBe(0.75);
    });
  });

  it('gives its files names that nobody can guess', async () => {
    await withComfyui({ work: draws() }, async ({ run, engine }) => {
      await eventsOf(run(edit));
      const names = [...engine.files.keys()];
      expect(names.length).toBe(2);
      for (const name of names) expect(name).toMatch(/^temp\/\/[0-9a-f]{32}\.png$/);
    });
  });
});

describe('a prompt', () => {
  it('loses its directives, which the operator reads', async () => {
    await withComfyui({ work: draws() }, async ({ run, engine }) => {
      const prompt = 'a fox <lora:secret:2> in snow';
      const events = await eventsOf(run({ ...generation, prompt }));
      expect(engine.prompt?.graph['6']?.inputs['text']).toBe('a fox   in snow');
      expect(events.at(-1)).toMatchObject({ warnings: ['prompt_stripped'] });
    });
  });

  it('keeps them where the operator wants it', async () => {
    const settings = { keepPromptDirectives: true };
    await withComfyui({ work: draws(), settings }, async ({ run, engine }) => {
      const prompt = 'a fox <lora:secret:2> in snow';
      const events = await eventsOf(run({ ...generation, prompt }));
      expect(engine.prompt?.graph['6']?.inputs['text']).toBe(prompt);
      expect(events.at(-1)).toMatchObject({ warnings: [] });
    });
  });

  it('is data: quotes and placeholders in it change nothing else', async () => {
    await withComfyui({ work: draws() }, async ({ run, engine }) => {
      const prompt = 'a "fox", {"3": 1}\n%seed% \\ %image_0%';
      await eventsOf(run({ ...generation, prompt }));
      expect(engine.prompt?.graph['6']?.inputs['text']).toBe(prompt);
    });
  });
});

describe('what the operator adds', () => {
  it('fills slots, sets inputs of nodes and goes into the call', async () => {
    await withComfyui({ work: draws() }, async ({ run, engine, fake }) => {
      const extra = {
        cfg: 3.5,
        negativePrompt: 'rain',
        steps: 12,
        nodes: { '3': { sampler_name: 'euler' }, '6': { text: 'something else' } },
        front: true,
        prompt: 'mine',
        prompt_id: 'mine',
        client_id: 'mine',
        extra_data: { api_key_comfy_org: 'k', preview_method: 'taesd' },
      };
      await eventsOf(run({ ...generation, extra }));
      const graph = engine.prompt?.graph;
      expect(graph?.['3']?.inputs).toMatchObject({ cfg: 3.5, steps: 12, sampler_name: 'euler' });
      expect(graph?.['7']?.inputs['text']).toBe('rain');
      expect(graph?.['6']?.inputs['text']).toBe(generation.prompt);
      const sent = fake.seen.find(({ method, path }) => method === 'POST' && path === '/prompt');
      expect(JSON.parse(sent?.body.toString() ?? '')).toMatchObject({
        front: true,
        prompt_id: expect.not.stringMatching('mine'),
        client_id: expect.not.stringMatching('mine'),
        extra_data: { api_key_comfy_org: 'k', preview_method: 'taesd' },
      });
    });
  });
});

describe('a job that the workflow cannot do', () => {
  it.each([
    ['an edit by a workflow without images', { ...edit, upstreamModel: 'sdxl-generate' }],
    [
      'a generation by a workflow that needs an image',
      { ...generation, upstreamModel: 'sdxl-edit' },
    ],
    ['a transparent background', { ...generation, background: 'transparent' as const }],
    ['a workflow that is not there', { ...generation, upstreamModel: 'other' }],
  ])('%s is refused before anything is sent', async (_, job) => {
    await withComfyui({ work: draws() }, async ({ run, fake }) => {
      expect((await errorOf(run(job))).fault).toBe('unsupported');
      expect(fake.seen).toEqual([]);
    });
  });
});

describe('authorization', () => {
  it.each([
    ['user:pass', `Basic ${Buffer.from('user:pass').toString('base64')}`],
    ['a-key', 'Bearer a-key'],
  ])('%s goes with every request, the WebSocket too', async (credential, expected) => {
    await withComfyui({ work: draws(), credential }, async ({ run, fake }) => {
      await eventsOf(run(generation));
      expect(fake.seen.length).toBeGreaterThan(2);
      expect(fake.seen.some(({ path }) => path.startsWith('/ws?'))).toBe(true);
      for (const { headers } of fake.seen) expect(headers['authorization']).toBe(expected);
    });
  });
});
