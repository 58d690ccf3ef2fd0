import { expect, test } from 'vitest';
import { memoryPool } from '../../../lib/bytes/memory-pool.ts';
import { showToAll } from './run-caller.ts';

/** In memory of the pool, which empties every view of what it gets back. */
function partial() {
  return { encoding: 'base64', ascii: memoryPool.take(20_000) } as const;
}

function caller() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { onPartial: () => promise, hasLeft: () => false, done: resolve };
}

/** One that takes none, and one whose connection has ended though it is not closed yet. */
const gone = { onPartial: () => null, hasLeft: () => false };
const left = { ...caller(), hasLeft: () => true };

test('a partial image that nobody takes is let go at once', async () => {
  for (const callers of [[], [gone, gone], [gone, left]]) {
    const image = partial();
    expect(showToAll(callers, 0, image)).toBe(false);
    await new Promise(setImmediate);
    expect(image.ascii.length).toBe(0);
  }
});

test('a partial image is let go when the last of its takers is done with it', async () => {
  const image = partial();
  const [fast, slow] = [caller(), caller()];
  expect(showToAll([fast, gone, left, slow], 0, image)).toBe(true);
  fast.done();
  await new Promise(setImmediate);
  expect(image.ascii.length).toBeGreaterThan(0);
  slow.done();
  await new Promise(setImmediate);
  expect(image.ascii.length).toBe(0);
});
