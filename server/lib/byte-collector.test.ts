import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { ByteCollector } from './byte-collector.ts';

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
