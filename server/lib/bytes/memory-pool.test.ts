import { describe, expect, test } from 'vitest';
import { MemoryPool } from './memory-pool.ts';

const kibibyte = 1024;

describe('memory', () => {
  test.each([0, 1, 16_383, 65_536, 65_537, 1_000_000, 4_196_396])(
    'has at least the %i bytes that were asked for, and at most an eighth more',
    (bytes) => {
      const { length } = new MemoryPool(0).take(bytes);
      expect(length).toBeGreaterThanOrEqual(bytes);
      expect(length).toBeLessThanOrEqual(Math.ceil(bytes * 1.125));
    },
  );

  test('that was given back is used again', () => {
    const pool = new MemoryPool(1_000 * kibibyte);
    pool.take(100 * kibibyte).fill(7);
    const first = pool.take(100 * kibibyte).fill(8);
    pool.giveBack(first.subarray(10, 20));
    expect(pool.keptBytes).toBeGreaterThanOrEqual(100 * kibibyte);
    expect(pool.take(90 * kibibyte)[5]).toBe(8);
    expect(pool.keptBytes).toBe(0);
  });

  test('that was given back shows nobody what comes into it', () => {
    const pool = new MemoryPool(1_000 * kibibyte);
    const mine = pool.take(100 * kibibyte);
    const view = mine.subarray(0, 10);
    pool.giveBack(mine);
    pool.take(100 * kibibyte).fill(9);
    expect(mine).toHaveLength(0);
    expect(view).toHaveLength(0);
  });

  test('is taken back once, and only from whom it was lent to', () => {
    const pool = new MemoryPool(1_000 * kibibyte);
    const foreign = Buffer.alloc(100 * kibibyte, 1);
    pool.giveBack(foreign);
    pool.giveBack(new MemoryPool(0).take(100 * kibibyte));
    expect(foreign).toHaveLength(100 * kibibyte);
    expect(pool.keptBytes).toBe(0);
    const mine = pool.take(100 * kibibyte);
    const view = mine.subarray(1);
    pool.giveBack(mine);
    const kept = pool.keptBytes;
    pool.giveBack(mine);
    pool.giveBack(view);
    expect(pool.keptBytes).toBe(kept);
    const [one, other] = [pool.take(100 * kibibyte), pool.take(100 * kibibyte)];
    expect(one.buffer).not.toBe(other.buffer);
  });

  test('is the smallest that fits, and none that is far too large', () => {
    const pool = new MemoryPool(10_000 * kibibyte);
    const lent = [512, 128, 256, 4_096].map((size) => pool.take(size * kibibyte));
    for (const memory of lent) pool.giveBack(memory);
    expect(pool.take(100 * kibibyte)).toHaveLength(128 * kibibyte);
    expect(pool.take(200 * kibibyte)).toHaveLength(256 * kibibyte);
    // 4096 is twice as much, 512 would be more than that.
    expect(pool.take(2_048 * kibibyte)).toHaveLength(4_096 * kibibyte);
    expect(pool.take(100 * kibibyte).length).toBeLessThan(128 * kibibyte);
    expect(pool.keptBytes).toBe(512 * kibibyte);
  });

  test('is kept up to a limit: what was given back first goes first', () => {
    const pool = new MemoryPool(256 * kibibyte);
    const [first, second, third] = [64, 128, 128].map((size) => pool.take(size * kibibyte));
    for (const memory of [first, second]) if (memory) pool.giveBack(memory);
    expect(pool.keptBytes).toBe(192 * kibibyte);
    if (third) pool.giveBack(third);
    expect(pool.keptBytes).toBe(256 * kibibyte);
    const tooLarge = pool.take(257 * kibibyte);
    pool.giveBack(tooLarge);
    expect(pool.keptBytes).toBe(256 * kibibyte);
    expect(tooLarge).toHaveLength(0);
  });

  test('makes room for as much as the limit is, by as many of the others as it takes', () => {
    const pool = new MemoryPool(256 * kibibyte);
    const lent = [64, 64, 64, 64, 256].map((size) => pool.take(size * kibibyte));
    for (const memory of lent) pool.giveBack(memory);
    expect(pool.keptBytes).toBe(256 * kibibyte);
    expect(pool.take(256 * kibibyte)).toHaveLength(256 * kibibyte);
    expect(pool.keptBytes).toBe(0);
  });

  test('of a size that was given back lately stays longer than that of another', () => {
    const pool = new MemoryPool(256 * kibibyte);
    const lent = [64, 128, 64, 64].map((size) => pool.take(size * kibibyte));
    for (const memory of lent) pool.giveBack(memory);
    expect(pool.keptBytes).toBe(3 * 64 * kibibyte);
  });

  test('below 16 KiB is not lent', () => {
    const pool = new MemoryPool(1_000 * kibibyte);
    const small = pool.take(16_383);
    pool.giveBack(small);
    expect(pool.keptBytes).toBe(0);
    expect(small).toHaveLength(16_383);
    pool.giveBack(pool.take(16_384));
    expect(pool.keptBytes).toBe(16_384);
  });
});
