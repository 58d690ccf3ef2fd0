import { describe, expect, it } from 'vitest';
import { comfyuiSubject } from '../../../test/upstreams/comfyui.ts';
import { generationJob } from '../../../test/upstreams/jobs.ts';
import type { ImageJob } from '../upstream.ts';
import { fillWorkflow, type UploadedNames } from './fill-workflow.ts';
import { orderOf } from './order.ts';
import { comfyuiSettings } from './settings.ts';
import { checkWorkflow } from './workflow.ts';

const node = (class_type: string, inputs: Record<string, unknown>) => ({ class_type, inputs });
const output = node('SaveImage', { images: ['1', 0] });

function filled(
  given: Readonly<Record<string, unknown>>,
  { job = {}, uploaded = {} }: { job?: Partial<ImageJob>; uploaded?: Partial<UploadedNames> } = {},
) {
  const settings = comfyuiSettings.parse({ workflows: { mine: given } });
  const parsed = settings.workflows['mine'];
  if (!parsed) throw new Error('the settings have the workflow');
  const workflow = checkWorkflow('mine', parsed);
  const whole = generationJob(comfyuiSubject(), job);
  const order = orderOf(
    { ...whole, referenceImages: [] },
    { ...workflow, images: { ...workflow.images, needed: 0 } },
    settings,
  );
  const graph = fillWorkflow(workflow, order, { images: [], mask: null, ...uploaded }, whole.extra);
  return { graph, warnings: order.warnings };
}

describe('placeholders', () => {
  it('become values of their own type where they are the whole text', () => {
    const workflow = {
      1: node('Any', {
        text: 'oil painting, %prompt%, 4k',
        seed: '%seed%',
        list: [['%width%'], { h: '%height%' }],
      }),
      2: output,
    };
    const { graph } = filled({ workflow }, { job: { prompt: 'a fox' } });
    expect(graph['1']?.inputs).toEqual({
      text: 'oil painting, a fox, 4k',
      seed: expect.any(Number),
      list: [[1024], { h: 1024 }],
    });
  });

  it('are looked for once: those in a prompt stay as they are', () => {
    const workflow = { 1: node('Any', { text: '%prompt% %seed%' }), 2: output };
    const { graph } = filled({ workflow }, { job: { prompt: '%steps% $& %prompt%' } });
    expect(graph['1']?.inputs['text']).toMatch(/^%steps% \$& %prompt% \d+$/);
  });

  it('that are ComfyUI’s own are left to it', () => {
    const workflow = {
      1: node('Any', { text: '%prompt%' }),
      2: node('SaveImage', { images: ['1', 0], filename_prefix: '%date:yyyy%/%KSampler.seed%' }),
    };
    expect(filled({ workflow }).graph['2']?.inputs['filename_prefix']).toBe(
      '%date:yyyy%/%KSampler.seed%',
    );
  });

  it('have values when the job leaves them open', () => {
    const workflow = {
      1: node('Any', {
        text: '%prompt%',
        s: '%steps%',
        f: '%fidelity%',
        d: '%denoise%',
        w: '%width%',
      }),
      2: output,
    };
    const given = { workflow, defaultSize: { width: 768, height: 512 } };
    const { graph } = filled(given, { job: { size: 'auto', quality: 'auto' } });
    expect(graph['1']?.inputs).toMatchObject({ s: 20, f: 'low', d: 0.75, w: 768 });
  });
});

describe('a size', () => {
  const workflow = { 1: node('Any', { text: '', w: 640, h: 480 }), 2: output };
  const slots = {
    prompt: { node: 1, input: 'text' },
    width: { node: 1, input: 'w' },
    height: { node: 1, input: 'h' },
  };

  it.each([
    ['that is asked for', { width: 512, height: 768 }, { w: 512, h: 768 }],
    ['that is left to the workflow', 'auto', { w: 640, h: 480 }],
  ] as const)('%s', (_what, size, inputs) => {
    const { graph } = filled({ workflow, slots }, { job: { size } });
    expect(graph['1']?.inputs).toMatchObject(inputs);
  });
});

