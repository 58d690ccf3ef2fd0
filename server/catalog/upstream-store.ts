import { isDuplicate } from '../db/database-error.ts';
import type { Db, Trx } from '../db/db.ts';
import { invalidRequest, ServiceError } from '../lib/service-error.ts';
import { type Upstream, upstreamFromRow } from './upstream.ts';

export async function insertUpstream(trx: Trx, upstream: Upstream): Promise<void> {
  await refusingTakenName(
    upstream.name,
    trx.kysely
      .insertInto('upstreams')
      .values({
        id: upstream.id,
        name: upstream.name,
        kind: upstream.kind,
        base_url: upstream.baseUrl,
        settings: JSON.stringify(upstream.settings),
        limits: JSON.stringify(upstream.limits),
        proxy: upstream.sealedProxy,
        enabled: upstream.enabled ? 1 : 0,
        disabled_reason: upstream.disabledReason,
        priority: upstream.priority,
        weight: upstream.weight,
        created_at: upstream.createdAt,
        begun_times: upstream.begunTimes,
      })
      .execute(),
  );
}

/** Writes only what is named, so that two changes at once do not undo each other. */
export async function updateUpstream(
  trx: Trx,
  id: string,
  patch: Partial<Omit<Upstream, 'id' | 'kind' | 'createdAt' | 'begunTimes'>>,
): Promise<void> {
  const { name, baseUrl, settings, limits, sealedProxy, priority, weight } = patch;
  const { enabled, disabledReason } = patch;
  const configured = [name, baseUrl, settings, limits, sealedProxy];
  const isAnew = enabled === true || configured.some((value) => value !== undefined);
  await refusingTakenName(
    name ?? '',
    trx.kysely
      .updateTable('upstreams')
      .set((eb) => ({
        ...(isAnew && { begun_times: eb('begun_times', '+', 1) }),
        ...(name !== undefined && { name }),
        ...(baseUrl !== undefined && { base_url: baseUrl }),
        ...(settings !== undefined && { settings: JSON.stringify(settings) }),
        ...(limits !== undefined && { limits: JSON.stringify(limits) }),
        ...(sealedProxy !== undefined && { proxy: sealedProxy }),
        ...(enabled !== undefined && { enabled: enabled ? 1 : 0 }),
        ...(disabledReason !== undefined && { disabled_reason: disabledReason }),
        ...(priority !== undefined && { priority }),
        ...(weight !== undefined && { weight }),
      }))
      .where('id', '=', id)
      .execute(),
  );
}

/**
 * Lets changes of one upstream's keys, or of all upstreams', follow each other: what decides about
 * the last key, or about their number, must read behind this.
 */
export async function lockUpstreams(trx: Trx, id: string | null): Promise<void> {
  let update = trx.kysely.updateTable('upstreams').set((eb) => ({ enabled: eb.ref('enabled') }));
  if (id !== null) update = update.where('id', '=', id);
  await update.execute();
}

/** Deletes the upstream with its keys, model list, checks and selections; usage records keep its name. */
export async function deleteUpstream(trx: Trx, id: string): Promise<void> {
  await trx.kysely.deleteFrom('selections').where('upstream_id', '=', id).execute();
  await trx.kysely.deleteFrom('upstream_keys').where('upstream_id', '=', id).execute();
  await trx.kysely.deleteFrom('upstream_checks').where('upstream_id', '=', id).execute();
  await trx.kysely.deleteFrom('upstream_models').where('upstream_id', '=', id).execute();
  await trx.kysely.deleteFrom('upstreams').where('id', '=', id).execute();
}

export async function findUpstream(db: Db, idOrName: string): Promise<Upstream | null> {
  const row = await db.kysely
    .selectFrom('upstreams')
    .selectAll()
    .where(idOrName.startsWith('up_') ? 'id' : 'name', '=', idOrName)
    .executeTakeFirst();
  return row ? upstreamFromRow(row) : null;
}

/** As `findUpstream`, for what an administrator names. */
export async function requireUpstream(db: Db, idOrName: string): Promise<Upstream> {
  const upstream = await findUpstream(db, idOrName);
  if (upstream) return upstream;
  throw new ServiceError('not_found', `There is no upstream ${idOrName}.`);
}

/** In the order in which they are tried. An installation has few. */
export async function listUpstreams(db: Db): Promise<readonly Upstream[]> {
  const rows = await db.kysely
    .selectFrom('upstreams')
    .selectAll()
    .orderBy('priority')
    .orderBy('weight', 'desc')
    .orderBy('id')
    .execute();
  return rows.map(upstreamFromRow);
}

async function refusingTakenName(name: string, write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    throw invalidRequest('name', `There is already an upstream called ${name}.`);
  }
}
