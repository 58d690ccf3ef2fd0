import { describe, expect, it } from 'vitest';
import { withComfyui } from '../../../test/upstreams/comfyui-bench.ts';
import { systemClock } from '../../lib/clock.ts';
import { UpstreamError } from '../upstream.ts';
import textToImage from './workflows/text-to-image.json' with { type: 'json' };

const context = { signal: new AbortController().signal, clock: systemClock, credential: null };
const slots = { prompt: { node: '6', input: 'text' } };
const work = () => {};

describe('the model list', () => {
  it('is the configured workflows, in their order', async () => {
    await withComfyui({ work }, async ({ adapter }) => {
      expect(await adapter.listModels(context)).toEqual([
        { upstreamModel: 'sdxl-generate', description: 'Workflow of 7 nodes: generates' },
        {
          upstreamModel: 'sdxl-edit',
          description: 'Workflow of 11 nodes: edits up to 1 image, takes a mask',
        },
      ]);
    });
  });

  it('says what a server lacks for a workflow', async () => {
    const node = structuredClone(textToImage);
    node['8'].class_type = 'VAEDecodeElsewhere';
    const file = structuredClone(textToImage);
    file['4'].inputs.ckpt_name = 'flux.safetensors';
    const workflows = { node: { workflow: node, slots }, file: { workflow: file, slots } };
    await withComfyui({ work, settings: { workflows } }, async ({ adapter }) => {
      expect((await adapter.listModels(context)).map(({ description }) => description)).toEqual([
        'Not usable: the server has no node VAEDecodeElsewhere',
        'Not usable: the server has no ckpt_name flux.safetensors',
      ]);
    });
  });

  it('makes no picture and asks each class once', async () => {
    await withComfyui({ work }, async ({ adapter, calls }) => {
      await adapter.listModels(context);
      expect(calls()[0]).toBe('GET /system_stats');
      const classes = calls().slice(1);
      expect(classes.every((call) => call.startsWith('GET /object_info/'))).toBe(true);
      expect(new Set(classes).size).toBe(classes.length);
    });
  });

  it('shows that a server is gone', async () => {
    await withComfyui({ work }, async ({ adapter, fake }) => {
      await fake.stop();
      const error = await adapter.listModels(context).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(UpstreamError);
      expect(error).toMatchObject({ fault: 'unavailable' });
    });
  });

  it('may be empty, and then only shows that the server is there', async () => {
    await withComfyui({ work, settings: { workflows: {} } }, async ({ adapter, calls }) => {
      expect(await adapter.listModels(context)).toEqual([]);
      expect(calls()).toEqual(['GET /system_stats']);
    });
  });
});
