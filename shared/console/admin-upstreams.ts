import { z } from 'zod';
import { reasonField, selectionSchema } from './admin-models.ts';
import { fieldChangeSchema } from './field-change.ts';

const needSchema = z.enum(['needed', 'optional', 'unused']);

/** A protocol that upstreams may speak: what a form for one is drawn from. */
export const upstreamKindSchema = z.object({
  kind: z.string(),
  title: z.string(),
  description: z.string(),
  base_url: needSchema,
  credential: needSchema,
  /** What is to be entered as the credential: `API key`, `user:password`. */
  credential_form: z.string(),
  /** JSON Schema (2020-12) of the settings, with titles, descriptions and defaults. */
  settings: z.record(z.string(), z.unknown()),
  presets: z.array(
    z.object({
      title: z.string(),
      base_url: z.string().nullable(),
      settings: z.record(z.string(), z.unknown()),
      upstream_models: z.array(z.string()),
    }),
  ),
});
export type UpstreamKind = z.infer<typeof upstreamKindSchema>;

export const upstreamKindsSchema = z.object({ kinds: z.array(upstreamKindSchema) });

/**
 * `disabled` by an administrator, `retired` by the service itself, `idle` for want of an enabled key,
 * `failing` by its last check or by what this process saw, `unknown` before anything was seen.
 */
export const upstreamHealthSchema = z.enum([
  'disabled',
  'retired',
  'idle',
  'failing',
  'healthy',
  'unknown',
]);

const upstreamLimitsSchema = z.object({
  /** Calls at once from one process; null for any number. */
  concurrency_max: z.int().nullable(),
  queue_max: z.int(),
  queue_wait_ms: z.int(),
  first_byte_ms: z.int(),
  idle_ms: z.int(),
});

/** One of its credentials, of which nobody sees more than this. */
const upstreamKeySchema = z.object({
  name: z.string(),
  enabled: z.boolean(),
  /** Why the service itself disabled it. */
  disabled_reason: z.string().nullable(),
  /** What its credential ends in; null where that would say too much, or is not known. */
  last_four: z.string().nullable(),
  created_at: z.string(),
});

export const adminUpstreamSchema = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.string(),
  base_url: z.string().nullable(),
  enabled: z.boolean(),
  disabled_reason: z.string().nullable(),
  priority: z.int(),
  weight: z.int(),
  health: upstreamHealthSchema,
  check: z
    .object({
      checked_at: z.string(),
      took_ms: z.int(),
      fault: z.string().nullable(),
      status: z.int().nullable(),
      models_listed: z.int().nullable(),
      /** In a row. */
      failures: z.int(),
      failing_since: z.string().nullable(),
    })
    .nullable(),
  /** In the process that answers. */
  in_flight: z.int(),
  waiting: z.int(),
  concurrency_max: z.int().nullable(),
  breaker: z.enum(['closed', 'open', 'half_open']),
  /** Of the last 24 hours. */
  attempts_24h: z.int(),
  failed_24h: z.int(),
  /** Of the attempts that made a picture. */
  median_ms_24h: z.int().nullable(),
  keys: z.object({ all: z.int(), enabled: z.int() }),
  /** Entries of its model list that are selected, and the models that they serve. */
  selections: z.int(),
  models: z.array(z.string()),
  created_at: z.string(),
});
export type AdminUpstream = z.infer<typeof adminUpstreamSchema>;

export const adminUpstreamsSchema = z.object({ upstreams: z.array(adminUpstreamSchema) });

const listedModelSchema = z.object({
  upstream_model: z.string(),
  description: z.string().nullable(),
  listed_at: z.string(),
  /** When a fetched list stopped naming it. */
  gone_at: z.string().nullable(),
  /** What it is selected to serve. */
  serves: z.array(
    selectionSchema.pick({ strict_mask: true, extra: true }).extend({
      model: z.string(),
      /** Has a price, and is enabled. */
      is_priced: z.boolean(),
    }),
  ),
});

export const adminUpstreamDetailSchema = adminUpstreamSchema.extend({
  settings: z.record(z.string(), z.unknown()),
  limits: upstreamLimitsSchema,
  has_proxy: z.boolean(),
  key_list: z.array(upstreamKeySchema),
  model_list: z.array(listedModelSchema),
});

const limitsPatchSchema = upstreamLimitsSchema.partial();

export const newUpstreamSchema = z.object({
  name: z.string(),
  kind: z.string(),
  base_url: z.string().nullable().default(null),
  /** Is never given back. */
  credential: z.string().nullable().default(null),
  settings: z.record(z.string(), z.unknown()).default({}),
  limits: limitsPatchSchema.default({}),
  /** URL of the proxy that leads to it; is never given back. */
  proxy: z.string().nullable().default(null),
  priority: z.int().default(0),
  weight: z.int().default(1),
  reason: reasonField,
});

/** What is not named stays. */
export const upstreamPatchSchema = z.object({
  name: z.string().optional(),
  base_url: z.string().nullable().optional(),
  credential: z.string().optional(),
  /** All of them: those that are not named go back to their defaults. */
  settings: z.record(z.string(), z.unknown()).optional(),
  /** In place of `settings`: only what is named changes. */
  settings_changes: z.array(fieldChangeSchema).optional(),
  limits: limitsPatchSchema.optional(),
  /** Null for none. */
  proxy: z.string().nullable().optional(),
  priority: z.int().optional(),
  weight: z.int().optional(),
  reason: reasonField,
});

