import type { Trx } from '../db/db.ts';

/** Deletes the oldest entries, as far as they are from before `beforeMs`; answers how many. */
export async function deleteAuditBefore(
  trx: Trx,
  { beforeMs, limit }: { beforeMs: number; limit: number },
): Promise<number> {
  // Identifiers are in the order of time, so the oldest stand first in the primary key.
  const oldest = await trx.kysely
    .selectFrom('audit_entries')
    .select(['id', 'created_at'])
    .orderBy('id')
    .limit(limit)
    .execute();
  const ids = oldest.filter((row) => row.created_at < beforeMs).map(({ id }) => id);
  if (ids.length === 0) return 0;
  await trx.kysely.deleteFrom('audit_entries').where('id', 'in', ids).execute();
  return ids.length;
}
