import { describe, expect, it } from 'vitest';
import { describeKinds } from '../../../../../server/flows/upstreams/describe-kinds.ts';
import { adapterKinds } from '../../../../../server/upstreams/registry.ts';
import { draftOf, problemsOf, readFields, settingsOf } from './settings-schema.ts';

const schema = {
  type: 'object',
  properties: {
    service: { type: 'string', enum: ['a', 'b'], default: 'a', title: 'Service' },
    edits: { type: 'boolean', default: true },
    side: { type: 'integer', minimum: 256, maximum: 2048, default: 1024 },
    scale: {
      anyOf: [{ type: 'number', minimum: 0, maximum: 30 }, { type: 'null' }],
      default: null,
    },
    version: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null },
    formats: {
      anyOf: [
        { type: 'array', items: { type: 'string', enum: ['png', 'webp'] } },
        { type: 'null' },
      ],
      default: null,
    },
    named: { type: 'array', items: { type: 'string' }, default: [] },
    names: { type: 'object', additionalProperties: { type: 'string' }, default: {} },
    queue: { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }], default: 32 },
    words: { type: 'string', default: 'Draw it.' },
    host: { type: 'string', minLength: 1, default: 'luna' },
    steps: {
      type: 'object',
      title: 'Steps',
      default: {},
      properties: { low: { type: 'integer', default: 8, title: 'Low' } },
    },
  },
};
const fields = readFields(schema);
const draft = (settings = {}) => draftOf(fields, settings);

describe('the settings of an upstream', () => {
  it('become fields, those of an object one by one', () => {
    expect(fields.map(({ path, title }) => [path, title])).toEqual([
      ['service', 'Service'],
      ['edits', 'edits'],
      ['side', 'side'],
      ['scale', 'scale'],
      ['version', 'version'],
      ['formats', 'formats'],
      ['named', 'named'],
      ['names', 'names'],
      ['queue', 'queue'],
      ['words', 'words'],
      ['host', 'host'],
      ['steps.low', 'Steps: Low'],
    ]);
  });

  it('are left out where they are as by default', () => {
    expect(settingsOf(fields, draft())).toEqual({});
  });

  it('come back as they were stored', () => {
    const stored = {
      service: 'b',
      edits: false,
      side: 512,
      scale: 7.5,
      version: '2025-04-01',
      formats: ['webp'],
      named: ['x', 'y'],
      names: { pictures: 'gpt-image-2' },
      steps: { low: 12 },
    };
    expect(settingsOf(fields, draft(stored))).toEqual(stored);
  });

  it('can be emptied where nothing is a value of its own', () => {
    expect(settingsOf(fields, { ...draft(), queue: '', words: '', host: '' })).toEqual({
      queue: null,
      words: '',
    });
  });

  it('fall back to the default when they are emptied', () => {
    const emptied = { ...draft({ scale: 7.5, version: 'v', names: { a: 'b' } }) };
    expect(
      settingsOf(fields, { ...emptied, scale: '', version: ' ', names: '', formats: [] }),
    ).toEqual({});
  });

  it.each([
    ['side', '255', 'number'],
    ['side', '256', undefined],
    ['side', '2048', undefined],
    ['side', '2049', 'number'],
    ['side', '300.5', 'number'],
    ['scale', '7.5', undefined],
    ['scale', 'much', 'number'],
    ['names', '{"a": "b"}', undefined],
    ['names', '["a"]', 'json'],
    ['names', '{"a"', 'json'],
  ])('finds fault with %s %j: %s', (path, typed, problem) => {
    expect(problemsOf(fields, { ...draft(), [path]: typed }).get(path)).toBe(problem);
  });

  it.each(describeKinds(adapterKinds).map((kind) => [kind.kind, kind] as const))(
    'of %s keep what its presets say',
    (_name, kind) => {
      const own = readFields(kind.settings);
      for (const preset of kind.presets) {
        const again = settingsOf(own, draftOf(own, preset.settings));
        const parsed = adapterKinds.get(kind.kind)?.settings;
        expect(parsed?.parse(again)).toEqual(parsed?.parse(preset.settings));
      }
    },
  );
});
