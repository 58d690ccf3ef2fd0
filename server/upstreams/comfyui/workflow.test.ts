import { describe, expect, it } from 'vitest';
import { imageQualities } from '../../../shared/image-options.ts';
import { ServiceError } from '../../lib/service-error.ts';
import { capabilitiesOf } from './capabilities.ts';
import type { Graph } from './graph.ts';
import { comfyuiLimits } from './limits.ts';
import { comfyuiPresets } from './presets.ts';
import { comfyuiSettings } from './settings.ts';
import { checkWorkflow, type Workflow } from './workflow.ts';
import inpaint from './workflows/inpaint.json' with { type: 'json' };
import textToImage from './workflows/text-to-image.json' with { type: 'json' };

const prompt = { node: '6', input: 'text' };

function check(given: Readonly<Record<string, unknown>>, name = 'mine'): Workflow {
  const settings = comfyuiSettings.parse({ workflows: { [name]: given } });
  const workflow = settings.workflows[name];
  if (!workflow) throw new Error('the settings have the workflow');
  return checkWorkflow(name, workflow);
}

/** Which setting is at fault, and what is said of it. */
function fault(given: Readonly<Record<string, unknown>>, name?: string) {
  try {
    check(given, name);
  } catch (error) {
    if (error instanceof ServiceError) return { param: error.param, message: error.message };
    throw error;
  }
  return null;
}

function changed(graph: Graph, changes: Graph): Graph {
  return { ...structuredClone(graph), ...changes };
}

const at = 'settings.workflows.mine';

it('delivers PNGs of any quality, and transparent ones where it is said to', () => {
  const settings = comfyuiSettings.parse({});
  const given = { workflow: textToImage, slots: { prompt } };
  expect(capabilitiesOf(check(given), settings)).toMatchObject({
    formats: ['png'],
    qualities: imageQualities,
    partialImages: true,
    sizes: 'own',
    transparentBackground: false,
  });
  const transparent = check({ ...given, transparent: true });
  expect(capabilitiesOf(transparent, { ...settings, previews: 'none' })).toMatchObject({
    partialImages: false,
    transparentBackground: true,
  });
});

describe('a workflow', () => {
  it('may be pasted as text', () => {
    const workflow = check({ workflow: JSON.stringify(textToImage), slots: { prompt } });
    expect(workflow.graph).toEqual(textToImage);
    expect(workflow.output).toBe('9');
  });

  it.each([
    ['text that is no JSON', { workflow: '{', slots: { prompt } }, 'workflow', 'not JSON'],
    [
      'the editor’s own format',
      { workflow: { nodes: [], links: [], version: 0.4 }, slots: { prompt } },
      'workflow',
      'Export (API)',
    ],
    ['something else', { workflow: { a: 1 }, slots: { prompt } }, 'workflow', 'API format'],
    ['nothing', { workflow: {}, slots: { prompt } }, 'workflow', '1 to 512 nodes'],
    [
      'a link to nowhere',
      {
        workflow: changed(textToImage, {
          9: { class_type: 'SaveImage', inputs: { images: ['80', 0] } },
        }),
        slots: { prompt },
      },
      'workflow',
      'images of node 9 is linked to node 80',
    ],
    ['no prompt', { workflow: textToImage }, 'slots.prompt', 'no place for the prompt'],
    [
      'an unknown node',
      { workflow: textToImage, slots: { prompt: { node: '60', input: 'text' } } },
      'slots.prompt',
      'no node 60',
    ],
    [
      'an unknown input',
      { workflow: textToImage, slots: { prompt, seed: { node: '3', input: 'noise' } } },
      'slots.seed',
      'input noise of node 3 is not there; it has seed, steps',
    ],
    [
      'a place that is linked',
      { workflow: textToImage, slots: { prompt: { node: '3', input: 'positive' } } },
      'slots.prompt',
      'linked to another node',
    ],
    [
      'one place for two slots',
      { workflow: textToImage, slots: { prompt, negativePrompt: prompt } },
      'slots.negativePrompt',
      'the place of two slots',
    ],
    [
      'an unknown output',
      { workflow: textToImage, slots: { prompt }, output: '10' },
      'output',
      'no node 10',
    ],
    [
      'no output',
      {
        workflow: changed(textToImage, { 9: { class_type: 'Preview', inputs: {} } }),
        slots: { prompt },
      },
      'output',
      'no node that gives a picture',
    ],
    [
      'two outputs',
      {
        workflow: changed(textToImage, {
          10: { class_type: 'SaveImageWebsocket', inputs: { images: ['8', 0] } },
        }),
        slots: { prompt },
      },
      'output',
      'Nodes 9 and 10',
    ],
    [
      'a mask without an image',
      { workflow: inpaint, slots: { prompt, mask: { node: '11', input: 'image' } } },
      'slots.mask',
      'no image that it is for',
    ],
    [
      'more images needed than there are',
      { workflow: textToImage, slots: { prompt }, imagesNeeded: 1 },
      'imagesNeeded',
      'places for 0 images',
    ],
    [
      'images that it can do without, and nothing to do then',
      {
        workflow: inpaint,
        slots: { prompt, images: [{ node: '10', input: 'image' }] },
        imagesNeeded: 0,
      },
      'unusedImages',
      'must remove',
    ],
  ])('is refused for %s', (_, given, setting, message) => {
    const found = fault(given);
    expect(found?.param).toBe(`${at}.${setting}`);
    expect(found?.message).toContain(message);
  });

  it('is refused for a gap in its images', () => {
    const workflow = structuredClone(inpaint);
    workflow['10'].inputs.image = '%image_1%';
    expect(fault({ workflow, slots: { prompt } })).toEqual({
      param: at,
      message: '%image_0% is missing: images count from 0',
    });
  });

  it.each(['', ' x', 'a'.repeat(101), 'a\nb'])('is not called %j', (name) => {
    expect(() => check({ workflow: textToImage, slots: { prompt } }, name)).toThrow(/./);
  });

  it.each(['sdxl', 'Flux.1 dev', 'a'.repeat(100), 'größe/2:1'])('may be called %j', (name) => {
    expect(fault({ workflow: textToImage, slots: { prompt } }, name)).toBeNull();
  });

  it.each([
    [comfyuiLimits.nodesMax, true],
    [comfyuiLimits.nodesMax + 1, false],
  ])('of %i nodes is accepted: %s', (count, isAccepted) => {
    const more = Array.from({ length: count - Object.keys(textToImage).length }, (_, index) => [
      `more-${index}`,
      { class_type: 'Note', inputs: {} },
    ]);
    const workflow = { ...textToImage, ...(Object.fromEntries(more) as Graph) };
    expect(fault({ workflow, slots: { prompt } }) === null).toBe(isAccepted);
  });

  it.each([
    [comfyuiLimits.imagesMax, true],
    [comfyuiLimits.imagesMax + 1, false],
  ])('of %i images by placeholders is accepted: %s', (count, isAccepted) => {
    const images = Array.from({ length: count }, (_, index) => [
      `image-${index}`,
      { class_type: 'LoadImage', inputs: { image: `%image_${index}%` } },
    ]);
    const workflow = { ...textToImage, ...(Object.fromEntries(images) as Graph) };
    expect(fault({ workflow, slots: { prompt } }) === null).toBe(isAccepted);
  });
});

