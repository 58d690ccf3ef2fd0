/** What holds for edits, in whichever body they come. */
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { imageLimits } from '../../../shared/limits.ts';
import { imagesOf, look, pictureOf } from './answers.ts';
import type { Api } from './api.ts';
import { rightValues } from './field-table.ts';
import { dot, type Fields, smallPrompt, type Way } from './ways-to-ask.ts';

/** Fields that carry these reference images and this mask in a way to edit. */
export type GivePictures = (images: readonly Buffer[], mask?: Buffer) => Fields;

const side = 96;
const hole = { left: 24, top: 16, width: 40, height: 48 };

export function describeEdits(api: Api, way: Way, give: GivePictures) {
  const edit = (fields = {}) => api.ask(way, fields);

  describe.each([way])('$name', () => {
    test('answers as a generation does', async () => {
      const answer = await edit({ prompt: 'add a moon', ...give([await paper('#3366cc')]) });
      const { created, ...rest } = imagesOf(answer);
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(created).toBeGreaterThan(1_700_000_000);
      expect(rest).toEqual({
        data: [{ b64_json: expect.any(String), revised_prompt: 'add a moon' }],
        size: '1024x1024',
        quality: 'medium',
        output_format: 'png',
        background: 'opaque',
        usage: {
          images: 1,
          input_tokens: expect.any(Number),
          output_tokens: expect.any(Number),
          total_tokens: expect.any(Number),
          input_tokens_details: {
            text_tokens: expect.any(Number),
            image_tokens: expect.any(Number),
          },
        },
      });
      expect(rest.usage.input_tokens_details.image_tokens).toBeGreaterThan(0);
      expect(answer.headers.get('x-tintype-cost')).toBe('0.04');
    });

    test.each(rightValues(way))('accepts $title', async ({ fields }) => {
      expect(await edit(fields)).toMatchObject({ status: 200 });
    });

    test('shows its reference', async () => {
      const prompt = 'a fox [[actual=256x256]] [[seed=5]]';
      const fields = { prompt, input_fidelity: 'high' };
      const red = pictureOf(await edit({ ...fields, ...give([await paper('#cc2222')]) }));
      const blue = pictureOf(await edit({ ...fields, ...give([await paper('#2222cc')]) }));
      const [ofRed, ofBlue] = [await meanColour(red), await meanColour(blue)];
      expect(ofRed.red - ofBlue.red).toBeGreaterThan(30);
      expect(ofBlue.blue - ofRed.blue).toBeGreaterThan(30);
    });

    test('takes several references and keeps their order', async () => {
      const prompt = 'a fox [[actual=256x256]] [[seed=5]]';
      const [red, blue] = [await paper('#cc2222'), await paper('#2222cc')];
      const one = pictureOf(await edit({ prompt, ...give([red, blue]) }));
      const same = pictureOf(await edit({ prompt, ...give([red, blue]) }));
      const other = pictureOf(await edit({ prompt, ...give([blue, red]) }));
      expect(same.equals(one)).toBe(true);
      expect(other.equals(one)).toBe(false);
    });

    test('takes 16 references', async () => {
      const most = Array.from({ length: imageLimits.referenceImagesMax }, () => dot);
      expect(await edit(give(most))).toMatchObject({ status: 200 });
    });

    test('changes only what its mask leaves clear', async () => {
      const reference = await noise();
      const answer = await edit({ prompt: 'a moon', ...give([reference], await maskWithHole()) });
      const picture = pictureOf(answer);
      expect(await look(picture)).toMatchObject({ size: `${side}x${side}` });
      const changed = await changedPixels(reference, picture);
      expect(changed.outside).toBe(0);
      expect(changed.inside).toBeGreaterThan(hole.width * hole.height * 0.9);
    });

    test('applies its mask to the first of several references', async () => {
      const [first, second] = [await noise(), await paper('#22cc22')];
      const given = give([first, second], await maskWithHole());
      const picture = pictureOf(await edit({ prompt: 'a moon', ...given }));
      expect((await changedPixels(first, picture)).outside).toBe(0);
    });

    test('is billed per picture', async () => {
      const user = await api.app.addUser({ money: '0.09' });
      const answer = await api.ask(way, { n: 2, prompt: smallPrompt }, { user });
      expect(imagesOf(answer).data).toHaveLength(2);
      expect(imagesOf(answer).usage.images).toBe(2);
      expect(answer.headers.get('x-tintype-balance')).toBe('0.01');
    });
  });
}

/** A square of one colour. */
function paper(background: string): Promise<Buffer> {
  return sharp({ create: { width: side, height: side, channels: 3, background } })
    .png()
    .toBuffer();
}

/** A square in which a single changed pixel shows. */
function noise(): Promise<Buffer> {
  const pixels = Buffer.alloc(side * side * 3);
  for (let i = 0; i < pixels.length; i++)
    pixels.writeUInt8((i * 7919 + (i >> 5) * 104_729) & 255, i);
  return sharp(pixels, { raw: { width: side, height: side, channels: 3 } })
    .png()
    .toBuffer();
}

function maskWithHole(): Promise<Buffer> {
  const pixels = Buffer.alloc(side * side * 4, 255);
  for (let i = 0; i < side * side; i++) if (isInHole(i)) pixels.writeUInt8(0, i * 4 + 3);
  return sharp(pixels, { raw: { width: side, height: side, channels: 4 } })
    .png()
    .toBuffer();
}

function isInHole(pixel: number): boolean {
  const [x, y] = [pixel % side, Math.floor(pixel / side)];
  const { left, top, width, height } = hole;
  return x >= left && x < left + width && y >= top && y < top + height;
}

async function changedPixels(before: Buffer, after: Buffer) {
  const [a, b] = await Promise.all([before, after].map(pixelsOf));
  const changed = { inside: 0, outside: 0 };
  for (let i = 0; i < side * side; i++) {
    if (a?.subarray(i * 4, i * 4 + 4).equals(b?.subarray(i * 4, i * 4 + 4) ?? Buffer.alloc(0))) {
      continue;
    }
    changed[isInHole(i) ? 'inside' : 'outside']++;
  }
  return changed;
}

function pixelsOf(picture: Buffer): Promise<Buffer> {
  return sharp(picture).ensureAlpha().raw().toBuffer();
}

async function meanColour(picture: Buffer) {
  const { channels } = await sharp(picture).stats();
  const [red = 0, green = 0, blue = 0] = channels.map(({ mean }) => mean);
  return { red, green, blue };
}
