import { describe, expect, test } from 'vitest';
import { imageLimits } from '../../../shared/limits.ts';
import { describeApi, outcomeOf, wrong } from '../../support/callers/api.ts';
import { wrongValues } from '../../support/callers/field-table.ts';
import { dataUrl, dot, type Fields, waysToEdit } from '../../support/callers/ways-to-ask.ts';
import { hugePng, makePicture, pngOfLength } from '../../support/pictures.ts';

const tooLong = pngOfLength(imageLimits.fileBytesMax + 1);
const tooMany = Array.from({ length: imageLimits.referenceImagesMax + 1 }, () => dot);

/** Reference images and mask as each body has them, and what errors call them. */
const bodies = [
  {
    way: waysToEdit[0],
    give: (images: readonly Buffer[], mask?: Buffer): Fields => ({
      images: images.map((bytes) => ({ image_url: dataUrl(bytes) })),
      ...(mask && { mask: { image_url: dataUrl(mask) } }),
    }),
    names: { images: 'images', first: 'images[0].image_url', second: 'images[1].image_url' },
    mask: 'mask.image_url',
  },
  {
    way: waysToEdit[1],
    give: (images: readonly Buffer[], mask?: Buffer): Fields => ({
      image: images,
      ...(mask && { mask }),
    }),
    names: { images: 'image', first: 'image', second: 'image[1]' },
    mask: 'mask',
  },
];

describeApi((api) => {
  describe.each(bodies)('$way.name', ({ way, give, names, mask: maskName }) => {
    const edit = (fields = {}) => api.ask(way, fields);

    test.each(wrongValues(way))('refuses $title', async ({ field, fields }) => {
      expect(outcomeOf(await edit(fields))).toEqual(wrong(field));
    });

    test('needs a reference', async () => {
      expect(outcomeOf(await edit(give([])))).toEqual(wrong(names.images));
      const none = { images: undefined, image: undefined };
      expect(outcomeOf(await edit(none))).toEqual(wrong(names.images));
    });

    test('takes no 17th reference', async () => {
      expect(outcomeOf(await edit(give(tooMany)))).toEqual(wrong(names.images));
    });

    test('takes no picture of one byte more than 20 MiB', async () => {
      expect(outcomeOf(await edit(give([dot, tooLong])))).toEqual(wrong(names.second));
      expect(outcomeOf(await edit(give([dot], tooLong)))).toEqual(wrong(maskName));
    });

    test.each<[string, () => Promise<Buffer> | Buffer]>([
      ['text', () => Buffer.from('a picture of a fox')],
      ['nothing', () => Buffer.alloc(0)],
      ['a GIF', () => Buffer.from('GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff,', 'latin1')],
      ['an SVG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
      ['half a PNG', () => dot.subarray(0, 40)],
      ['half a JPEG', async () => (await makePicture('jpeg')).subarray(0, 200)],
      ['a bomb of pixels', () => hugePng(60_000, 60_000)],
    ])('takes no reference that is %s', async (_what, make) => {
      const picture = await make();
      expect(outcomeOf(await edit(give([picture])))).toEqual(wrong(names.first));
      expect(outcomeOf(await edit(give([dot, picture])))).toEqual(wrong(names.second));
    });

    test('takes a mask only as a PNG with alpha and of the size of the first', async () => {
      const first = await makePicture('png', { width: 20, height: 10 });
      const masks = await Promise.all([
        makePicture('png', { width: 20, height: 10 }),
        makePicture('webp', { width: 20, height: 10, alpha: true }),
        makePicture('jpeg', { width: 20, height: 10 }),
        makePicture('png', { width: 10, height: 20, alpha: true }),
        makePicture('png', { width: 21, height: 10, alpha: true }),
      ]);
      for (const mask of [...masks, Buffer.from('not a picture')]) {
        expect(outcomeOf(await edit(give([first], mask)))).toEqual(wrong(maskName));
      }
      const right = await makePicture('png', { width: 20, height: 10, alpha: true });
      expect(await edit(give([first, dot], right))).toMatchObject({ status: 200 });
    });

    test('costs nothing when it is refused', async () => {
      const user = await api.app.addUser({ money: '0.04' });
      for (const fields of [{ n: 0 }, give([]), give([Buffer.from('x')]), { size: '1x1' }]) {
        expect(outcomeOf(await api.ask(way, fields, { user })).status).toBe(400);
      }
      expect(await api.ask(way, {}, { user })).toMatchObject({ status: 200 });
    });
  });
});
