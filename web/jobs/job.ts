/** A job: one image request from the click to its receipt. */
import type { SettledState } from '../../shared/console/trace.ts';
import type { ApiError } from '../api/api-error.ts';
import type { UsedForm } from '../api/image-stream.ts';
import type { GalleryRun } from '../gallery/kept/gallery-store.ts';
import type { WireAmount } from '../i18n/formats.tsx';
import type { MaskDocument } from '../mask/mask-document.ts';
import type { ImageOrder } from './image-order.ts';

export interface Job {
  /** Also its Idempotency-Key: however often it is sent, it is charged once at most. */
  id: string;
  order: ImageOrder;
  /** As it was painted; the order has its picture. */
  mask: MaskDocument | null;
  /** When it was asked for. */
  price: WireAmount;
  /** ISO 8601 in UTC. */
  createdAt: string;
  /** By the clock that only goes forward; null while it waits for its turn. */
  sentAtMs: number | null;
  /** By the same clock. */
  endedAtMs: number | null;
  traceId: string | null;
  /** The latest. */
  preview: Preview | null;
  state: JobState;
  /** Why its picture came by a second connection; null when it did not. */
  recovered: Cut | null;
}

export interface Preview {
  /** From 1. */
  number: number;
  image: Blob;
}

/** A connection that ended before the result. */
export interface Cut {
  /** Null where it ended with its page. */
  afterMs: number | null;
}

export type JobState =
  /** Behind others; `wasRefused` when the service said that there are enough already. */
  | { kind: 'queued'; wasRefused: boolean }
  | { kind: 'sending' }
  /** `too_late` after a cancel that could not stop it any more, `failed` after one that was not heard. */
  | { kind: 'running'; cancel: 'possible' | 'too_late' | 'failed' }
  | { kind: 'cancelling' }
  /** Finding out what became of it. */
  | { kind: 'checking'; cut: Cut }
  /** That was not possible: the user may ask again. */
  | { kind: 'unresolved'; cut: Cut }
  | { kind: 'done'; result: JobResult }
  /** Charged, and its picture is not to be had any more. */
  | { kind: 'image_lost'; settled: SettledState }
  | { kind: 'failed'; error: ApiError | null; settled: SettledState | null }
  /** `settled` is null when it never reached the service. */
  | { kind: 'cancelled'; settled: SettledState | null };

export interface JobResult {
  used: UsedForm;
  cost: WireAmount;
  balance: WireAmount;
  /** By the service; null for an answer that was given again. */
  durationMs: number | null;
  revisedPrompt: string | null;
  bytes: number;
  /** Whether it was canceled, too late. */
  wasCancelled: boolean;
  /** As long as the gallery does not have it. */
  image: Blob | null;
  kept: Kept;
}

export type Kept =
  | { kind: 'saving' }
  | { kind: 'saved'; run: GalleryRun }
  | { kind: 'failed'; isFull: boolean };

/** Whether it still changes by itself. */
export function isActive({ state }: Job): boolean {
  switch (state.kind) {
    case 'queued':
    case 'sending':
    case 'running':
    case 'cancelling':
    case 'checking':
      return true;
    case 'unresolved':
    case 'done':
    case 'image_lost':
    case 'failed':
    case 'cancelled':
      return false;
  }
}

/**
 * Whether it may be lost with this page: its request, the way to ask for it once more, or its picture,
 * until the gallery has that. Also where the next page could go on with it: the service keeps a picture
 * for some minutes only, and who closes the page may not come back until then.
 */
export function endsWithPage(job: Job): boolean {
  const { state } = job;
  if (state.kind === 'done') return state.result.kept.kind !== 'saved';
  return state.kind === 'unresolved' || isActive(job);
}

/** Whether it takes one of the user's slots. */
export function takesSlot(job: Job): boolean {
  return isActive(job) && job.state.kind !== 'queued';
}

/** How long it has been under way, or was. */
export function elapsedMs({ sentAtMs, endedAtMs }: Job, nowMs: number): number {
  return sentAtMs === null ? 0 : Math.max(0, (endedAtMs ?? nowMs) - sentAtMs);
}

/** Whether somebody wanted it to stop. */
export function wasCancelled(state: JobState): boolean {
  return state.kind === 'cancelling' || (state.kind === 'running' && state.cancel === 'too_late');
}
