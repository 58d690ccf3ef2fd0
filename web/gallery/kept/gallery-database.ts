/** The database of one user's gallery: which stores it has, and how it is opened and deleted. */
import { type DBSchema, deleteDB, type IDBPDatabase, openDB } from 'idb';
import type { MaskDocument } from '../../mask/mask-document.ts';
import type { Kept } from './kept-blobs.ts';
import type { StoredJobFacts, StoredOrder } from './stored-job.ts';
import type { StoredRun } from './stored-run.ts';

export interface GallerySchema extends DBSchema {
  runs: {
    key: string;
    value: StoredRun;
    indexes: {
      /** When it was made, then its ID. */
      time: [string, string];
      image: string;
      reference: string;
    };
  };
  /** By the ID of the picture. */
  thumbs: { key: string; value: Kept<Blob> };
  /**
   * By SHA-256. Written once, and anew only by an import of a run whose picture is lost: Safari has spoiled blobs
   * that were written anew.
   */
  images: { key: string; value: Kept<Blob> };
  refs: { key: string; value: Kept<Blob> };
  /** By the ID of the run. */
  masks: { key: string; value: Kept<MaskDocument> };
  /** Requests whose picture is not there yet, and how many bytes their orders have. */
  jobs: { key: string; value: StoredJobFacts & { bytes: number } };
  /** What they ask for, by the ID of the request. Written once, for its pictures' sake, and apart from what changes. */
  orders: { key: string; value: Kept<StoredOrder> };
  /** What was noted about the gallery as a whole. */
  meta: { key: keyof GalleryNotes; value: GalleryNotes[keyof GalleryNotes] };
}

export interface GalleryNotes {
  capBytes: number;
  /** ISO 8601 in UTC. */
  lastExportAt: string;
  isFullNoticeDismissed: boolean;
  marks: Marks;
}

/** By ID: until when that can be taken back, in ISO 8601 in UTC. */
export type Marks = ReadonlyMap<string, string>;

export type GalleryDatabase = IDBPDatabase<GallerySchema>;

const schemaVersion = 2;

/** @param onClosed when another tab deletes it, or the browser has closed it by itself */
export function openGalleryDatabase(
  userId: string,
  onClosed: () => void,
): Promise<GalleryDatabase> {
  return openDB<GallerySchema>(nameOf(userId), schemaVersion, {
    upgrade: (database, versionBefore) => {
      if (versionBefore < 1) createRunStores(database);
      if (versionBefore < 2) createJobStores(database);
    },
    blocking: (_current, _wanted, { target }) => {
      // Typed as an event of anything.
      (target as IDBDatabase).close();
      onClosed();
    },
    terminated: onClosed,
  });
}

function createRunStores(database: GalleryDatabase): void {
  const runs = database.createObjectStore('runs', { keyPath: 'id' });
  runs.createIndex('time', ['createdAt', 'id']);
  runs.createIndex('image', 'image.id');
  runs.createIndex('reference', 'referenceIds', { multiEntry: true });
  for (const name of ['thumbs', 'images', 'refs', 'masks', 'meta'] as const) {
    database.createObjectStore(name);
  }
}

function createJobStores(database: GalleryDatabase): void {
  database.createObjectStore('jobs', { keyPath: 'id' });
  database.createObjectStore('orders');
}

/** True where the browser does not tell. */
export async function hasGalleryDatabase(userId: string): Promise<boolean> {
  if (!('databases' in indexedDB)) return true;
  return (await indexedDB.databases()).some(({ name }) => name === nameOf(userId));
}

export async function deleteGalleryDatabase(userId: string): Promise<void> {
  await deleteDB(nameOf(userId));
}

function nameOf(userId: string): string {
  return `tintype.gallery.${userId}`;
}
