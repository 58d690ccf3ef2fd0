import type { Db, Trx } from '../db/db.ts';
import type { UpstreamCheckRow } from '../db/schema.ts';

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

/** Of one upstream, or of all. */
export async function listUpstreamChecks(
  db: Db,
  { upstreamId }: { upstreamId: string | null },
): Promise<readonly UpstreamCheck[]> {
  let query = db.kysely.selectFrom('upstream_checks').selectAll();
  if (upstreamId !== null) query = query.where('upstream_id', '=', upstreamId);
  const rows = await query.orderBy('upstream_id').execute();
  return rows.map(upstreamCheckFromRow);
}

/**
 * Answers whether a check is due and the caller's to make: of several processes, one. A process that
 * dies over it leaves a check out.
 */
export async function claimCheck(
  trx: Trx,
  { upstreamId, nowMs, everyMs }: { upstreamId: string; nowMs: number; everyMs: number },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx.kysely
    .insertInto('upstream_checks')
    .values({
      upstream_id: upstreamId,
      checked_at: nowMs,
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
        .doUpdateSet({ checked_at: nowMs })
        .where('upstream_checks.checked_at', '<=', nowMs - everyMs),
    )
    .executeTakeFirstOrThrow();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Answers the check as it now stands; null when the upstream was removed meanwhile. */
export async function noteCheck(
  trx: Trx,
  { upstreamId, nowMs, outcome }: { upstreamId: string; nowMs: number; outcome: CheckOutcome },
): Promise<UpstreamCheck | null> {
  const [before] = await listUpstreamChecks(trx, { upstreamId });
  if (!before) return null;
  const failures = outcome.fault === null ? 0 : before.failures + 1;
  const failingSince = outcome.fault === null ? null : (before.failingSince ?? nowMs);
  await trx.kysely
    .updateTable('upstream_checks')
    .set({
      checked_at: nowMs,
      took_ms: outcome.tookMs,
      fault: outcome.fault,
      status: outcome.status,
      models_listed: outcome.modelsListed,
      failures,
      failing_since: failingSince,
    })
    .where('upstream_id', '=', upstreamId)
    .execute();
  return { upstreamId, checkedAt: nowMs, ...outcome, failures, failingSince };
}

function upstreamCheckFromRow(row: UpstreamCheckRow): UpstreamCheck {
  return {
    upstreamId: row.upstream_id,
    checkedAt: row.checked_at,
    tookMs: row.took_ms,
    fault: row.fault,
    status: row.status,
    modelsListed: row.models_listed,
    failures: row.failures,
    failingSince: row.failing_since,
  };
}
