/** The pictures that this browser keeps for one user: what the gallery and the playground ask of it. */
import type { UsedForm } from '../../api/image-stream.ts';
import type { OrderFields } from '../../jobs/image-order.ts';
import type { MaskDocument } from '../../mask/mask-document.ts';

/** One finished request, without its pictures. */
export interface GalleryRun {
  id: string;
  traceId: string;
  /** ISO 8601 in UTC. */
  createdAt: string;
  operation: 'generation' | 'edit';
  /** What was asked for, the prompt among it. */
  asked: OrderFields;
  /** How many previews were asked for. */
  partialImages: number;
  used: UsedForm;
  revisedPrompt: string | null;
  costMicros: number;
  durationMs: number | null;
  image: StoredImage;
  /** In the order in which they were sent. */
  references: readonly StoredReference[];
  hasMask: boolean;
  isStarred: boolean;
  /** Of a picture that was put together in the browser: the run whose picture it was made of. */
  madeOf: string | null;
}

export interface StoredImage {
  /** Given by the store. */
  id: string;
  /** `image/png` */
  type: string;
  bytes: number;
  width: number;
  height: number;
}

export interface StoredReference {
  id: string;
  name: string;
}

/** A run with its pictures, to be kept. */
export interface NewRun extends Omit<GalleryRun, 'image' | 'references' | 'hasMask' | 'isStarred'> {
  image: Blob;
  width: number;
  height: number;
  thumb: Blob;
  references: readonly { name: string; image: Blob }[];
  mask: MaskDocument | null;
}

export interface RestoredRun extends NewRun {
  isStarred: boolean;
}

export interface RunQuery extends RunFilter {
  /** Those that follow this run in the list. */
  after?: string;
  limit: number;
}

export interface RunFilter {
  /** In the prompt, as they stand; the case of letters does not matter. */
  words?: string;
  model?: string;
  operation?: GalleryRun['operation'];
  isStarred?: boolean;
  /** The newest first unless said otherwise. */
  order?: RunOrder;
}

export type RunOrder = 'newest' | 'oldest';

/** Every method rejects with the browser's own errors, such as `QuotaExceededError` when there is no room. */
export interface GalleryStore {
  /** Keeps the run and its picture together, or neither. */
  saveRun(run: NewRun): Promise<GalleryRun>;
  listRuns(query: RunQuery): Promise<readonly GalleryRun[]>;
  findRun(id: string): Promise<GalleryRun | null>;
  loadImage(run: GalleryRun): Promise<Blob | null>;
  loadThumb(run: GalleryRun): Promise<Blob | null>;
  /** Without those that the browser has lost. */
  loadReferences(run: GalleryRun): Promise<readonly { name: string; image: Blob }[]>;
  loadMask(run: GalleryRun): Promise<MaskDocument | null>;
  setStarred(id: string, isStarred: boolean): Promise<void>;
  /** Deletes runs, and the pictures that no other run shows. */
  deleteRuns(ids: readonly string[], onProgress?: (done: number) => void): Promise<void>;
  /**
   * Marks runs as deleted: from now on they are left out everywhere, in other tabs and after this one too. Whoever marks
   * them calls `deleteMarked` or `unmarkDeleted` later. Runs that are still marked after `until` are deleted by any tab
   * that has the gallery open then, or opens it later.
   *
   * @param until ISO 8601 in UTC
   */
  markDeleted(ids: readonly string[], until: string): Promise<void>;
  unmarkDeleted(ids: readonly string[]): Promise<void>;
  /** Deletes those of these runs that are still marked. */
  deleteMarked(ids: readonly string[]): Promise<void>;
  /** Called after every change, in this tab and in others. Returns how to stop. */
  subscribe(listener: () => void): () => void;
}
