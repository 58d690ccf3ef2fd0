import { z } from 'zod';

/** One call to one upstream, as a usage record tells of it. */
export interface RecordedAttempt {
  /** Which of the request's pictures, from 0. */
  picture: number;
  /** From 1 within the picture; 0 for an upstream that was not called. */
  attempt: number;
  upstream: string;
  upstreamModel: string;
  /** Name of the upstream's key. */
  upstreamKey: string | null;
  startedAt: number;
  durationMs: number;
  fault: string | null;
  status: number | null;
  upstreamCode: string | null;
  /** The field that it found fault with, in its own words. */
  upstreamParam: string | null;
  upstreamRequestId: string | null;
  possiblyCharged: boolean;
  /** Why it was not called after all. */
  skipped: string | null;
  /** Jobs that its queue had before this one; null where it does not say. */
  queuedBehind: number | null;
  warnings: readonly string[];
}

// What a later version adds is not read; what an earlier one did not write yet has its default.
const schema = z
  .object({
    picture: z.number().default(0),
    attempt: z.number().default(1),
    upstream: z.string().default(''),
    upstream_model: z.string().default(''),
    upstream_key: z.string().nullable().default(null),
    started_at: z.number().default(0),
    duration_ms: z.number().default(0),
    fault: z.string().nullable().default(null),
    status: z.number().nullable().default(null),
    upstream_code: z.string().nullable().default(null),
    upstream_param: z.string().nullable().default(null),
    upstream_request_id: z.string().nullable().default(null),
    possibly_charged: z.boolean().default(false),
    skipped: z.string().nullable().default(null),
    queued_behind: z.number().nullable().default(null),
    warnings: z.array(z.string()).default([]),
  })
  .transform(
    (row): RecordedAttempt => ({
      picture: row.picture,
      attempt: row.attempt,
      upstream: row.upstream,
      upstreamModel: row.upstream_model,
      upstreamKey: row.upstream_key,
      startedAt: row.started_at,
      durationMs: row.duration_ms,
      fault: row.fault,
      status: row.status,
      upstreamCode: row.upstream_code,
      upstreamParam: row.upstream_param,
      upstreamRequestId: row.upstream_request_id,
      possiblyCharged: row.possibly_charged,
      skipped: row.skipped,
      queuedBehind: row.queued_behind,
      warnings: row.warnings,
    }),
  );

/** Reads the entries of a record's list, in their order; what is no attempt is left out. */
export function readAttempts(entries: readonly unknown[]): readonly RecordedAttempt[] {
  return entries.flatMap((entry) => {
    const parsed = schema.safeParse(entry);
    return parsed.success ? [parsed.data] : [];
  });
}
