import { expect, it } from 'vitest';
import { EventLines } from './event-lines.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

it('gives every line once, however the bytes were cut', () => {
  const text = 'event: a\ndata: {"x":"größe 图"}\n\n: keep-alive\r\n';
  const whole = bytes(text);
  for (let size = 1; size <= whole.length; size++) {
    const lines = new EventLines();
    const found: string[] = [];
    for (let at = 0; at < whole.length; at += size) {
      found.push(...lines.take(whole.slice(at, at + size)));
    }
    expect(found).toEqual(['event: a', 'data: {"x":"größe 图"}', '', ': keep-alive']);
  }
});

it('keeps what has no end yet', () => {
  const lines = new EventLines();
  expect(lines.take(bytes('data: be'))).toEqual([]);
  expect(lines.take(bytes('gun\nda'))).toEqual(['data: begun']);
});

it('takes a line of a large picture, and none that never ends', () => {
  const lines = new EventLines();
  const piece = new Uint8Array(1_048_576).fill(65);
  for (let count = 0; count < 64; count++) lines.take(piece);
  expect(() => lines.take(new Uint8Array(1))).toThrow('too long');
});