describe('steps', () => {
  const workflow = { 1: node('Any', { text: '', steps: 17 }), 2: output };
  const slots = { prompt: { node: 1, input: 'text' }, steps: { node: 1, input: 'steps' } };

  it.each([
    ['auto', 17],
    ['low', 8],
    ['medium', 20],
    ['high', 30],
    ['xhigh', 40],
    ['max', 50],
  ] as const)('of quality %s are %i', (quality, steps) => {
    expect(filled({ workflow, slots }, { job: { quality } }).graph['1']?.inputs['steps']).toBe(
      steps,
    );
  });

  it('are the operator’s where he says so', () => {
    const qualitySteps = { auto: 4, max: 12 };
    const stepsOf = (quality: 'auto' | 'max') =>
      filled({ workflow, slots, qualitySteps }, { job: { quality } }).graph['1']?.inputs['steps'];
    expect([stepsOf('auto'), stepsOf('max')]).toEqual([4, 12]);
  });
});

describe('images', () => {
  const workflow = {
    1: node('Any', { text: '%prompt%', image1: ['11', 0], image2: ['12', 0] }),
    2: output,
    11: node('LoadImage', { image: 'a.png' }),
    12: node('LoadImage', { image: 'b.png' }),
  };
  const images = [
    { node: '11', input: 'image' },
    { node: '12', input: 'image' },
  ];

  it('that the job does not have are the first once more', () => {
    const { graph } = filled(
      { workflow, slots: { images } },
      { uploaded: { images: ['x [temp]'] } },
    );
    expect(graph['12']?.inputs['image']).toBe('x [temp]');
  });

  it('that the job does not have are removed with the links to them', () => {
    const given = { workflow, slots: { images }, unusedImages: 'remove' };
    const { graph } = filled(given, { uploaded: { images: ['x [temp]'] } });
    expect(Object.keys(graph)).toEqual(['1', '2', '11']);
    expect(Object.keys(graph['1']?.inputs ?? {})).toEqual(['text', 'image1']);
  });

  it('leave the configured workflow as it was', () => {
    const before = structuredClone(workflow);
    filled({ workflow, slots: { images } }, { uploaded: { images: ['x [temp]', 'y [temp]'] } });
    expect(workflow).toEqual(before);
  });
});

describe('a value in several places', () => {
  it('is the same in all of them', () => {
    const workflow = { 1: node('Any', { g: '', l: '' }), 2: output };
    const prompt = [
      { node: 1, input: 'g' },
      { node: 1, input: 'l' },
    ];
    const { graph } = filled({ workflow, slots: { prompt } }, { job: { prompt: 'a fox' } });
    expect(graph['1']?.inputs).toEqual({ g: 'a fox', l: 'a fox' });
  });
});

describe('what a workflow has no place for', () => {
  const workflow = { 1: node('Any', { text: '%prompt%' }), 2: output };

  it.each([
    [{ size: { width: 512, height: 512 } }, 'size_approximated'],
    [{ quality: 'low' }, 'quality_ignored'],
    [{ inputFidelity: 'high' }, 'input_fidelity_ignored'],
    [{ moderation: 'low' }, 'moderation_ignored'],
  ] as const)('%j is left out with the warning %s', (job, warning) => {
    const plain = { size: 'auto', quality: 'auto' } as const;
    expect(filled({ workflow }, { job: { ...plain, ...job } }).warnings).toEqual([warning]);
    expect(filled({ workflow }, { job: plain }).warnings).toEqual([]);
  });

  it.each([
    ['%width%', 'high', ['size_approximated', 'input_fidelity_ignored']],
    ['%height%', null, ['size_approximated']],
    ['%width%x%height%', null, []],
    ['%width%x%height% %denoise%', 'high', []],
    ['%width%x%height% %fidelity%', 'high', []],
  ] as const)('with %s and the fidelity %j warns of %j', (place, inputFidelity, warnings) => {
    const having = { 1: node('Any', { text: `%prompt% ${place}` }), 2: output };
    const job = { quality: 'auto', inputFidelity } as const;
    expect(filled({ workflow: having }, { job }).warnings).toEqual(warnings);
  });

  it('says nothing of a moderation that is left to it', () => {
    const job = { size: 'auto', moderation: 'auto' } as const;
    expect(filled({ workflow }, { job }).warnings).toEqual([]);
  });
});
