import { describe, expect, it } from 'vitest';
import {
  makePicture,
  pngChunk,
  pngHeader,
  pngPixels,
  writePng,
} from '../../../test/support/pictures.ts';
import { withoutPngText } from './png-text.ts';

const text = (type: string) => pngChunk(type, Buffer.from('prompt\0{"4": {}}'));
const end = pngChunk('IEND');
const plain = writePng([pngHeader(), pngPixels(), end]);

describe('the texts of a PNG', () => {
  it.each(['tEXt', 'zTXt', 'iTXt', 'eXIf'])('go: %s', (type) => {
    const written = writePng([pngHeader(), text(type), pngPixels(), text(type), end]);
    expect(withoutPngText(written)).toEqual(plain);
  });

  it('are all that goes', () => {
    const colours = pngChunk('gAMA', Buffer.alloc(4));
    const written = writePng([pngHeader(), colours, text('tEXt'), pngPixels(), end]);
    expect(withoutPngText(written)).toEqual(writePng([pngHeader(), colours, pngPixels(), end]));
  });

  it('are not looked for in other pictures', async () => {
    const jpeg = await makePicture('jpeg');
    expect(withoutPngText(jpeg)).toBe(jpeg);
  });

  it.each([1, 5, 20])('leave a PNG as it came that lacks its last %i bytes', (count) => {
    const written = writePng([pngHeader(), text('tEXt'), pngPixels(), end]).subarray(0, -count);
    expect(withoutPngText(written)).toEqual(written);
  });
});