describe('the form of a mask', () => {
  const slots = {
    prompt,
    images: [{ node: '10', input: 'image' }],
    mask: { node: '11', input: 'image' },
  };
  const loading = (class_type: string, inputs: Record<string, unknown> = {}) =>
    changed(inpaint, { 11: { class_type, inputs: { image: 'x.png', ...inputs } } });
  const linkedTo = (output: number) =>
    changed(loading('LoadImage'), {
      13: { class_type: 'GrowMask', inputs: { mask: ['11', output] } },
    });

  it.each([
    ['LoadImageMask of alpha', loading('LoadImageMask', { channel: 'alpha' }), 'alpha'],
    ['LoadImageMask of red', loading('LoadImageMask', { channel: 'red' }), 'white'],
    ['LoadImage by its MASK', linkedTo(1), 'alpha'],
    ['LoadImage by its IMAGE', linkedTo(0), 'white'],
  ])('is known of %s', (_, workflow, form) => {
    expect(check({ workflow, slots }).mask?.form).toBe(form);
  });

  it('has to be said of other nodes', () => {
    const workflow = loading('LoadMaskElsewhere');
    expect(fault({ workflow, slots })?.param).toBe(`${at}.maskForm`);
    expect(check({ workflow, slots, maskForm: 'white' }).mask?.form).toBe('white');
  });
});

describe('what a workflow can do', () => {
  const upstream = comfyuiSettings.parse({});

  it('follows from the places of the presets', () => {
    const workflows = comfyuiSettings.parse(comfyuiPresets[0]?.settings).workflows;
    const able = Object.entries(workflows).map(([name, given]) =>
      capabilitiesOf(checkWorkflow(name, given), upstream),
    );
    expect(able).toMatchObject([
      { generation: true, edit: false, referenceImagesMax: 0, mask: false, sizes: 'exact' },
      { generation: false, edit: true, referenceImagesMax: 1, mask: true, sizes: 'own' },
    ]);
  });

  it('includes no edit with fewer references than the workflow needs', () => {
    const images = [
      { node: '10', input: 'image' },
      { node: '11', input: 'image' },
    ];
    const given = { workflow: inpaint, slots: { prompt, images }, imagesNeeded: 2 };
    expect(capabilitiesOf(check(given), upstream)).toMatchObject({
      generation: false,
      referenceImagesMin: 2,
      referenceImagesMax: 2,
    });
  });

  it('includes generations where images can be left out', () => {
    const given = {
      workflow: inpaint,
      slots: { prompt, images: [{ node: '10', input: 'image' }] },
      imagesNeeded: 0,
      unusedImages: 'remove',
    };
    expect(capabilitiesOf(check(given), upstream)).toMatchObject({
      generation: true,
      edit: true,
      referenceImagesMin: 1,
    });
  });
});
