import { z } from 'zod';
import { errorCodes, recordOnlyCodes } from '../error-codes.ts';
import { operations } from '../image-options.ts';
import { cursorQuery, pageSchema, rangeQuery, rangeSchema } from './ranges.ts';
import { amountSchema } from './session.ts';

const usageStatuses = ['running', 'succeeded', 'failed', 'canceled'] as const;
export const usageStatusSchema = z.enum(usageStatuses);
export const recordCodeSchema = z.enum([...errorCodes, ...recordOnlyCodes]);
const operationSchema = z.enum(operations);

const anyStatus = usageStatuses.join('|');

/** What the list, its totals, its chart and its table go by. Names that do not exist match nothing. */
export const usageFilterQuery = {
  ...rangeQuery,
  model: z.string().max(100).optional(),
  /** ID of an API key, or `playground`. */
  key: z.string().max(40).optional(),
  operation: operationSchema.optional(),
  /** One, or several between commas. */
  status: z
    .string()
    .regex(new RegExp(`^(${anyStatus})(,(${anyStatus}))*$`), `one or several of ${anyStatus}`)
    .optional(),
  code: recordCodeSchema.optional(),
  trace: z.string().max(40).optional(),
};

export const usageFilterSchema = z.object(usageFilterQuery);
export type UsageFilterQuery = z.infer<typeof usageFilterSchema>;

export const usageListQuerySchema = z.object({ ...usageFilterQuery, ...cursorQuery });

/** The API key of a request; the playground has one of its own. */
const usedKeySchema = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(['api', 'playground']),
});

export const usageRowSchema = z.object({
  trace_id: z.string(),
  started_at: z.string(),
  /** Null while it runs. */
  duration_ms: z.int().nullable(),
  /** Null when the request named no model of ours. */
  model: z.string().nullable(),
  operation: operationSchema,
  api_key: usedKeySchema.nullable(),
  /** How many requests the row stands for: one. */
  requests: z.literal(1),
  /** Pictures delivered and charged. */
  images: z.int(),
  cost: amountSchema,
  status: usageStatusSchema,
  code: recordCodeSchema.nullable(),
});
export type UsageRow = z.infer<typeof usageRowSchema>;

export const usageTotalsSchema = z.object({
  requests: z.int(),
  images: z.int(),
  /** Requests that failed or were canceled. */
  not_billed: z.int(),
  /** Of the requests, whatever was returned of it later. */
  charged: amountSchema,
  /** What an administrator returned of it. */
  refunded: amountSchema,
  /** The difference of the two. */
  spend: amountSchema,
});

export const usageListSchema = z.object({
  range: rangeSchema,
  items: z.array(usageRowSchema),
  ...pageSchema,
  /** How many match and are still kept one by one: the rows of all pages, and of the file. */
  count: z.int(),
  /** Of all that match, not only of this page. */
  totals: usageTotalsSchema,
});
export type UsageList = z.infer<typeof usageListSchema>;

/** A model in a chart; those beyond the first few are one. */
const chartSeriesSchema = z.object({
  /** Null for all others together, and for requests that named no model of ours. */
  model: z.string().nullable(),
  /** Micros, one for each bucket. */
  spend: z.array(z.int()),
  requests: z.array(z.int()),
});

export const usageChartSchema = z.object({
  range: rangeSchema,
  unit: z.enum(['hour', 'day']),
  /** When each begins; the last one ends with the range. Those without a request are there too. */
  buckets: z.array(z.string()),
  series: z.array(chartSeriesSchema),
});
export type UsageChart = z.infer<typeof usageChartSchema>;

const usageGroups = ['day', 'model', 'key'] as const;

export const usageSumsQuerySchema = z.object({
  ...usageFilterQuery,
  group: z.enum(usageGroups),
});

export const usageSumsSchema = z.object({
  range: rangeSchema,
  group: z.enum(usageGroups),
  rows: z.array(
    z.object({
      /** The day, the model or the ID of the key; null for requests without one. */
      id: z.string().nullable(),
      /** What people call it. */
      label: z.string().nullable(),
      requests: z.int(),
      images: z.int(),
      not_billed: z.int(),
      cost: amountSchema,
    }),
  ),
});
export type UsageSums = z.infer<typeof usageSumsSchema>;

export const traceParamsSchema = z.object({ traceId: z.string().max(40) });

/** Size, quality and format. */
const usedFormSchema = z.object({
  size: z.string().nullable(),
  quality: z.string().nullable(),
  output_format: z.string().nullable(),
});

export const usageDetailSchema = usageRowSchema.extend({
  ended_at: z.string().nullable(),
  images_requested: z.int(),
  unit_price: amountSchema,
  /** Of the wallet, if it was charged; null otherwise. */
  charge: z
    .object({ id: z.string(), amount: amountSchema, balance_after: amountSchema })
    .nullable(),
  refund: z.object({ id: z.string(), amount: amountSchema, created_at: z.string() }).nullable(),
  stream: z.boolean(),
  /** Null where it was not recorded. */
  asked: usedFormSchema
    .extend({
      output_compression: z.int().nullable(),
      background: z.string(),
      partial_images: z.int(),
      reference_images: z.int(),
      mask: z.boolean(),
    })
    .nullable(),
  /** Null unless it succeeded. */
  used: usedFormSchema.nullable(),
  /** Where the time went; null where no upstream was called. */
  timing: z
    .object({
      /** Until an upstream was first called. */
      waited_ms: z.int(),
      /** Until the last one had answered. */
      upstream_ms: z.int(),
    })
    .nullable(),
  /** What to do about the code. */
  advice: z.string().nullable(),
});
export type UsageDetail = z.infer<typeof usageDetailSchema>;
