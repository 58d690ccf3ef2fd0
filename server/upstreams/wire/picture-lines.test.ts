import { describe, expect, it } from 'vitest';
import { PictureLines } from './picture-lines.ts';

const longBytes = 512 * 1024;
const slackBytes = 1024;

describe('a line with a picture in it', () => {
  it('is expected to be about as long as the last one', () => {
    const lines = new PictureLines();
    expect(lines.expected(0, longBytes)).toBeNull();
    for (const bytes of [4_000_000, 700_000]) {
      lines.note(bytes);
      expect(lines.expected(0, longBytes)).toBe(bytes + slackBytes);
    }
  });

  it('is one from 512 KiB on', () => {
    const lines = new PictureLines();
    lines.note(longBytes - 1);
    expect(lines.expected(0, longBytes)).toBeNull();
    lines.note(longBytes);
    expect(lines.expected(0, longBytes - 1)).toBeNull();
    expect(lines.expected(longBytes - 1, longBytes)).toBe(longBytes + slackBytes);
    expect(lines.expected(longBytes, 2 * longBytes)).toBeNull();
  });

  it('is given no more than 16 MiB before it comes', () => {
    const lines = new PictureLines();
    const most = 16 * 1024 ** 2;
    lines.note(most - slackBytes - 1);
    expect(lines.expected(0, longBytes)).toBe(most - 1);
    lines.note(10 * most);
    expect(lines.expected(0, longBytes)).toBe(most);
  });
});
