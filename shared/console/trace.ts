import { z } from 'zod';
import { amountSchema } from './session.ts';
import { recordCodeSchema, usageStatusSchema } from './usage.ts';

/** What became of a request of one's own. */
export const settledStateSchema = z.object({
  trace_id: z.string(),
  status: usageStatusSchema,
  code: recordCodeSchema.nullable(),
  /** Whether nothing about it will change by itself any more. */
  is_settled: z.boolean(),
  images: z.int(),
  cost: amountSchema,
  duration_ms: z.int().nullable(),
  /** The wallet's entry; null when nothing was charged. */
  charge: z.object({ id: z.string(), amount: amountSchema }).nullable(),
  /** What returned it. */
  refund: z.object({ id: z.string(), amount: amountSchema }).nullable(),
  /** Now, whatever else happened since. */
  balance: amountSchema,
});
export type SettledState = z.infer<typeof settledStateSchema>;

/** Which page shows a trace ID to the one who asks. */
export const traceKindSchema = z.object({
  kind: z.enum(['usage', 'log', 'none']),
});
export type TraceKind = z.infer<typeof traceKindSchema>['kind'];
