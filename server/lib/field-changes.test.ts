import { expect, it } from 'vitest';
import { withChanges } from './field-changes.ts';

const fields = { side: 512, steps: { low: 8, high: 30 }, names: null };
const change = (...changes: Parameters<typeof withChanges>[1]) =>
  withChanges(fields, changes, 'settings');

it('sets what a path leads to, and keeps everything else', () => {
  expect(change({ path: ['side'], value: 256 })).toEqual({ ...fields, side: 256 });
  expect(change({ path: ['steps', 'low'], value: 9 })).toEqual({
    ...fields,
    steps: { low: 9, high: 30 },
  });
  expect(change({ path: ['seeds', 'first', 'low'], value: 1 })).toEqual({
    ...fields,
    seeds: { first: { low: 1 } },
  });
});

it('removes what is given no value, and sets null as any other', () => {
  expect(change({ path: ['side'] })).toEqual({ steps: fields.steps, names: null });
  expect(change({ path: ['steps', 'low'] })).toEqual({ ...fields, steps: { high: 30 } });
  expect(change({ path: ['side'], value: null })).toEqual({ ...fields, side: null });
});

it('makes one change after the other', () => {
  expect(change({ path: ['a'], value: 1 }, { path: ['a'] }, { path: ['b'], value: 2 })).toEqual({
    ...fields,
    b: 2,
  });
});

it('has nothing to do for what is gone already', () => {
  expect(change({ path: ['gone'] }, { path: ['gone', 'too'] })).toEqual(fields);
});

it.each(['side', 'names'])('refuses to change something in %s, which is no object', (name) => {
  const path = [name, 'low'];
  expect(() => change({ path, value: 1 })).toThrow(`settings.${name} is no object`);
});

it('takes every name for one of a field', () => {
  const told = withChanges({}, [{ path: ['__proto__', 'low'], value: 1 }], 'settings');
  expect(Object.keys(told)).toEqual(['__proto__']);
  expect('low' in {}).toBe(false);
});

it('leaves the fields and the changes as they are', () => {
  const before = structuredClone(fields);
  const value = { first: 1 };
  const told = change({ path: ['seeds'], value }, { path: ['seeds', 'first'], value: 2 });
  expect(told).toEqual({ ...fields, seeds: { first: 2 } });
  change({ path: ['steps', 'low'], value: 9 });
  expect(fields).toEqual(before);
  expect(value).toEqual({ first: 1 });
});
