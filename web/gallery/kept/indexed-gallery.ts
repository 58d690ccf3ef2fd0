/** A gallery that stays in this browser: IndexedDB, with pictures apart from what is known of them. */
import type { MaskDocument } from '../../mask/mask-document.ts';
import { fullError, type Gallery, type GalleryFacts, galleryLimits } from '../gallery.ts';
import { type BrowserRoom, suggestedCap } from './browser-room.ts';
import { canBeRead } from './can-be-read.ts';
import { deletedRuns } from './delete-stored-runs.ts';
import {
  type GalleryDatabase,
  type GalleryNotes,
  hasGalleryDatabase,
  openGalleryDatabase,
} from './gallery-database.ts';
import type { GalleryRun, NewRun, RestoredRun, RunFilter, RunQuery } from './gallery-store.ts';
import { createIndexedJobs } from './indexed-jobs.ts';
import { type Kept, withBlobs } from './kept-blobs.ts';
import { changeMarks, readMarks } from './marked-runs.ts';
import { matchingRuns } from './run-pages.ts';
import { bytesOf, imageBytesOf, prepareRun, runOf, type StoredRun } from './stored-run.ts';
import { writeRun } from './write-stored-run.ts';

export interface IndexedGalleryDeps {
  userId: string;
  readRoom: () => Promise<BrowserRoom>;
}

