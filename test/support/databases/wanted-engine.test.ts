import { expect, it } from 'vitest';
import { wantedEngine } from './wanted-engine.ts';

it.each([
  [{}, null],
  [{ TINTYPE_TEST_ENGINES: '' }, null],
  [{ TINTYPE_TEST_ENGINES: 'sqlite' }, 'sqlite'],
  [{ TINTYPE_TEST_ENGINES: 'postgres' }, 'postgres'],
])('%j asks for %s', (variables, engine) => {
  expect(wantedEngine(variables)).toBe(engine);
});

it('refuses what is no engine, which would have run the tests on both', () => {
  expect(() => wantedEngine({ TINTYPE_TEST_ENGINES: 'postgresql' })).toThrow('sqlite or postgres');
});
