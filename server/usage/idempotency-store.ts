/**
 * Which request an Idempotency-Key stands for. It is written when the request is admitted, so that no second one
 * starts under it. Once the request was charged it is kept for as long as the API key can be used, so that a repeat
 * is never charged again.
 */
import type { StepBuilder } from '../db/chain.ts';
import type { Db, Trx } from '../db/db.ts';

export type ClaimKeyParams = {
  apiKeyId: string;
  idempotencyKey: string;
  userId: string;
  fingerprint: string;
  traceId: string;
  now: number;
};

/** Writes down what the key stands for. When it is taken, the whole admit fails as a duplicate. */
export function claimKey<P extends ClaimKeyParams>(when: string): StepBuilder<P> {
  return ({ insertWhen, param }) =>
    insertWhen(when, 'idempotency_keys', {
      api_key_id: param('apiKeyId'),
      key: param('idempotencyKey'),
      user_id: param('userId'),
      fingerprint: param('fingerprint'),
      trace_id: param('traceId'),
      created_at: param('now'),
    });
}

/** Frees the key of a request that ended without a charge, so that it may be tried again. */
export function freeKey(hold: string): StepBuilder<{ now: number }> {
  return ({ kysely, column }) =>
    kysely.deleteFrom('idempotency_keys').where('trace_id', '=', column<string>(hold, 'trace_id'));
}

/** Forgets all Idempotency-Keys of a user, whose API keys must have ended: a repeat would be charged again. */
export async function forgetKeys(trx: Trx, userId: string): Promise<void> {
  await trx.kysely.deleteFrom('idempotency_keys').where('user_id', '=', userId).execute();
}

export interface ClaimedKey {
  /** As its request was marked: see `SecretBox`. */
  fingerprint: string;
  traceId: string;
}

export async function findClaimedKey(
  db: Db,
  { apiKeyId, key }: { apiKeyId: string; key: string },
): Promise<ClaimedKey | null> {
  const row = await db.kysely
    .selectFrom('idempotency_keys')
    .select(['fingerprint', 'trace_id'])
    .where('api_key_id', '=', apiKeyId)
    .where('key', '=', key)
    .executeTakeFirst();
  return row ? { fingerprint: row.fingerprint, traceId: row.trace_id } : null;
}

/** Notes that a request which runs is to be stopped; resolves with its trace ID, or null where none runs. */
export async function noteCanceled(
  trx: Trx,
  { apiKeyId, key }: { apiKeyId: string; key: string },
  nowMs: number,
): Promise<string | null> {
  const row = await trx.kysely
    .updateTable('idempotency_keys')
    .set({ canceled_at: nowMs })
    .where('api_key_id', '=', apiKeyId)
    .where('key', '=', key)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('holds')
          .select('holds.trace_id')
          .whereRef('holds.trace_id', '=', 'idempotency_keys.trace_id')
          .where('holds.state', '=', 'open'),
      ),
    )
    .returning('trace_id')
    .executeTakeFirst();
  return row?.trace_id ?? null;
}

/** Whether the request was canceled at another process. */
export async function isCanceled(db: Db, traceId: string): Promise<boolean> {
  const row = await db.kysely
    .selectFrom('idempotency_keys')
    .select('canceled_at')
    .where('trace_id', '=', traceId)
    .executeTakeFirst();
  return (row?.canceled_at ?? null) !== null;
}
