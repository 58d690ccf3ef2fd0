import { z } from 'zod';
import { upstreamHealthSchema } from './admin-upstreams.ts';
import { amountSchema } from './session.ts';
import { recordCodeSchema } from './usage.ts';

/** Where something can be mended: a page, and on it what is meant. */
const linkSchema = z.object({
  page: z.enum([
    'models',
    'model',
    'upstreams',
    'upstream',
    'users',
    'user',
    'keys',
    'playground',
    'settings',
    'documentation',
  ]),
  id: z.string().nullable(),
});

/** What needs attention; each names one thing. */
const attentionSchema = z.object({
  kind: z.enum(['model_without_price', 'model_not_served', 'upstream_failing', 'wallet_empty']),
  id: z.string(),
  /** What people call it. */
  name: z.string(),
  /** Refused requests, for an empty wallet; failed checks in a row, for an upstream. */
  count: z.int().nullable(),
  link: linkSchema,
});

export const overviewSchema = z.object({
  /** Half open: the last 24 hours. */
  from: z.string(),
  to: z.string(),
  requests: z.int(),
  /** Of them, that still run. */
  running: z.int(),
  succeeded: z.int(),
  /** Between 0 and 1, of the requests that ended; null without any. */
  success_rate: z.number().nullable(),
  /** Null for more than an amount can be. */
  spend: amountSchema.nullable(),
  /** Of the requests that succeeded; null without any. */
  median_ms: z.int().nullable(),
  p90_ms: z.int().nullable(),
  /** Most frequent first. */
  codes: z.array(z.object({ code: recordCodeSchema, requests: z.int() })),
  upstreams: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      health: upstreamHealthSchema,
      checked_at: z.string().nullable(),
      fault: z.string().nullable(),
      in_flight: z.int(),
      concurrency_max: z.int().nullable(),
      median_ms_24h: z.int().nullable(),
    }),
  ),
  attention: z.array(attentionSchema),
});
export type OverviewView = z.infer<typeof overviewSchema>;

export const readinessIds = [
  'admin_account',
  'upstream_connected',
  'model_list_chosen',
  'price_enabled',
  'model_available',
  'wallet_funded',
  'key_created',
  'first_picture',
  'https',
  'base_url',
  'proxy_streams',
  'sandbox_off',
] as const;

export const readinessSchema = z.object({
  /** Whether nothing is open. */
  is_ready: z.boolean(),
  items: z.array(
    z.object({
      id: z.enum(readinessIds),
      /** `unknown` where only a test from outside would tell; `not_needed` where it does not apply. */
      state: z.enum(['done', 'open', 'unknown', 'not_needed']),
      /** Why it matters. */
      why: z.string(),
      link: linkSchema,
    }),
  ),
});
export type ReadinessView = z.infer<typeof readinessSchema>;
