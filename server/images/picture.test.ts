import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { LentMemory } from '../../test/support/lent-memory.ts';
import { doneInTurn } from '../../test/support/result-turn.ts';
import { memoryPool } from '../lib/bytes/memory-pool.ts';
import { sharp } from '../lib/pictures/sharp.ts';
import { convertPixelsMax, fileOf, readPicture, toForm } from './picture.ts';

const wanted = { format: 'jpeg', compression: null } as const;

it.each([
  [0, 'jpeg'],
  [1, null],
])('a picture of 64 million pixels and %i lines more is converted: to %s', async (more, format) => {
  const width = 8_000;
  const height = convertPixelsMax / width + more;
  const picture = readPicture({ encoding: 'raw', bytes: await png({ width, height }) });
  if (!picture) throw new Error('the test has made no picture');
  expect((await toForm(picture, wanted))?.format ?? null).toBe(format);
  expect(await toForm(picture, { ...wanted, format: 'png' })).toBe(picture);
});

it.each([
  ['of 77 characters', 77, '\n'],
  ['of 1,000 characters', 1_000, '\r\n'],
])(
  'a picture whose base64 is in lines %s is read, and goes on without them',
  async (_what, length, lineBreak) => {
    const text = (await png({ width: 640, height: 480 })).toString('base64');
    const lines = text.match(new RegExp(`.{1,${length}}`, 'g')) ?? [];
    const ascii = Buffer.from(lines.join(lineBreak));
    expect(readPicture({ encoding: 'base64', ascii })).toMatchObject({
      format: 'png',
      image: { encoding: 'base64', ascii: Buffer.from(text) },
    });
  },
);

it.each([
  ['what is transparent becomes white, not black', 'jpeg', [255, 255, 255]],
  ['what is transparent stays so', 'webp', [0, 0, 0, 0]],
] as const)('%s in a %s', async (_what, format, pixel) => {
  const clear = { r: 0, g: 0, b: 0, alpha: 0 };
  const create = { width: 8, height: 8, channels: 4, background: clear } as const;
  const bytes = await sharp({ create }).png().toBuffer();
  const picture = readPicture({ encoding: 'raw', bytes });
  const made = picture && (await toForm(picture, { ...wanted, format }));
  const file = made && fileOf(made.image);
  if (!file) throw new Error('there is no picture');
  expect([...(await sharp(file).raw().toBuffer())].slice(0, pixel.length)).toEqual(pixel);
});

it('a picture waits for its turn among those that are converted', async () => {
  const picture = readPicture({ encoding: 'raw', bytes: await png({ width: 8, height: 8 }) });
  if (!picture) throw new Error('the test has made no picture');
  expect(await doneInTurn(() => toForm(picture, wanted))).toMatchObject({ format: 'jpeg' });
});

it('a picture that its EXIF turns is turned when it is converted', async () => {
  const create = { width: 8, height: 4, channels: 3, background: '#808080' } as const;
  const bytes = await sharp({ create }).jpeg().withMetadata({ orientation: 6 }).toBuffer();
  const picture = readPicture({ encoding: 'raw', bytes });
  const made = picture && (await toForm(picture, { ...wanted, format: 'png' }));
  expect(made).toMatchObject({ format: 'png', width: 4, height: 8 });
});

it('a picture that is converted stays, and leaves no memory behind', async () => {
  const raster = { width: 100, height: 100, channels: 3 } as const;
  const bytes = await sharp(randomBytes(30_000), { raw: raster }).png().toBuffer();
  using lent = new LentMemory();
  const raw = memoryPool.take(bytes.length).subarray(0, bytes.length);
  raw.set(bytes);
  const base64 = { encoding: 'base64', ascii: Buffer.from(bytes.toString('base64')) } as const;
  for (const image of [base64, { encoding: 'raw', bytes: raw } as const]) {
    const picture = readPicture(image);
    expect(picture && (await toForm(picture, wanted))).toMatchObject({ format: 'jpeg' });
  }
  expect(raw.equals(bytes)).toBe(true);
  memoryPool.giveBack(raw);
  expect(lent.left).toEqual([]);
});

it('what is no picture is none without its line breaks either', () => {
  const ascii = Buffer.from(`${'A'.repeat(100)}\n${'A'.repeat(100)}`);
  expect(readPicture({ encoding: 'base64', ascii })).toBeNull();
});

it('a picture whose base64 is in one line stays the same bytes', async () => {
  const ascii = Buffer.from((await png({ width: 64, height: 48 })).toString('base64'));
  const image = { encoding: 'base64', ascii } as const;
  expect(readPicture(image)?.image).toBe(image);
});

/** Grey, so that it takes little to make and to read. */
function png(size: { width: number; height: number }): Promise<Buffer> {
  const create = { ...size, channels: 3, background: 'grey' } as const;
  return sharp({ create }).toColourspace('b-w').png({ compressionLevel: 1 }).toBuffer();
}
