/** Requests under way as they lie in the browser's database, which other pages find them in. */
import type { Page } from '@playwright/test';
import type { TestUser } from '../../support/app.ts';
import { expect } from './expect.ts';
import { databaseName } from './gallery-page.ts';

/** Their IDs. */
async function storedJobs(page: Page, { id }: Pick<TestUser, 'id'>) {
  return page.evaluate(async (name) => {
    // Whoever opens one that is not there makes it.
    if ((await indexedDB.databases()).every((database) => database.name !== name)) return [];
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(name);
      request.onsuccess = () => resolve(request.result);
      request.addEventListener('error', () => reject(new Error(request.error?.message)));
    });
    const keys = await new Promise<IDBValidKey[]>((resolve) => {
      const request = database.transaction('jobs').objectStore('jobs').getAllKeys();
      request.onsuccess = () => resolve(request.result);
    });
    database.close();
    return keys.map(String);
  }, databaseName(id));
}

export async function expectStoredJobs(
  page: Page,
  user: Pick<TestUser, 'id'>,
  count: number,
): Promise<void> {
  await expect.poll(async () => (await storedJobs(page, user)).length).toBe(count);
}

/** Leaves the page although it asks, and comes to it again. */
export async function reload(page: Page): Promise<void> {
  page.once('dialog', (dialog) => void dialog.accept());
  await page.reload();
}
