/** Browsers whose database takes no blobs, as WebKit's in a private window: pictures lie there as bytes. */
import type { BrowserContext, Locator } from '@playwright/test';
import { it } from 'vitest';
import { describeConsole } from '../support/console.ts';
import { expect } from '../support/expect.ts';
import { databaseContent, GalleryPage } from '../support/gallery-page.ts';
import { attachMasked } from '../support/mask-page.ts';
import { chargesOf, PlaygroundPage } from '../support/playground-page.ts';
import { expectStoredJobs, reload } from '../support/stored-jobs.ts';

describeConsole((console) => {
  it('an edit outlives its page, and its picture, references and mask are in the gallery', async () => {
    const user = await console.addUser({ money: '5' });
    const { page, context } = await console.visit('/usage', { user });
    await refuseBlobs(context);
    await page.goto('/playground');
    const playground = new PlaygroundPage(page);
    await attachMasked(playground);
    await playground.generate('a fox [[delay=6s]] [[first=1s]]');
    await playground.expectPreview();
    await expectStoredJobs(page, user, 1);
    await reload(page);
    await playground.expectResult();
    await playground.expectKept();
    expect(await chargesOf(console, user)).toEqual([-80_000]);
    const { runs, refs, masks } = await databaseContent(page, user);
    expect(runs.values).toMatchObject([{ operation: 'edit', hasMask: true }]);
    expect([refs.keys.length, masks.keys]).toEqual([2, runs.keys]);

    await page.reload();
    const gallery = new GalleryPage(page);
    await gallery.open();
    await gallery.tile('a fox').click();
    await expectWidth(page.getByRole('img', { name: /a fox/ }), 120);
    await page.getByRole('button', { name: 'Open in playground' }).click();
    await expectWidth(page.getByRole('img', { name: 'Image 1: one.png' }), 120);
    await expectWidth(page.getByRole('img', { name: 'Image 2: two.png' }), 120);
    await expect(page.getByRole('button', { name: 'Change the mask of image 1' })).toBeVisible();
  });
});

async function expectWidth(image: Locator, width: number): Promise<void> {
  await expect
    .poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth))
    .toBe(width);
}

/**
 * A write of one is refused as there: its request fails, and with it the transaction. With another request under way
 * neither of them would ever end; here that is an error.
 */
async function refuseBlobs(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const underWay = new Map<IDBTransaction, number>();
    const count = (transaction: IDBTransaction, change: number) =>
      underWay.set(transaction, (underWay.get(transaction) ?? 0) + change);
    const hasBlob = (value: unknown): boolean =>
      value instanceof Blob ||
      (typeof value === 'object' && value !== null && Object.values(value).some(hasBlob));
    IDBObjectStore.prototype.put = new Proxy(
      // oxlint-disable-next-line typescript/unbound-method -- called with the store that it is asked of
      IDBObjectStore.prototype.put,
      {
        apply: (put, store: IDBObjectStore, [value, key]: [unknown, IDBValidKey | undefined]) => {
          const { transaction } = store;
          if (hasBlob(value)) {
            if (underWay.get(transaction)) throw new Error('neither request would ever end');
            // A key that is there already fails as late as that does, but for another reason.
            put.call(store, null, key);
            const failing = store.add(null, key);
            const error = new DOMException('Error preparing Blob data', 'UnknownError');
            for (const each of [failing, transaction]) {
              Object.defineProperty(each, 'error', { value: error });
            }
            return failing;
          }
          const request = put.call(store, value, key);
          count(transaction, 1);
          request.addEventListener('success', () => count(transaction, -1));
          return request;
        },
      },
    );
  });
}
