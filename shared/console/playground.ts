import { z } from 'zod';
import { imageLimits } from '../limits.ts';

/** A request is named by its Idempotency-Key: its trace ID may not have reached the page yet. */
export const cancelRequestSchema = z.object({
  idempotency_key: z.string().min(1).max(imageLimits.idempotencyKeyCharactersMax),
});

export const cancelAnswerSchema = z.object({
  /**
   * `stopping` is not charged unless it was done that very moment; `goes_on` was shown a preview of,
   * or is done, and is charged if it succeeds; `elsewhere` runs on another process, which stops it as
   * soon as its connection is closed; `unknown` runs nowhere.
   */
  state: z.enum(['stopping', 'goes_on', 'elsewhere', 'unknown']),
  trace_id: z.string().nullable(),
});
export type CancelAnswer = z.infer<typeof cancelAnswerSchema>;

/** What the last event of a stream in the console says of its request, as its member `tintype`. */
export const streamReceiptSchema = z.object({
  trace_id: z.string(),
  cost_micros: z.int(),
  balance_micros: z.int(),
  /** Null for an answer that is given again. */
  duration_ms: z.int().nullable(),
  revised_prompt: z.string().nullable(),
});
export type StreamReceipt = z.infer<typeof streamReceiptSchema>;
