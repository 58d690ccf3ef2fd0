import { z } from 'zod';
import { cursorQuery, pageSchema, rangeSchema } from './ranges.ts';
import { amountSchema } from './session.ts';
import { usageDetailSchema, usageFilterQuery, usageRowSchema, usageTotalsSchema } from './usage.ts';

const logFilterQuery = {
  ...usageFilterQuery,
  /** ID or e-mail address. */
  user: z.string().max(254).optional(),
  /** Name of an upstream that was called, or passed over. */
  upstream: z.string().max(63).optional(),
  min_duration_ms: z.coerce.number().int().min(0).optional(),
};
export const logFilterSchema = z.object(logFilterQuery);
export type LogFilterQuery = z.infer<typeof logFilterSchema>;

export const logListQuerySchema = z.object({ ...logFilterQuery, ...cursorQuery });

export const logRowSchema = usageRowSchema.extend({
  user: z.object({ id: z.string(), email: z.string().nullable() }),
  /** The last that was called; null when none was. */
  upstream: z.string().nullable(),
  upstream_request_id: z.string().nullable(),
  /** Calls to upstreams. */
  attempts: z.int(),
  /** What the caller got; null while it runs, when the caller got nothing, or when a stream failed, which may have begun with 200. */
  http_status: z.int().nullable(),
});
export type LogRow = z.infer<typeof logRowSchema>;

export const logListSchema = z.object({
  range: rangeSchema,
  items: z.array(logRowSchema),
  ...pageSchema,
  /** As in the list of one's own. */
  count: z.int(),
  /** Of all that match. */
  totals: usageTotalsSchema,
});

/** What one upstream did for one model. */
const upstreamSumSchema = z.object({
  /** By the name it had; null for requests for which none was called. */
  upstream: z.string().nullable(),
  /** Null for requests that named no model of ours. */
  model: z.string().nullable(),
  /** For which it was called. */
  requests: z.int(),
  /** Calls to it. */
  attempts: z.int(),
  /** Of them, those that made no picture. */
  failed: z.int(),
  /** Pictures that it made and that were charged. */
  images: z.int(),
  /** Of the calls that made a picture; null without any. */
  median_ms: z.int().nullable(),
  charged: amountSchema,
  refunded: amountSchema,
  /** The difference of the two. */
  spend: amountSchema,
});
export type UpstreamSumRow = z.infer<typeof upstreamSumSchema>;

export const upstreamSumsSchema = z.object({
  range: rangeSchema,
  /** Of the requests whose records are kept. */
  rows: z.array(upstreamSumSchema),
});
export type UpstreamSums = z.infer<typeof upstreamSumsSchema>;

const attemptSchema = z.object({
  /** Which picture of the request, from 1. */
  picture: z.int(),
  /** Which try of the picture, from 1; 0 for an upstream that was not called. */
  attempt: z.int(),
  upstream: z.string(),
  upstream_model: z.string(),
  key: z.string().nullable(),
  started_at: z.string(),
  duration_ms: z.int(),
  /** Null when it made the picture, or was not called. */
  fault: z.string().nullable(),
  skipped: z.string().nullable(),
  status: z.int().nullable(),
  upstream_code: z.string().nullable(),
  /** The field that it found fault with, in its own words. */
  upstream_param: z.string().nullable(),
  upstream_request_id: z.string().nullable(),
  possibly_charged: z.boolean(),
  /** Jobs that its queue had before this one; null where it does not say. */
  queued_behind: z.int().nullable(),
  warnings: z.array(z.string()),
});

export const logDetailSchema = usageDetailSchema.extend({
  ...logRowSchema.pick({
    user: true,
    upstream: true,
    upstream_request_id: true,
    attempts: true,
    http_status: true,
  }).shape,
  attempt_list: z.array(attemptSchema),
  /** The money set aside; null for a request that was refused before. */
  hold: z
    .object({
      state: z.enum(['open', 'settled', 'released', 'expired']),
      amount: amountSchema,
      cost: amountSchema.nullable(),
      created_at: z.string(),
      ended_at: z.string().nullable(),
      delivered_at: z.string().nullable(),
      refunded_at: z.string().nullable(),
      process: z.string(),
    })
    .nullable(),
});
export type LogDetail = z.infer<typeof logDetailSchema>;

export const refundOrderSchema = z.object({
  /** Decimal; null returns the whole charge. */
  amount: z.string().nullable().default(null),
  /** Shown to the user. */
  reason: z.string(),
});
export const refundAnswerSchema = z.object({
  charged: amountSchema,
  refunded: amountSchema,
  balance: amountSchema,
});
