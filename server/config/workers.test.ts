import { availableParallelism } from 'node:os';
import { expect, it } from 'vitest';
import { ConfigError, loadConfig } from '../config.ts';

const workersOf = (text: string) => loadConfig({}, { TINTYPE_WORKERS: text }).config.workers;

it('is one process unless something else is asked for', () => {
  expect(loadConfig({}, {}).config.workers).toBe(1);
});

it.each([
  ['1', 1],
  ['64', 64],
  ['auto', Math.min(availableParallelism(), 64)],
])('takes %s', (text, workers) => {
  expect(workersOf(text)).toBe(workers);
});

it.each(['0', '65', '-1', '1.5', 'all'])('refuses %s', (text) => {
  expect(() => workersOf(text)).toThrow(
    new ConfigError([`TINTYPE_WORKERS must be auto or a whole number from 1 to 64, not "${text}"`]),
  );
});
