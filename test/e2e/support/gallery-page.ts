/** The gallery as somebody sees it, and as it lies in the browser's database. */
import { createHash } from 'node:crypto';
import type { BrowserContext, Locator, Page } from '@playwright/test';
import { must } from '../../../server/lib/assert.ts';
import type { TestUser } from '../../support/app.ts';
import type { ConsoleBench, Visit, VisitOptions } from './console.ts';
import { expect } from './expect.ts';
import type { PlaygroundPage } from './playground-page.ts';

export class GalleryPage {
  readonly page: Page;
  readonly tiles: Locator;
  readonly search: Locator;

  constructor(page: Page) {
    this.page = page;
    this.tiles = page.locator('[data-run]');
    this.search = page.getByRole('searchbox', { name: 'Search prompts' });
  }

  /** From wherever the page is, without loading it anew. */
  async open(): Promise<void> {
    await this.page.getByRole('link', { name: 'Gallery', exact: true }).first().click();
    await this.page.getByRole('heading', { level: 1, name: 'Gallery' }).waitFor();
  }

  tile(prompt: string): Locator {
    return this.tiles.filter({ hasText: prompt });
  }

  async openStorage(): Promise<Locator> {
    await this.page.getByRole('button', { name: 'Storage' }).click();
    const panel = this.page.getByRole('dialog', { name: 'Images in this browser' });
    await panel.waitFor();
    return panel;
  }

  /** What a click downloads, as a file of its own. */
  async download(button: Locator): Promise<string> {
    const [download] = await Promise.all([
      this.page.waitForEvent('download', { timeout: 20_000 }),
      button.click(),
    ]);
    return download.path();
  }
}

export async function visitGallery(
  console: ConsoleBench,
  options: Omit<VisitOptions, 'user'> = {},
): Promise<Visit & { user: TestUser; gallery: GalleryPage }> {
  const user = await console.addUser();
  const visit = await console.visit('/gallery', { ...options, user });
  return { ...visit, user, gallery: new GalleryPage(visit.page) };
}

/** Makes a picture in the playground, sees it, and has it in the gallery. */
export async function makeImage(playground: PlaygroundPage, prompt: string): Promise<void> {
  await playground.generate(prompt);
  const shown = playground.page.getByRole('img', { name: `Generated image: ${prompt}` });
  await expect(shown).toBeVisible({ timeout: 20_000 });
  await playground.expectKept();
}

/** Everything in the database that somebody could miss, with pictures by their hash. */
export async function databaseContent(page: Page, { id }: Pick<TestUser, 'id'>) {
  const stores = await page.evaluate(async (name) => {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(name);
      request.onsuccess = () => resolve(request.result);
      request.addEventListener('error', () => reject(new Error(request.error?.message)));
    });
    const base64 = async (blob: Blob) => {
      const bytes = new Uint8Array(await blob.arrayBuffer());
      return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
    };
    const plain = async (value: unknown): Promise<unknown> => {
      if (value instanceof Blob) return { type: value.type, base64: await base64(value) };
      if (Array.isArray(value)) return Promise.all(value.map(plain));
      if (typeof value !== 'object' || value === null) return value;
      const entries = Object.entries(value).map(async ([key, each]) => [key, await plain(each)]);
      return Object.fromEntries((await Promise.all(entries)) as [string, unknown][]);
    };
    const read = (store: string) =>
      new Promise<{ keys: unknown[]; values: unknown[] }>((resolve) => {
        const transaction = database.transaction(store);
        const keys = transaction.objectStore(store).getAllKeys();
        const values = transaction.objectStore(store).getAll();
        transaction.oncomplete = () => resolve({ keys: keys.result, values: values.result });
      });
    const content: Record<string, unknown> = {};
    for (const store of ['runs', 'images', 'thumbs', 'refs', 'masks']) {
      const { keys, values } = await read(store);
      content[store] = { keys, values: await plain(values) };
    }
    database.close();
    return JSON.stringify(content);
  }, databaseName(id));
  // Written just above.
  return JSON.parse(stores) as Record<
    'runs' | 'images' | 'thumbs' | 'refs' | 'masks',
    { keys: string[]; values: unknown[] }
  >;
}

