import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { LentMemory } from '../../../test/support/lent-memory.ts';
import { ByteCollector } from './byte-collector.ts';
import { memoryPool } from './memory-pool.ts';

test.each([1, 7, 16 * 1024, 100_000, 3_000_000])('puts pieces of %i bytes together', (size) => {
  const length = Math.min(3_000_000, size * 20_000);
  const bytes = randomBytes(length);
  const collector = new ByteCollector(length);
  for (let at = 0; at < length; at += size) {
    expect(collector.add(bytes.subarray(at, at + size))).toBe(true);
  }
  expect(collector.length).toBe(length);
  expect(collector.take().equals(bytes)).toBe(true);
});

test('takes bytes up to the limit and none beyond', () => {
  const collector = new ByteCollector(5);
  expect(collector.add(Buffer.from('abc'))).toBe(true);
  expect(collector.add(Buffer.from('def'))).toBe(false);
  expect(collector.add(Buffer.from('de'))).toBe(true);
  expect(collector.add(Buffer.from('f'))).toBe(false);
  expect(collector.take().toString()).toBe('abcde');
});

test('does not keep the pieces it was given', () => {
  const collector = new ByteCollector(10);
  const piece = Buffer.from('abc');
  collector.add(piece);
  piece.fill(0);
  expect(collector.take().toString()).toBe('abc');
});

test('is empty after its bytes were taken', () => {
  const collector = new ByteCollector(10);
  collector.add(Buffer.from('abc'));
  collector.take();
  expect(collector.length).toBe(0);
  expect(collector.take()).toHaveLength(0);
});

test.each([1, 100_000, 199_999, 200_000, 200_001, 10_000_000])(
  'gathers the same when %i bytes were expected',
  (bytesExpected) => {
    const bytes = randomBytes(200_000);
    const collector = new ByteCollector(1_000_000, bytesExpected);
    for (let at = 0; at < bytes.length; at += 70_000)
      collector.add(bytes.subarray(at, at + 70_000));
    expect(collector.take().equals(bytes)).toBe(true);
  },
);

test('expects no more than it takes', () => {
  const collector = new ByteCollector(100_000, Number.MAX_SAFE_INTEGER);
  expect(collector.add(Buffer.alloc(100_000))).toBe(true);
  expect(collector.add(Buffer.alloc(1))).toBe(false);
  expect(collector.take()).toHaveLength(100_000);
});

test('what was taken is not written over by what comes after', () => {
  const collector = new ByteCollector(1_000_000);
  collector.add(Buffer.alloc(100_000, 1));
  const first = collector.take();
  collector.add(Buffer.alloc(100_000, 2));
  const second = collector.take();
  expect([first.every((byte) => byte === 1), second.every((byte) => byte === 2)]).toEqual([
    true,
    true,
  ]);
});

test('a few bytes of the many that were expected are copied, and the memory for those is free', () => {
  using lent = new LentMemory();
  const collector = new ByteCollector(1_000_000, 200_000);
  const bytes = randomBytes(10_000);
  collector.add(bytes);
  const whole = collector.take();
  expect(lent.left).toEqual([]);
  memoryPool.take(200_000).fill(0);
  expect(whole.equals(bytes)).toBe(true);
});

test('a picture that is much smaller than the one before keeps none of the memory that was taken for such a one', () => {
  using lent = new LentMemory();
  const collector = new ByteCollector(20_000_000);
  const bytes = randomBytes(600_000);
  collector.add(bytes.subarray(0, 10_000));
  collector.reserve(16_000_000);
  collector.add(bytes.subarray(10_000));
  const whole = collector.take();
  expect(lent.left).toHaveLength(1);
  // Used memory may be up to twice as long as was asked for.
  expect(lent.left[0]).toBeLessThan(2_000_000);
  expect(whole.equals(bytes)).toBe(true);
  memoryPool.giveBack(whole);
  expect(lent.left).toEqual([]);
});

test.each([1, 100_000, 200_000, 10_000_000])(
  'gathers the same when memory for %i bytes is taken on the way',
  (bytesReserved) => {
    using lent = new LentMemory();
    const bytes = randomBytes(200_000);
    const collector = new ByteCollector(1_000_000);
    collector.add(bytes.subarray(0, 70_000));
    collector.reserve(bytesReserved);
    const takenBefore = lent.times;
    collector.add(bytes.subarray(70_000));
    expect(lent.times - takenBefore).toBe(bytesReserved < bytes.length ? 1 : 0);
    expect(lent.left).toHaveLength(1);
    // Used memory may be up to twice as long as was asked for.
    expect(lent.left[0]).toBeLessThanOrEqual(2 * 1024 ** 2);
    expect(collector.take().equals(bytes)).toBe(true);
  },
);

test('what outgrows its memory leaves none of it behind', () => {
  using lent = new LentMemory();
  const collector = new ByteCollector(1_000_000);
  for (let n = 0; n < 100; n++) collector.add(Buffer.alloc(2_000));
  expect(lent.left).toHaveLength(1);
  memoryPool.giveBack(collector.take());
  expect(lent.left).toEqual([]);
});

test('what nobody wants any more leaves no memory behind', () => {
  using lent = new LentMemory();
  const collector = new ByteCollector(1_000_000);
  collector.add(Buffer.alloc(100_000));
  collector.drop();
  expect(collector.length).toBe(0);
  expect(lent.left).toEqual([]);
});