export const enablingSchema = z.object({ enabled: z.boolean(), reason: reasonField });

/** What a change of upstreams meant for the models. */
export const servingChangeSchema = z.object({
  /** That got their first upstream. */
  models_gained: z.array(z.string()),
  /** That lost their last one. */
  models_lost: z.array(z.string()),
});

export const upstreamChangeSchema = servingChangeSchema.extend({
  upstream: adminUpstreamDetailSchema,
});

/** What is at stake before an upstream is disabled or deleted. */
export const upstreamImpactSchema = z.object({
  /** That nothing else would serve. */
  models_lost: z.array(z.string()),
});

export const newUpstreamKeySchema = z.object({
  name: z.string(),
  credential: z.string(),
  reason: reasonField,
});
export const upstreamKeyReplacementSchema = z.object({
  credential: z.string(),
  /** The secret key with which others were sealed is lost: seal this one with the one at hand. */
  master_key_lost: z.boolean().default(false),
  reason: reasonField,
});

export const modelListChangeSchema = upstreamChangeSchema.extend({
  listed: z.int(),
  /** On the list for the first time, or again. */
  added: z.array(z.string()),
  gone: z.array(z.string()),
});

export const mappingSchema = z.object({
  model: z.string(),
  upstream_model: z.string(),
  strict_mask: z.boolean().optional(),
  /** All of the fields that are added to every call. */
  extra: z.record(z.string(), z.unknown()).optional(),
  /** In place of `extra`: only what is named changes. */
  extra_changes: z.array(fieldChangeSchema).optional(),
  /** Refuses to select it if it is not selected any more. */
  only_if_selected: z.boolean().default(false),
  reason: reasonField,
});
export const unmappingQuerySchema = z.object({
  model: z.string(),
  upstream_model: z.string(),
  reason: reasonField,
});

/** With the key named, or with each that is enabled. */
export const upstreamTestSchema = z.object({ key: z.string().nullable().default(null) });

export const upstreamTestAnswerSchema = z.object({
  /** On the list that came first; null when none came. */
  models: z.int().nullable(),
  /** How it differs from the kept list. */
  added: z.array(z.string()),
  gone: z.array(z.string()),
  keys: z.array(
    z.object({
      /** Null for an upstream that was asked without one. */
      name: z.string().nullable(),
      answers: z.boolean(),
      took_ms: z.int(),
      /** On the list that it gave; null when it did not answer. */
      models: z.int().nullable(),
      /** Null also where it could not be asked at all. */
      fault: z.string().nullable(),
      status: z.int().nullable(),
      /** Why it did not, for the operator. */
      message: z.string().nullable(),
    }),
  ),
});

export const probePlanQuerySchema = z.object({ upstream_model: z.string() });

export const probePlanSchema = z.object({
  upstream: z.string(),
  upstream_model: z.string(),
  /** One picture each. */
  operations: z.array(z.enum(['generation', 'edit'])),
  quality: z.string(),
  size: z.string(),
  /** Longest time for one picture. */
  limit_ms: z.int(),
  /** What it may cost, in a sentence to be agreed to. */
  cost: z.string(),
});

export const probeSchema = z.object({
  upstream_model: z.string(),
  key: z.string().nullable().default(null),
  /** That the cost was agreed to. */
  agreed: z.literal(true),
  reason: reasonField,
});

/** What the stream of a probe tells, one event each: first the plan, last the end. */
export const probeEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('plan'), plan: probePlanSchema }),
  z.object({ type: z.literal('started'), operation: z.string(), at: z.string() }),
  z.object({
    type: z.literal('made'),
    operation: z.string(),
    duration_ms: z.int(),
    bytes: z.int(),
    format: z.string(),
    size: z.string(),
    upstream_request_id: z.string().nullable(),
    warnings: z.array(z.string()),
    /** The picture as a data URL. */
    picture: z.string(),
  }),
  z.object({
    type: z.literal('failed'),
    operation: z.string(),
    duration_ms: z.int(),
    fault: z.string(),
    status: z.int().nullable(),
    upstream_request_id: z.string().nullable(),
    message: z.string(),
    possibly_charged: z.boolean(),
  }),
  z.object({
    type: z.literal('error'),
    error: z.object({ message: z.string(), code: z.string(), trace_id: z.string() }),
  }),
  z.object({ type: z.literal('end') }),
]);
export type ProbeEvent = z.infer<typeof probeEventSchema>;

export const upstreamActivityQuerySchema = z.object({
  limit: z.coerce.number().int().min(1).max(200).default(50),
});

/** Recent attempts that failed, newest first. */
export const upstreamActivitySchema = z.object({
  /** How far back was looked. */
  since: z.string(),
  failures: z.array(
    z.object({
      trace_id: z.string(),
      started_at: z.string(),
      duration_ms: z.int(),
      model: z.string().nullable(),
      upstream_model: z.string(),
      key: z.string().nullable(),
      /** Null for one that was not called. */
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
      /** What became of the request. */
      request_status: z.string(),
    }),
  ),
});

export const upstreamParamsSchema = z.object({ upstream: z.string() });
export const upstreamKeyParamsSchema = z.object({ upstream: z.string(), key: z.string() });
