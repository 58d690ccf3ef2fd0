import { describe, expect, it } from 'vitest';
import { PictureTexts } from './picture-texts.ts';

const longBytes = 512 * 1024;
const slackBytes = 1024;

describe('a text with a picture in it', () => {
  it('is expected to be about as long as the last one', () => {
    const texts = new PictureTexts();
    expect(texts.expected(0, longBytes)).toBeNull();
    for (const bytes of [4_000_000, 700_000]) {
      texts.note(bytes);
      expect(texts.expected(0, longBytes)).toBe(bytes + slackBytes);
    }
  });

  it('is one from 512 KiB on', () => {
    const texts = new PictureTexts();
    texts.note(longBytes - 1);
    expect(texts.expected(0, longBytes)).toBeNull();
    texts.note(longBytes);
    expect(texts.expected(0, longBytes - 1)).toBeNull();
    expect(texts.expected(longBytes - 1, longBytes)).toBe(longBytes + slackBytes);
    expect(texts.expected(longBytes, 2 * longBytes)).toBeNull();
  });

  it('is given no more than 16 MiB before it comes', () => {
    const texts = new PictureTexts();
    const most = 16 * 1024 ** 2;
    texts.note(most - slackBytes - 1);
    expect(texts.expected(0, longBytes)).toBe(most - 1);
    texts.note(10 * most);
    expect(texts.expected(0, longBytes)).toBe(most);
  });
});
