/** A gallery that an earlier version of the console has made. */
import type { Page } from '@playwright/test';
import { it } from 'vitest';
import { describeConsole } from '../support/console.ts';
import { expect } from '../support/expect.ts';
import { databaseContent, databaseName, GalleryPage, seedRuns } from '../support/gallery-page.ts';
import { PlaygroundPage } from '../support/playground-page.ts';
import { expectStoredJobs } from '../support/stored-jobs.ts';

describeConsole((console) => {
  it('of version 1 keeps its pictures, and is written into as a new one', async () => {
    const user = await console.addUser();
    const { page } = await console.visit('/usage', { user });
    await makeVersion1(page, databaseName(user.id));
    await seedRuns(page, user, 3);
    const before = await databaseContent(page, user);
    const gallery = new GalleryPage(page);
    await gallery.open();
    await expect(gallery.tiles).toHaveCount(3);
    expect(await databaseContent(page, user)).toEqual(before);
    await page.getByRole('link', { name: 'Playground', exact: true }).first().click();
    const playground = new PlaygroundPage(page);
    await playground.generate('a fox [[delay=5s]] [[first=1s]]');
    await playground.expectPreview();
    await expectStoredJobs(page, user, 1);
    await playground.expectResult();
    await playground.expectKept();
    await expectStoredJobs(page, user, 0);
    await gallery.open();
    await expect(gallery.tiles).toHaveCount(4);
  });
});

/** As that version did, word for word. */
async function makeVersion1(page: Page, name: string): Promise<void> {
  await page.evaluate(async (name) => {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => {
      const database = request.result;
      const runs = database.createObjectStore('runs', { keyPath: 'id' });
      runs.createIndex('time', ['createdAt', 'id']);
      runs.createIndex('image', 'image.id');
      runs.createIndex('reference', 'referenceIds', { multiEntry: true });
      for (const store of ['thumbs', 'images', 'refs', 'masks', 'meta']) {
        database.createObjectStore(store);
      }
    };
    await new Promise((resolve) => {
      request.onsuccess = resolve;
    });
    request.result.close();
  }, name);
}
