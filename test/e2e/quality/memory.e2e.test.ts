import { it } from 'vitest';
import { describeConsole } from '../support/console.ts';
import { expect } from '../support/expect.ts';
import { heapBytes } from '../support/gallery-page.ts';
import { visitPlayground } from '../support/playground-page.ts';

const pictures = 20;
const growthBytesMax = 30 * 1024 ** 2;

describeConsole((console) => {
  it('B83 twenty pictures later the page takes no more memory to speak of', async () => {
    const { page, context, playground } = await visitPlayground(console, { money: '10' });
    await page.addInitScript(countAddresses);
    await page.reload();
    await playground.model.waitFor();
    const makePicture = async (number: number) => {
      const prompt = `picture ${number}`;
      await playground.generate(prompt);
      await expect(playground.result).toHaveAttribute('alt', `Generated image: ${prompt}`, {
        timeout: 20_000,
      });
    };
    // With the first comes what is loaded only once.
    await makePicture(0);
    const before = await heapBytes(context, page);
    for (let number = 1; number <= pictures; number++) await makePicture(number);
    expect((await heapBytes(context, page)) - before).toBeLessThan(growthBytesMax);
    // A picture that an address stands for is in memory outside the heap, as large as its file.
    const shown = await page.locator('img[src^="blob:"]').count();
    expect(await page.evaluate(() => globalThis.openAddresses.size)).toBeLessThanOrEqual(shown);
  }, 180_000);
});

declare global {
  var openAddresses: Set<string>;
}

/** Which addresses of pictures were made and not given up. */
function countAddresses(): void {
  globalThis.openAddresses = new Set();
  const createObjectURL = URL.createObjectURL.bind(URL);
  const revokeObjectURL = URL.revokeObjectURL.bind(URL);
  URL.createObjectURL = (blob) => {
    const url = createObjectURL(blob);
    globalThis.openAddresses.add(url);
    return url;
  };
  URL.revokeObjectURL = (url) => {
    globalThis.openAddresses.delete(url);
    revokeObjectURL(url);
  };
}
