import type { Database, Db, Trx } from '../db/db.ts';
import { ServiceError } from '../lib/service-error.ts';
import { lockedUntil, lockLimits, type TryKind, trySubject } from './try-limit.ts';

export interface Try {
  kind: TryKind;
  /** The account, network address or user that is counted. */
  what: string;
}

/**
 * Counts a try as failed before it is made, so that many at once find no gap; who succeeds takes it
 * back. Refused with 429 while one of the subjects is locked; then nothing is counted.
 */
export async function claimTries(
  database: Database,
  tries: readonly Try[],
  nowMs: number,
): Promise<void> {
  // In one order, so that two of them cannot wait for each other.
  const subjects = tries
    .map(({ kind, what }) => ({ kind, subject: trySubject(kind, what) }))
    .sort((a, b) => a.subject.localeCompare(b.subject));
  // Whoever goes on trying while they are locked costs no write.
  refuseUntil(await readLock(database, subjects, nowMs), nowMs);
  const until = await database.transaction(async (trx) => {
    await forgetOldFailures(trx, nowMs);
    const locks: number[] = [];
    for (const { kind, subject } of subjects) {
      const until = lockedUntil(kind, await lockRow(trx, subject, nowMs));
      if (until !== null && until > nowMs) locks.push(until);
    }
    if (locks.length > 0) return Math.max(...locks);
    for (const { subject } of subjects) await addFailure(trx, subject, nowMs);
    return null;
  });
  refuseUntil(until, nowMs);
}

/** Forgets all failures of a subject. */
export async function clearTries(trx: Trx, { kind, what }: Try): Promise<void> {
  await trx.kysely
    .deleteFrom('sign_in_failures')
    .where('subject', '=', trySubject(kind, what))
    .execute();
}

/** Takes one claimed try back; the failures of others stay, and their pause is no longer for it. */
export async function giveBackTry(trx: Trx, { kind, what }: Try): Promise<void> {
  await trx.kysely
    .updateTable('sign_in_failures')
    .set((eb) => ({ failures: eb('failures', '-', 1), last_at: eb.ref('earlier_at') }))
    .where('subject', '=', trySubject(kind, what))
    .where('failures', '>', 0)
    .execute();
}

interface Subject {
  kind: TryKind;
  subject: string;
}

function refuseUntil(until: number | null, nowMs: number): void {
  if (until === null) return;
  throw new ServiceError('rate_limit', 'Too many tries. Wait a little, then try again.', {
    retryAfterSeconds: Math.ceil((until - nowMs) / 1000),
  });
}

/** Until when one of them is locked; null when none is. */
async function readLock(
  db: Db,
  subjects: readonly Subject[],
  nowMs: number,
): Promise<number | null> {
  const rows = await db.kysely
    .selectFrom('sign_in_failures')
    .select(['subject', 'failures', 'last_at'])
    .where(
      'subject',
      'in',
      subjects.map(({ subject }) => subject),
    )
    .where('first_at', '>', nowMs - lockLimits.forgetMs)
    .execute();
  const known = new Map(rows.map((row) => [row.subject, row]));
  const locks = subjects.flatMap(({ kind, subject }) => {
    const row = known.get(subject);
    const until = row ? lockedUntil(kind, { failures: row.failures, lastAt: row.last_at }) : null;
    return until !== null && until > nowMs ? [until] : [];
  });
  return locks.length === 0 ? null : Math.max(...locks);
}

/** Makes sure that there is a row and holds it to the end of the transaction, on both engines. */
async function lockRow(trx: Trx, subject: string, nowMs: number) {
  const row = await trx.kysely
    .insertInto('sign_in_failures')
    .values({ subject, failures: 0, first_at: nowMs, last_at: nowMs, earlier_at: nowMs })
    .onConflict((conflict) => conflict.column('subject').doUpdateSet({ subject }))
    .returning(['failures', 'last_at'])
    .executeTakeFirstOrThrow();
  return { failures: row.failures, lastAt: row.last_at };
}

async function addFailure(trx: Trx, subject: string, nowMs: number): Promise<void> {
  await trx.kysely
    .updateTable('sign_in_failures')
    .set((eb) => ({
      failures: eb('failures', '+', 1),
      last_at: nowMs,
      earlier_at: eb.ref('last_at'),
    }))
    .where('subject', '=', subject)
    .execute();
}

async function forgetOldFailures(trx: Trx, nowMs: number): Promise<void> {
  await trx.kysely
    .deleteFrom('sign_in_failures')
    .where('first_at', '<=', nowMs - lockLimits.forgetMs)
    .execute();
}
