import { describe, expect, it } from 'vitest';
import { withChanges } from '../../../../../server/lib/field-changes.ts';
import { settingChanges } from './setting-changes.ts';
import { draftOf, readFields, type SettingDraft } from './settings-schema.ts';

const fields = readFields({
  type: 'object',
  properties: {
    side: { type: 'integer', default: 1024 },
    queue: { anyOf: [{ type: 'integer' }, { type: 'null' }], default: 32 },
    names: { type: 'object', additionalProperties: { type: 'string' }, default: {} },
    steps: { type: 'object', properties: { low: { type: 'integer', default: 8 } } },
    workflows: {
      type: 'object',
      default: {},
      additionalProperties: {
        type: 'object',
        properties: { workflow: {}, slots: { type: 'object', properties: {} } },
      },
    },
  },
});

const changesFrom = (stored: object, changes: SettingDraft) => {
  const from = draftOf(fields, { ...stored });
  return settingChanges(fields, { from, to: { ...from, ...changes } });
};

describe('what was changed of the settings of an upstream', () => {
  it('is nothing where all of them are as they were, or mean the same', () => {
    expect(changesFrom({ side: 512 }, {})).toEqual([]);
    expect(changesFrom({ names: { a: 'b' } }, { names: '{"a":"b"}', side: ' 1024' })).toEqual([]);
  });

  it.each([
    ['another value', { side: '512' }, [{ path: ['side'], value: 512 }]],
    ['nothing, where that is a value', { queue: '' }, [{ path: ['queue'], value: null }]],
    ['one within an object', { 'steps.low': '9' }, [{ path: ['steps', 'low'], value: 9 }]],
  ])('is %s', (_what, changes, expected) => {
    expect(changesFrom({}, changes)).toEqual(expected);
  });

  it('has no value where it went back to the default', () => {
    const sent = JSON.stringify(changesFrom({ side: 512, steps: { low: 9 } }, { side: '1024' }));
    expect(sent).toBe('[{"path":["side"]}]');
  });

  it.each(['names', 'workflows'])('is told for each of the %s by itself', (name) => {
    const before = { [name]: { kept: 'x', other: 'y', gone: 'z' } };
    const after = JSON.stringify({ kept: 'x', other: 'new', 'a.b': 'w' });
    const changes = changesFrom(before, { [name]: after });
    expect(changes).toEqual([
      { path: [name, 'other'], value: 'new' },
      { path: [name, 'gone'], value: undefined },
      { path: [name, 'a.b'], value: 'w' },
    ]);
    const stored = { [name]: { ...before[name], meanwhile: 'v' } };
    expect(withChanges(stored, changes, 'settings')).toEqual({
      [name]: { kept: 'x', other: 'new', 'a.b': 'w', meanwhile: 'v' },
    });
  });

  it('is the first of its names, beside another that came meanwhile', () => {
    const changes = changesFrom({}, { workflows: '{"a":{}}' });
    expect(withChanges({ workflows: { b: {} } }, changes, 'settings')).toEqual({
      workflows: { a: {}, b: {} },
    });
  });
});
