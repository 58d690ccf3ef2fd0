/** When the lease of a process ends, in its database. */
import type { Database } from '../../../server/db/db.ts';
import type { Lease } from '../../../server/flows/money/keep-lease.ts';

export async function leaseUntil(database: Database, { processId }: Lease): Promise<number> {
  const row = await database.kysely
    .selectFrom('processes')
    .select('lease_until')
    .where('id', '=', processId)
    .executeTakeFirstOrThrow();
  return row.lease_until;
}

/** Ends it a little earlier, and says when: also a renewal in the same millisecond makes it longer. */
export async function shortenLease(database: Database, lease: Lease): Promise<number> {
  await database.kysely
    .updateTable('processes')
    .set((row) => ({ lease_until: row('lease_until', '-', 1_000) }))
    .where('id', '=', lease.processId)
    .execute();
  return leaseUntil(database, lease);
}
