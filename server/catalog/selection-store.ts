import type { Db, Trx } from '../db/db.ts';
import {
  type Selection,
  selectionFromRow,
  type UpstreamModel,
  upstreamModelFromRow,
} from './upstream.ts';

/** One upstream's model list, or all upstreams'. */
export async function listUpstreamModels(
  db: Db,
  { upstreamId }: { upstreamId: string | null },
): Promise<readonly UpstreamModel[]> {
  let query = db.kysely.selectFrom('upstream_models').selectAll();
  if (upstreamId !== null) query = query.where('upstream_id', '=', upstreamId);
  const rows = await query.orderBy('upstream_id').orderBy('upstream_model').execute();
  return rows.map(upstreamModelFromRow);
}

/** Of all lists, the entries that are selected, once for each model: lists have thousands, and few of them serve. */
export async function listSelectedUpstreamModels(db: Db): Promise<readonly UpstreamModel[]> {
  const rows = await db.kysely
    .selectFrom('selections')
    .innerJoin('upstream_models', (join) =>
      join
        .onRef('upstream_models.upstream_id', '=', 'selections.upstream_id')
        .onRef('upstream_models.upstream_model', '=', 'selections.upstream_model'),
    )
    .selectAll('upstream_models')
    .execute();
  return rows.map(upstreamModelFromRow);
}

/** The upstreams whose list was fetched, by ID. */
export async function listFetchedUpstreams(db: Db): Promise<ReadonlySet<string>> {
  const rows = await db.kysely
    .selectFrom('upstreams')
    .select('upstreams.id')
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('upstream_models')
          .select('upstream_models.upstream_id')
          .whereRef('upstream_models.upstream_id', '=', 'upstreams.id'),
      ),
    )
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Notes an entry of a freshly fetched list: new, known, or back again. */
export async function markListed(
  trx: Trx,
  model: Pick<UpstreamModel, 'upstreamId' | 'upstreamModel' | 'description' | 'listedAt'>,
): Promise<void> {
  await trx.kysely
    .insertInto('upstream_models')
    .values({
      upstream_id: model.upstreamId,
      upstream_model: model.upstreamModel,
      description: model.description,
      listed_at: model.listedAt,
      gone_at: null,
    })
    .onConflict((conflict) =>
      conflict.columns(['upstream_id', 'upstream_model']).doUpdateSet({
        description: model.description,
        listed_at: model.listedAt,
        gone_at: null,
      }),
    )
    .execute();
}

/** Notes that a freshly fetched list no longer names an entry. Its selections stay, and rest. */
export async function markGone(
  trx: Trx,
  model: Pick<UpstreamModel, 'upstreamId' | 'upstreamModel'> & { nowMs: number },
): Promise<void> {
  await trx.kysely
    .updateTable('upstream_models')
    .set({ gone_at: model.nowMs })
    .where('upstream_id', '=', model.upstreamId)
    .where('upstream_model', '=', model.upstreamModel)
    .execute();
}

export async function listSelections(db: Db): Promise<readonly Selection[]> {
  const rows = await db.kysely
    .selectFrom('selections')
    .selectAll()
    .orderBy('model_id')
    .orderBy('upstream_id')
    .orderBy('upstream_model')
    .execute();
  return rows.map(selectionFromRow);
}

/** What names a selection. */
export type SelectionKey = Pick<Selection, 'modelId' | 'upstreamId' | 'upstreamModel'>;

export async function findSelection(db: Db, key: SelectionKey): Promise<Selection | null> {
  const row = await db.kysely
    .selectFrom('selections')
    .selectAll()
    .where('model_id', '=', key.modelId)
    .where('upstream_id', '=', key.upstreamId)
    .where('upstream_model', '=', key.upstreamModel)
    .executeTakeFirst();
  return row ? selectionFromRow(row) : null;
}

/** Answers whether it was not selected before; one that was keeps its options. */
export async function insertSelection(
  trx: Trx,
  selection: Selection,
  nowMs: number,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx.kysely
    .insertInto('selections')
    .values({
      model_id: selection.modelId,
      upstream_id: selection.upstreamId,
      upstream_model: selection.upstreamModel,
      options: JSON.stringify(selection.options),
      created_at: nowMs,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export async function updateSelectionOptions(trx: Trx, selection: Selection): Promise<void> {
  await trx.kysely
    .updateTable('selections')
    .set({ options: JSON.stringify(selection.options) })
    .where('model_id', '=', selection.modelId)
    .where('upstream_id', '=', selection.upstreamId)
    .where('upstream_model', '=', selection.upstreamModel)
    .execute();
}

/** Answers whether it was selected before. */
export async function deleteSelection(trx: Trx, key: SelectionKey): Promise<boolean> {
  const { numDeletedRows } = await trx.kysely
    .deleteFrom('selections')
    .where('model_id', '=', key.modelId)
    .where('upstream_id', '=', key.upstreamId)
    .where('upstream_model', '=', key.upstreamModel)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