export class IndexedGallery implements Gallery {
  readonly jobs = createIndexedJobs({
    open: () => this.#open(),
    exists: () => hasGalleryDatabase(this.#deps.userId),
    checkRoom: (bytes) => this.#checkRoom(bytes),
  });
  readonly #deps: IndexedGalleryDeps;
  readonly #listeners = new Set<() => void>();
  #database: Promise<GalleryDatabase> | null = null;

  constructor(deps: IndexedGalleryDeps) {
    this.#deps = deps;
  }

  async saveRun(wish: NewRun): Promise<GalleryRun> {
    const prepared = await prepareRun({ ...wish, isStarred: false });
    await this.#checkRoom(bytesOf([prepared.stored]));
    await writeRun(await this.#open(), prepared);
    this.#tell();
    return runOf(prepared.stored);
  }

  async restoreRun(wish: RestoredRun): Promise<boolean> {
    const database = await this.#open();
    const known = await database.get('runs', wish.id);
    const wasMarked = (await readMarks(database)).has(wish.id);
    if (wasMarked) await this.unmarkDeleted([wish.id]);
    if (known && (await canBeRead(this, runOf(known)))) return wasMarked;
    const { isStarred } = known ?? wish;
    const prepared = await prepareRun({ ...wish, isStarred });
    // What is lost is counted all the same.
    if (!known) await this.#checkRoom(bytesOf([prepared.stored]));
    await writeRun(database, prepared, { replaces: known !== undefined });
    this.#tell();
    return true;
  }

  async listRuns({ after, limit, ...filter }: RunQuery): Promise<readonly GalleryRun[]> {
    const marks = await readMarks(await this.#open());
    const { store } = (await this.#open()).transaction('runs');
    const last = after === undefined ? null : await store.get(after);
    // It has been deleted meanwhile, and with it the place in the list.
    if (last === undefined) return [];
    const runs: GalleryRun[] = [];
    for await (const run of matchingRuns(store.index('time'), filter, last)) {
      if (marks.has(run.id)) continue;
      runs.push(runOf(run));
      if (runs.length === limit) break;
    }
    return runs;
  }

  async findIds(filter: RunFilter): Promise<readonly string[]> {
    const marks = await readMarks(await this.#open());
    const { store } = (await this.#open()).transaction('runs');
    const ids: string[] = [];
    for await (const { id } of matchingRuns(store.index('time'), filter, null)) ids.push(id);
    return ids.filter((id) => !marks.has(id));
  }

  async findRun(id: string): Promise<GalleryRun | null> {
    const marks = await readMarks(await this.#open());
    const found = await (await this.#open()).get('runs', id);
    return found && !marks.has(id) ? runOf(found) : null;
  }

  async loadImage({ image }: GalleryRun): Promise<Blob | null> {
    return pictureOf(await (await this.#open()).get('images', image.id));
  }

  async loadThumb({ image }: GalleryRun): Promise<Blob | null> {
    return pictureOf(await (await this.#open()).get('thumbs', image.id));
  }

  async loadReferences({ references }: GalleryRun) {
    const { store } = (await this.#open()).transaction('refs');
    const found = await Promise.all(
      references.map(async ({ id, name }) => ({ name, image: pictureOf(await store.get(id)) })),
    );
    return found.flatMap(({ name, image }) => (image ? [{ name, image }] : []));
  }

  async loadMask({ id }: GalleryRun): Promise<MaskDocument | null> {
    const found = await (await this.#open()).get('masks', id);
    return found ? withBlobs<MaskDocument>(found) : null;
  }

  async setStarred(id: string, isStarred: boolean): Promise<void> {
    const transaction = (await this.#open()).transaction('runs', 'readwrite');
    const found = await transaction.store.get(id);
    if (found) await transaction.store.put({ ...found, isStarred });
    await transaction.done;
    this.#tell();
  }

  async markDeleted(ids: readonly string[], until: string): Promise<void> {
    await changeMarks(await this.#open(), (marks) => {
      for (const id of ids) marks.set(id, until);
    });
    this.#tell();
  }

  async unmarkDeleted(ids: readonly string[]): Promise<void> {
    await changeMarks(await this.#open(), (marks) => {
      for (const id of ids) marks.delete(id);
    });
    this.#tell();
  }

  async deleteMarked(ids: readonly string[]): Promise<void> {
    const marks = await readMarks(await this.#open());
    const marked = ids.filter((id) => marks.has(id));
    await this.deleteRuns(marked);
    await this.unmarkDeleted(marked);
  }

  async deleteRuns(ids: readonly string[], onProgress?: (done: number) => void): Promise<void> {
    try {
      for await (const done of deletedRuns(await this.#open(), ids)) onProgress?.(done);
    } finally {
      this.#tell();
    }
  }

  async readFacts(): Promise<GalleryFacts> {
    const marks = await readMarks(await this.#open());
    const all = await (await this.#open()).getAll('runs');
    const runs = all.filter(({ id }) => !marks.has(id));
    const cap = await this.#readCap();
    const bytes = bytesOf(runs);
    return {
      runs: runs.length,
      starred: runs.filter(({ isStarred }) => isStarred).length,
      bytes,
      imageBytes: imageBytesOf(runs),
      ...cap,
      models: modelsOf(runs),
      lastExportAt: (await this.#readNote('lastExportAt')) ?? null,
      isFullNoticeDismissed: (await this.#readNote('isFullNoticeDismissed')) ?? false,
    };
  }

  async setCap(bytes: number | null): Promise<void> {
    if (bytes === null) await (await this.#open()).delete('meta', 'capBytes');
    else await this.#note('capBytes', bytes);
    await this.#note('isFullNoticeDismissed', false);
    this.#tell();
  }

  async markExported(at: string): Promise<void> {
    await this.#note('lastExportAt', at);
    this.#tell();
  }

  async dismissFullNotice(): Promise<void> {
    await this.#note('isFullNoticeDismissed', true);
    this.#tell();
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    void this.#database?.then((database) => database.close());
    this.#database = null;
  }

  /** Opened anew after another tab has deleted it, or the browser has closed it. */
  #open(): Promise<GalleryDatabase> {
    if (this.#database) return this.#database;
    const opening = openGalleryDatabase(this.#deps.userId, () => {
      if (this.#database === opening) this.#database = null;
    });
    this.#database = opening;
    opening.catch(() => {
      if (this.#database === opening) this.#database = null;
    });
    this.#deleteLeft(opening);
    return opening;
  }

  /** What was marked in tabs that are closed. What cannot be deleted now is left for the next time. */
  #deleteLeft(opened: Promise<GalleryDatabase>): void {
    const again = () => this.#deleteLeft(opened);
    const run = async () => {
      const marks = await readMarks(await opened);
      // Closed, or deleted, meanwhile.
      if (this.#database !== opened) return;
      const now = new Date().toISOString();
      const ids = [...marks].flatMap(([id, until]) => (until <= now ? [id] : []));
      if (ids.length > 0) await this.deleteMarked(ids);
      if (ids.length < marks.size) setTimeout(again, galleryLimits.undoMsMax);
    };
    run().catch(() => {});
  }

  async #checkRoom(wanted: number): Promise<void> {
    const { capBytes } = await this.#readCap();
    const runs = await (await this.#open()).getAll('runs');
    if (bytesOf(runs) + wanted > capBytes) throw fullError();
  }

  async #readCap(): Promise<{ capBytes: number; isCapChosen: boolean }> {
    const chosen = await this.#readNote('capBytes');
    if (chosen !== undefined) return { capBytes: chosen, isCapChosen: true };
    return { capBytes: suggestedCap(await this.#deps.readRoom()), isCapChosen: false };
  }

  async #readNote<K extends keyof GalleryNotes>(name: K): Promise<GalleryNotes[K] | undefined> {
    // Only `#note` writes there.
    return (await this.#open()).get('meta', name) as Promise<GalleryNotes[K] | undefined>;
  }

  async #note<K extends keyof GalleryNotes>(name: K, value: GalleryNotes[K]): Promise<void> {
    await (await this.#open()).put('meta', value, name);
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

function pictureOf(found: Kept<Blob> | undefined): Blob | null {
  return found ? withBlobs<Blob>(found) : null;
}

function modelsOf(runs: readonly StoredRun[]): readonly string[] {
  return [...new Set(runs.map(({ asked }) => asked.model))].sort();
}
