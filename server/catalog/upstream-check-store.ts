import type { UpstreamCheckRow } from '../db/catalog-schema.ts';
import type { Db, Trx } from '../db/db.ts';

/** How the last health check of an upstream went. */
export interface UpstreamCheck {
  upstreamId: string;
  checkedAt: number;
  tookMs: number;
  /** Null when it answered. */
  fault: string | null;
  /** Of its answer, when there was one and it was a failure. */
  status: number | null;
  modelsListed: number | null;
  /** Failed checks in a row. */
  failures: number;
  /** The first of them. */
  failingSince: number | null;
}

export type CheckOutcome = Pick<UpstreamCheck, 'tookMs' | 'fault' | 'status' | 'modelsListed'>;

/** A check and the one before it; null where it is the first. */
export interface NotedCheck {
  before: UpstreamCheck | null;
  after: UpstreamCheck;
}

/** Of one upstream, or of all; what was never checked to the end is not among them. */
export async function listUpstreamChecks(
  db: Db,
  { upstreamId }: { upstreamId: string | null },
): Promise<readonly UpstreamCheck[]> {
  let query = db.kysely.selectFrom('upstream_checks').selectAll();
  if (upstreamId !== null) query = query.where('upstream_id', '=', upstreamId);
  const rows = await query.orderBy('upstream_id').execute();
  return rows.flatMap(upstreamChecksFromRow);
}

/**
 * Answers whether a check is due and the caller's to make: of several processes, one. A process that
 * dies over it leaves a check out; what is known of the one before stays.
 */
export async function claimCheck(
  trx: Trx,
  { upstreamId, nowMs, everyMs }: { upstreamId: string; nowMs: number; everyMs: number },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx.kysely
    .insertInto('upstream_checks')
    .values({
      upstream_id: upstreamId,
      claimed_at: nowMs,
      checked_at: null,
      took_ms: 0,
      fault: null,
      status: null,
      models_listed: null,
      failures: 0,
      failing_since: null,
    })
    .onConflict((conflict) =>
      conflict
        .column('upstream_id')
        .doUpdateSet({ claimed_at: nowMs })
        .where((eb) =>
          eb.or([
            eb('upstream_checks.claimed_at', '<=', nowMs - everyMs),
            // Of a clock that was set back since. Those of several machines are not so far from each other.
            eb('upstream_checks.claimed_at', '>', nowMs + everyMs),
          ]),
        ),
    )
    .executeTakeFirstOrThrow();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Null when the upstream was removed meanwhile. */
export async function noteCheck(
  trx: Trx,
  { upstreamId, nowMs, outcome }: { upstreamId: string; nowMs: number; outcome: CheckOutcome },
): Promise<NotedCheck | null> {
  const [before = null] = await listUpstreamChecks(trx, { upstreamId });
  const isFailure = outcome.fault !== null;
  const after: UpstreamCheck = {
    upstreamId,
    checkedAt: nowMs,
    ...outcome,
    failures: isFailure ? (before?.failures ?? 0) + 1 : 0,
    failingSince: isFailure ? (before?.failingSince ?? nowMs) : null,
  };
  const { numUpdatedRows } = await trx.kysely
    .updateTable('upstream_checks')
    .set({
      checked_at: nowMs,
      took_ms: after.tookMs,
      fault: after.fault,
      status: after.status,
      models_listed: after.modelsListed,
      failures: after.failures,
      failing_since: after.failingSince,
    })
    .where('upstream_id', '=', upstreamId)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n ? { before, after } : null;
}

function upstreamChecksFromRow(row: UpstreamCheckRow): readonly UpstreamCheck[] {
  if (row.checked_at === null) return [];
  return [
    {
      upstreamId: row.upstream_id,
      checkedAt: row.checked_at,
      tookMs: row.took_ms,
      fault: row.fault,
      status: row.status,
      modelsListed: row.models_listed,
      failures: row.failures,
      failingSince: row.failing_since,
    },
  ];
}
