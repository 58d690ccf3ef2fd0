import { z } from 'zod';
import { amountSchema } from './session.ts';

/** What keeps callers from using a model. */
export const missingSchema = z.enum(['price', 'enabled', 'upstream']);

export const adminModelSchema = z.object({
  id: z.string(),
  description: z.string(),
  extended_qualities: z.boolean(),
  price: amountSchema.nullable(),
  enabled: z.boolean(),
  position: z.int(),
  /** The first condition: it has a price and is enabled. */
  is_priced: z.boolean(),
  /** The second: an entry of an upstream's model list is selected for it, and the upstream serves. */
  is_served: z.boolean(),
  is_available: z.boolean(),
  /** The first of the conditions that is not met; null when callers may use it. */
  missing: missingSchema.nullable(),
  upstreams: z.object({
    /** That serve it now. */
    serving: z.int(),
    /** Of these, which are selected for it. */
    selected: z.int(),
  }),
  /** Requests of the last 7 days, whatever became of them. */
  requests_7d: z.int(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type AdminModel = z.infer<typeof adminModelSchema>;

export const modelStates = ['available', 'needs_price', 'not_selected', 'disabled'] as const;

export const adminModelsQuerySchema = z.object({
  /** Only those of which it is true. */
  state: z.enum(modelStates).optional(),
});

export const adminModelsSchema = z.object({
  models: z.array(adminModelSchema),
  /** Of all, whatever the filter. */
  counts: z.object({
    all: z.int(),
    available: z.int(),
    needs_price: z.int(),
    not_selected: z.int(),
    disabled: z.int(),
  }),
});

export const selectionSchema = z.object({
  upstream_id: z.string(),
  upstream: z.string(),
  upstream_model: z.string(),
  strict_mask: z.boolean(),
  extra: z.record(z.string(), z.unknown()),
  serves: z.boolean(),
});

export const adminModelDetailSchema = adminModelSchema.extend({
  selections: z.array(selectionSchema),
  /** Newest first. */
  prices: z.array(
    z.object({
      price: amountSchema,
      since: z.string(),
      by: z.string(),
      by_email: z.string().nullable(),
    }),
  ),
});

/** For the audit. */
export const reasonField = z.string().max(500).optional();
export const reasonBodySchema = z.object({ reason: reasonField });

export const newModelSchema = z.object({
  id: z.string(),
  description: z.string().default(''),
  extended_qualities: z.boolean().default(false),
  reason: reasonField,
});

export const modelPatchSchema = z.object({
  description: z.string().optional(),
  extended_qualities: z.boolean().optional(),
  /** Its place in the list, from 0. */
  position: z.int().optional(),
  reason: reasonField,
});

export const modelEnablingSchema = z.object({ enabled: z.boolean(), reason: reasonField });

export const modelPriceSchema = z.object({
  /** Decimal, with up to 6 decimals. */
  price: z.string(),
  /** The price that was shown as the one until now; a change in between is refused. */
  confirmed_from: z.string().nullable().optional(),
  reason: reasonField,
});

export const pricePreviewSchema = z.object({
  changes: z.array(
    z.object({
      model: z.string(),
      from: amountSchema.nullable(),
      to: amountSchema,
      /** To a tenth; null for a first price. */
      percent: z.number().nullable(),
    }),
  ),
});

export const pricePreviewQuerySchema = z.object({
  /** Model IDs, separated by commas. */
  models: z.string(),
  price: z.string(),
});

export const modelsActionSchema = z.object({
  models: z.array(z.string()).min(1).max(1_000),
  action: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('enable') }),
    z.object({ kind: z.literal('disable') }),
    z.object({
      kind: z.literal('set_price'),
      price: z.string(),
      /** For a model, the price that was shown as the one until now; a change in between is refused. */
      confirmed_from: z.record(z.string(), z.string().nullable()).optional(),
    }),
  ]),
  reason: reasonField,
});

export const modelsActionAnswerSchema = z.object({
  /** Those that were not as wanted already. */
  changed: z.int(),
});

export const modelParamsSchema = z.object({ model: z.string() });
