import type { Db, Trx } from '../db/db.ts';
import { type KnownReversal, reversalFromRow } from './reversal.ts';

export async function listReversals(
  db: Db,
  paymentIds: readonly string[],
): Promise<ReadonlyMap<string, readonly KnownReversal[]>> {
  if (paymentIds.length === 0) return new Map();
  const rows = await db.kysely
    .selectFrom('payment_reversals')
    .selectAll()
    .where('payment_id', 'in', paymentIds)
    .orderBy('created_at')
    .execute();
  const found = new Map<string, KnownReversal[]>();
  for (const row of rows) {
    found.set(row.payment_id, [...(found.get(row.payment_id) ?? []), reversalFromRow(row)]);
  }
  return found;
}

/** Puts the reversal in the place of what was known of it. */
export async function writeReversal(
  trx: Trx,
  { paymentId, nowMs, ...reversal }: KnownReversal & { paymentId: string; nowMs: number },
): Promise<void> {
  const { kind, reference, amount, deducted, endedAt } = reversal;
  await trx.kysely
    .insertInto('payment_reversals')
    .values({
      payment_id: paymentId,
      kind,
      reference,
      amount,
      deducted,
      created_at: nowMs,
      ended_at: endedAt,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['payment_id', 'kind', 'reference'])
        .doUpdateSet({ amount, deducted, ended_at: endedAt }),
    )
    .execute();
}
