/** A request under way as it lies in the browser's database: all that another page needs to ask for its picture. */
import type { ImageOrder } from '../../jobs/image-order.ts';
import type { MaskDocument } from '../../mask/mask-document.ts';
import { maskBytesOf } from './stored-run.ts';

export interface StoredJobFacts {
  /** Also its Idempotency-Key. */
  id: string;
  /** Of the page that goes on with it, or did so last. */
  pageId: string;
  traceId: string;
  price: { micros: number };
  /** ISO 8601 in UTC, as is the next. */
  createdAt: string;
  sentAt: string;
}

export interface StoredOrder {
  order: ImageOrder;
  mask: MaskDocument | null;
}

export interface StoredJob extends StoredJobFacts, StoredOrder {}

/** Requests under way, as long as their pictures are not in the gallery. It is no error when there is none of an ID. */
export interface StoredJobs {
  /** False where nothing outlives the page. */
  save(job: StoredJob): Promise<boolean>;
  list(): Promise<readonly StoredJobFacts[]>;
  /** Makes those of one page another's, all or none of them, and answers with them. */
  take(from: string, to: string): Promise<readonly StoredJob[]>;
  delete(id: string): Promise<void>;
}

/** Of the pictures that are stored with it. */
export function orderBytesOf({ order, mask }: StoredOrder): number {
  const sent = order.references.reduce((total, { image }) => total + image.size, 0);
  return sent + (order.mask?.size ?? 0) + (mask ? maskBytesOf(mask) : 0);
}
