import { isDuplicate } from '../db/database-error.ts';
import type { Db, Trx } from '../db/db.ts';
import { invalidRequest } from '../lib/service-error.ts';
import { type UpstreamKey, upstreamKeyFromRow } from './upstream.ts';

/** One upstream's keys, or all upstreams', in the order in which they were added. */
export async function listUpstreamKeys(
  db: Db,
  { upstreamId }: { upstreamId: string | null },
): Promise<readonly UpstreamKey[]> {
  let query = db.kysely.selectFrom('upstream_keys').selectAll();
  if (upstreamId !== null) query = query.where('upstream_id', '=', upstreamId);
  const rows = await query.orderBy('upstream_id').orderBy('id').execute();
  return rows.map(upstreamKeyFromRow);
}

export async function insertUpstreamKey(trx: Trx, key: UpstreamKey): Promise<void> {
  try {
    await trx.kysely
      .insertInto('upstream_keys')
      .values({
        id: key.id,
        upstream_id: key.upstreamId,
        name: key.name,
        credential: key.sealedCredential,
        enabled: key.enabled ? 1 : 0,
        disabled_reason: key.disabledReason,
        last_four: key.lastFour,
        created_at: key.createdAt,
        enabled_times: key.enabledTimes,
      })
      .execute();
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    throw invalidRequest('name', `There is already a key called ${key.name}.`);
  }
}

/** Writes only what is named, so that two changes at once do not undo each other. */
export async function updateUpstreamKey(
  trx: Trx,
  id: string,
  patch: Partial<Pick<UpstreamKey, 'sealedCredential' | 'lastFour' | 'enabled' | 'disabledReason'>>,
): Promise<void> {
  const { sealedCredential, lastFour, enabled, disabledReason } = patch;
  await trx.kysely
    .updateTable('upstream_keys')
    .set((eb) => ({
      ...(enabled === true && { enabled_times: eb('enabled_times', '+', 1) }),
      ...(sealedCredential !== undefined && { credential: sealedCredential }),
      ...(lastFour !== undefined && { last_four: lastFour }),
      ...(enabled !== undefined && { enabled: enabled ? 1 : 0 }),
      ...(disabledReason !== undefined && { disabled_reason: disabledReason }),
    }))
    .where('id', '=', id)
    .execute();
}

export async function deleteUpstreamKey(trx: Trx, id: string): Promise<void> {
  await trx.kysely.deleteFrom('upstream_keys').where('id', '=', id).execute();
}