/** SHA-256 of each original in the database, in hexadecimal. */
export async function storedHashes(page: Page, user: Pick<TestUser, 'id'>) {
  const { images } = await databaseContent(page, user);
  return images.values.map((value) =>
    sha256(Buffer.from((value as { base64: string }).base64, 'base64')),
  );
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export function databaseName(userId: string): string {
  return `tintype.gallery.${userId}`;
}

/** Runs of an earlier time, without making them one by one. The page has opened the gallery before. */
export async function seedRuns(page: Page, { id }: Pick<TestUser, 'id'>, count: number) {
  await page.evaluate(
    async ({ name, count }) => {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open(name);
        request.onsuccess = () => resolve(request.result);
        request.addEventListener('error', () => reject(new Error(request.error?.message)));
      });
      const thumbOf = async (number: number) => {
        const canvas = new OffscreenCanvas(384, 256);
        const context = canvas.getContext('2d');
        if (!context) throw new Error('the browser cannot draw');
        context.fillStyle = `hsl(${(number * 37) % 360} 60% 50%)`;
        context.fillRect(0, 0, 384, 256);
        context.fillStyle = 'white';
        context.fillText(String(number), 20, 40);
        return canvas.convertToBlob({ type: 'image/webp' });
      };
      const drawn = await Promise.all(Array.from({ length: 20 }, (_, at) => thumbOf(at)));
      // Each run has one of its own, drawn once for several.
      const thumbs = Array.from({ length: count }, (_, at) => drawn[at % 20] ?? new Blob());
      const transaction = database.transaction(['runs', 'thumbs', 'images'], 'readwrite');
      for (const [number, thumb] of thumbs.entries()) {
        const image = `seeded-${number}`;
        transaction.objectStore('thumbs').put(thumb, image);
        transaction.objectStore('images').put(thumb, image);
        transaction.objectStore('runs').put({
          id: `seeded-${String(number).padStart(5, '0')}`,
          traceId: `tr_seeded_${number}`,
          createdAt: new Date(Date.UTC(2025, 0, 1) + number * 60_000).toISOString(),
          operation: 'generation',
          asked: { model: number % 2 === 0 ? 'even' : 'odd', prompt: `seeded picture ${number}` },
          partialImages: 0,
          used: { size: '384x256', quality: 'low', output_format: 'webp', background: 'opaque' },
          revisedPrompt: null,
          costMicros: 10_000,
          durationMs: 900,
          madeOf: null,
          isStarred: false,
          image: { id: image, type: 'image/webp', bytes: thumb.size, width: 384, height: 256 },
          references: [],
          hasMask: false,
          thumbBytes: thumb.size,
          referenceIds: [],
          referenceBytes: [],
          maskBytes: 0,
        });
      }
      await new Promise<void>((resolve, reject) => {
        transaction.oncomplete = () => resolve();
        transaction.addEventListener('error', () => reject(new Error(transaction.error?.message)));
      });
      database.close();
    },
    { name: databaseName(id), count },
  );
}

/** How many runs the database has. */
export async function runCount(page: Page, user: Pick<TestUser, 'id'>): Promise<number> {
  return page.evaluate(async (name) => {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(name);
      request.onsuccess = () => resolve(request.result);
      request.addEventListener('error', () => reject(new Error(request.error?.message)));
    });
    const count = await new Promise<number>((resolve) => {
      const request = database.transaction('runs').objectStore('runs').count();
      request.onsuccess = () => resolve(request.result);
    });
    database.close();
    return count;
  }, databaseName(user.id));
}

/** As where the browser has lost the files of a store: what it lists there is gone. */
export async function loseAll(
  page: Page,
  user: Pick<TestUser, 'id'>,
  store: 'images' | 'thumbs' | 'refs',
): Promise<void> {
  await page.evaluate(
    async ({ name, store }) => {
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open(name);
        request.onsuccess = () => resolve(request.result);
        request.addEventListener('error', () => reject(new Error(request.error?.message)));
      });
      await new Promise<void>((resolve) => {
        const transaction = database.transaction(store, 'readwrite');
        transaction.objectStore(store).clear();
        transaction.oncomplete = () => resolve();
      });
      database.close();
    },
    { name: databaseName(user.id), store },
  );
}

/** Names of the databases that the browser has for the console. */
export function databaseNames(page: Page): Promise<readonly string[]> {
  return page.evaluate(async () => (await indexedDB.databases()).flatMap(({ name }) => name ?? []));
}

/** Lets the browser give the console so many bytes and no more. */
export async function limitStorage(page: Page, bytes: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { origin } = new URL(page.url());
  await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: bytes });
}

/** Of the gallery's own, as somebody sets it. */
export async function setCap(page: Page, userId: string, bytes: number): Promise<void> {
  await page.evaluate(
    async ({ name, bytes }) => {
      const database = await new Promise<IDBDatabase>((resolve) => {
        const request = indexedDB.open(name);
        request.onsuccess = () => resolve(request.result);
      });
      const transaction = database.transaction('meta', 'readwrite');
      transaction.objectStore('meta').put(bytes, 'capBytes');
      await new Promise((resolve) => {
        transaction.oncomplete = resolve;
      });
      database.close();
    },
    { name: databaseName(userId), bytes },
  );
}

/** How much memory the page's objects take, after what is not needed has gone. */
export async function heapBytes(context: BrowserContext, page: Page): Promise<number> {
  const session = await context.newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  await session.send('Performance.enable');
  const { metrics } = await session.send('Performance.getMetrics');
  await session.detach();
  return must(
    metrics.find(({ name }) => name === 'JSHeapUsedSize'),
    'the size of the heap',
  ).value;
}
