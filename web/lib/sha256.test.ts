import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sha256, sha256Bytes } from './sha256.ts';

function bytesOf(length: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length }, (_, index) => (index * 131 + 7) % 256);
}

describe('SHA-256 by hand', () => {
  // Both sides of where the padding needs a block of its own.
  it.each([0, 1, 55, 56, 63, 64, 65, 119, 120, 1_000, 100_003])('of %i bytes', (length) => {
    const bytes = bytesOf(length);
    expect(Buffer.from(sha256Bytes(bytes)).toString('hex')).toBe(
      createHash('sha256').update(bytes).digest('hex'),
    );
  });

  it('takes bytes from the middle of a buffer', () => {
    const bytes = bytesOf(300).subarray(17, 217);
    expect(Buffer.from(sha256Bytes(bytes)).toString('hex')).toBe(
      createHash('sha256').update(bytes).digest('hex'),
    );
  });
});

it('is that of the browser where it has one', async () => {
  const bytes = bytesOf(5_000);
  expect(await sha256(new Blob([bytes]))).toBe(createHash('sha256').update(bytes).digest('hex'));
});
