/** The gallery for those who look after the whole of it: its own page, the account page, the way out. */
import type { GalleryRun, GalleryStore, RestoredRun, RunFilter } from './kept/gallery-store.ts';
import type { StoredJobs } from './kept/stored-job.ts';

export interface Gallery extends GalleryStore {
  readonly jobs: StoredJobs;
  /** All that match, in the order of the list. */
  findIds(filter: RunFilter): Promise<readonly string[]>;
  readFacts(): Promise<GalleryFacts>;
  /**
   * Puts a run of an export back, also one that is marked as deleted or whose picture the browser has lost. False, and
   * nothing changes, when the run is there.
   */
  restoreRun(run: RestoredRun): Promise<boolean>;
  /** @param bytes null goes back to what the browser's room suggests */
  setCap(bytes: number | null): Promise<void>;
  /** @param at ISO 8601 in UTC */
  markExported(at: string): Promise<void>;
  /** Hides the notice that the gallery is full, until there is room again. */
  dismissFullNotice(): Promise<void>;
  /** Lets go of what it has opened. */
  close(): void;
}

/** What the pictures amount to, and what was noted about them. */
export interface GalleryFacts {
  runs: number;
  starred: number;
  /** Of pictures, thumbnails, references and masks; each counts once, however many runs show it. */
  bytes: number;
  /** Of the pictures alone, each run's for itself. */
  imageBytes: number;
  /** How many bytes there may be; null where nothing is kept. */
  capBytes: number | null;
  /** Whether somebody set it. */
  isCapChosen: boolean;
  /** In the order of the alphabet. */
  models: readonly string[];
  /** ISO 8601 in UTC; null when it never was. */
  lastExportAt: string | null;
  isFullNoticeDismissed: boolean;
}

/** The gallery of one user in this browser, wherever it is kept. */
export interface UserGallery extends Gallery {
  /** Whether pictures outlive the page. */
  isKept(): boolean;
  /**
   * Says whether pictures are to outlive the page. `false` deletes those that were kept; `true` keeps those of this
   * session from now on.
   */
  setKept(isKept: boolean): Promise<void>;
  /** Deletes everything, and the place it was kept in, in all tabs. */
  forget(): Promise<void>;
  /** Whether `forget` was called, and nothing was put into the gallery since. */
  isForgotten(): boolean;
}

export const galleryLimits = {
  /** How much the gallery takes at most, unless the user says otherwise. */
  capBytesMax: 2_000_000_000,
  /** Of all that the browser gives this site. */
  capShareMax: 0.4,
  /** What a user may choose. */
  capBytesLeast: 50_000_000,
  /** So long a deletion can be taken back. */
  undoMs: 8_000,
  /** However long somebody stays at the offer, or away from the window. */
  undoMsMax: 60_000,
  /** From this share of the cap on, the page says so. */
  fullShare: 0.8,
  /** Runs that are deleted in one transaction. */
  deleteBatch: 20,
  /** Runs that are read at once in a search. */
  readBatch: 200,
} as const;

export function matches(run: GalleryRun, filter: RunFilter): boolean {
  const { words = '', model, operation, isStarred } = filter;
  return (
    (model === undefined || run.asked.model === model) &&
    (operation === undefined || run.operation === operation) &&
    (isStarred === undefined || run.isStarred === isStarred) &&
    (words === '' || run.asked.prompt.toLowerCase().includes(words.toLowerCase()))
  );
}

/** What a gallery throws when a picture does not fit under its cap, as browsers do. */
export function fullError(): DOMException {
  return new DOMException('the gallery is full', 'QuotaExceededError');
}
