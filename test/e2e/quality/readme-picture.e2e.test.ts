/**
 * The picture in the README. Made anew by
 *
 *     TINTYPE_TEST_UPDATE_PICTURES=1 npm test -- test/e2e/quality/readme-picture
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { it } from 'vitest';
import { projectRoot } from '../../../web/build/build-console.ts';
import { describeConsole } from '../support/console.ts';
import { expect } from '../support/expect.ts';
import { visitPlayground } from '../support/playground-page.ts';

const file = join(projectRoot, 'docs', 'images', 'playground.png');
const size = { width: 1440, height: 900 };
const bytesMax = 400 * 1024;
const isUpdated = process.env['TINTYPE_TEST_UPDATE_PICTURES'] !== undefined;
/** The last one is shown, those before it in the strip. */
const prompts = [
  'A paper boat on a still lake at dawn',
  'A red fox asleep in a field of poppies',
  'A lighthouse keeper’s fox watching the sunset over a calm sea',
];

describeConsole((console) => {
  it('is as large as it should be, and small enough to be loaded with the page', async () => {
    if (isUpdated) await writePicture(await takePicture());
    const picture = await readFile(file);
    const { width, height, format } = await sharp(picture).metadata();
    expect({ width, height, format }).toEqual({ ...size, format: 'png' });
    expect(picture.byteLength).toBeLessThanOrEqual(bytesMax);
  });

  async function takePicture(): Promise<Buffer> {
    const { page, playground } = await visitPlayground(console, { money: '5', called: 'Ada' });
    await page.setViewportSize(size);
    await playground.choose('Size', '3:2');
    for (const prompt of prompts) {
      await playground.generate(prompt);
      const name = `Generated image: ${prompt}`;
      await expect(playground.result).toHaveAttribute('alt', name, { timeout: 20_000 });
      await expect(playground.receipt).toContainText('Charged');
    }
    // Neither a pointer nor a cursor is in it.
    await page.getByRole('heading', { level: 1 }).focus();
    await page.mouse.move(0, 0);
    return page.screenshot({ animations: 'disabled' });
  }
});

async function writePicture(picture: Buffer): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, await sharp(picture).png({ palette: true, effort: 10 }).toBuffer());
}
