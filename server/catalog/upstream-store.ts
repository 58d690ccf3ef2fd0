import { isDuplicate } from '../db/database-error.ts';
import type { Db, Trx } from '../db/db.ts';
import { invalidRequest, ServiceError } from '../lib/service-error.ts';
import { type Upstream, upstreamFromRow } from './upstream.ts';

export async function insertUpstream(trx: Trx, upstream: Upstream): Promise<void> {
  await refusingTakenName(
    upstream.name,
    trx.kysely
      .insertInto('upstreams')
      .values({ id: upstream.id, created_at: upstream.createdAt, ...toColumns(upstream) })
      .execute(),
  );
}

/** Writes everything but its identity and age. */
export async function updateUpstream(trx: Trx, upstream: Upstream): Promise<void> {
  await refusingTakenName(
    upstream.name,
    trx.kysely
      .updateTable('upstreams')
      .set(toColumns(upstream))
      .where('id', '=', upstream.id)
      .execute(),
  );
}

/** Deletes the upstream with its model list and selections; usage records keep its name. */
export async function deleteUpstream(trx: Trx, id: string): Promise<void> {
  await trx.kysely.deleteFrom('selections').where('upstream_id', '=', id).execute();
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

function toColumns(upstream: Upstream) {
  return {
    name: upstream.name,
    kind: upstream.kind,
    base_url: upstream.baseUrl,
    credential: upstream.sealedCredential,
    settings: JSON.stringify(upstream.settings),
    enabled: upstream.enabled ? (1 as const) : (0 as const),
    priority: upstream.priority,
    weight: upstream.weight,
  };
}

async function refusingTakenName(name: string, write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    throw invalidRequest('name', `There is already an upstream called ${name}.`);
  }
}
