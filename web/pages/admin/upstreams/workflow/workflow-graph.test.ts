import { describe, expect, it } from 'vitest';
import { comfyuiPresets } from '../../../../../server/upstreams/comfyui/presets.ts';
import { comfyuiSettings } from '../../../../../server/upstreams/comfyui/settings.ts';
import {
  freePlacesOf,
  guessMarks,
  hasPlaceholder,
  marksOf,
  readWorkflow,
  slotsOf,
} from './workflow-graph.ts';

const workflows = comfyuiSettings.parse(comfyuiPresets[0]?.settings).workflows;

function graphOf(value: unknown) {
  const reading = readWorkflow(typeof value === 'string' ? value : JSON.stringify(value));
  if (reading.kind !== 'workflow') throw new Error(`no workflow: ${reading.because}`);
  return reading.graph;
}

describe('a pasted workflow', () => {
  it.each([
    ['json', '{"3": '],
    ['plain', '{"nodes": [], "links": [], "version": 0.4}'],
    ['other', '{}'],
    ['other', '[]'],
    ['other', '{"3": {"class_type": "KSampler"}}'],
  ])('is not one that the API takes (%s): %s', (because, text) => {
    expect(readWorkflow(text)).toEqual({ kind: 'unreadable', because });
  });

  it('offers the inputs that are not linked, with what stands in them', () => {
    const graph = graphOf({
      '3': { class_type: 'KSampler', inputs: { seed: 7, model: ['4', 0] } },
      '6': {
        class_type: 'CLIPTextEncode',
        inputs: { text: 'x'.repeat(50), clip: ['4', 1] },
        _meta: { title: 'Prompt' },
      },
    });
    expect(freePlacesOf(graph)).toEqual([
      { node: '3', input: 'seed', label: '3 KSampler: seed', value: '7' },
      { node: '6', input: 'text', label: '6 Prompt: text', value: `${'x'.repeat(40)}…` },
    ]);
  });

  it.each(Object.entries(workflows))(
    'of standard nodes is marked as its author did: %s',
    (_name, { workflow, slots }) => {
      expect(guessMarks(graphOf(workflow))).toEqual(marksOf(slots));
    },
  );

  it('tells where a placeholder says it', () => {
    const graph = graphOf({ '6': { class_type: 'CLIPTextEncode', inputs: { text: '%prompt%' } } });
    expect(hasPlaceholder(graph, 'prompt')).toBe(true);
    expect(hasPlaceholder(graph, 'seed')).toBe(false);
  });
});

describe('marks', () => {
  it.each([
    [{ prompt: { node: '6', input: 'text' } }],
    [
      {
        seed: [
          { node: '3', input: 'seed' },
          { node: '9', input: 'seed' },
        ],
      },
    ],
    [
      {
        images: [
          { node: '10', input: 'image' },
          { node: '12', input: 'image' },
        ],
      },
    ],
    [
      {
        images: [
          [
            { node: '10', input: 'image' },
            { node: '11', input: 'image' },
          ],
        ],
      },
    ],
  ])('come back as the slots that they were: %j', (slots) => {
    expect(slotsOf(marksOf(slots))).toEqual(slots);
  });

  it('close the ranks of reference images when one is taken out', () => {
    const place = (node: string) => ({ node, input: 'image' });
    const marks = { 'images.0': [], 'images.2': [place('12')], 'images.10': [place('20')] };
    expect(slotsOf(marks)).toEqual({ images: [place('12'), place('20')] });
  });

  it('are empty where nothing is marked', () => {
    expect(marksOf({ prompt: null, images: [] })).toEqual({});
    expect(slotsOf({})).toEqual({});
  });
});
