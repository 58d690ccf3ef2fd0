import type { Amount } from '../../shared/money.ts';
import { isDuplicate } from '../db/database-error.ts';
import type { Db, Trx } from '../db/db.ts';
import { invalidRequest, ServiceError } from '../lib/service-error.ts';
import { type Model, modelFromRow, type Price, priceFromRow } from './model.ts';

/** In the order of their positions. An installation has few. */
export async function listModels(db: Db): Promise<readonly Model[]> {
  const rows = await db.kysely
    .selectFrom('models')
    .selectAll()
    .orderBy('position')
    .orderBy('id')
    .execute();
  return rows.map(modelFromRow);
}

export async function findModel(db: Db, id: string): Promise<Model | null> {
  const row = await db.kysely
    .selectFrom('models')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  return row ? modelFromRow(row) : null;
}

export async function requireModel(db: Db, id: string): Promise<Model> {
  const model = await findModel(db, id);
  if (model) return model;
  throw new ServiceError('not_found', `There is no model ${id}.`);
}

/** As `requireModel`, of a model that stays as it is until the transaction ends. */
export async function lockModel(trx: Trx, id: string): Promise<Model> {
  await trx.kysely
    .updateTable('models')
    .set((eb) => ({ enabled: eb.ref('enabled') }))
    .where('id', '=', id)
    .execute();
  return requireModel(trx, id);
}

/** Adds a model behind all others, disabled and without a price. */
export async function insertModel(
  trx: Trx,
  model: Pick<Model, 'id' | 'description' | 'extendedQualities' | 'createdAt'>,
): Promise<void> {
  const { last } = await trx.kysely
    .selectFrom('models')
    .select((eb) => eb.fn.max('position').as('last'))
    .executeTakeFirstOrThrow();
  try {
    await trx.kysely
      .insertInto('models')
      .values({
        id: model.id,
        description: model.description,
        extended_qualities: model.extendedQualities ? 1 : 0,
        price: null,
        enabled: 0,
        // The aggregate's type hides that it is null without rows.
        position: ((last as number | null) ?? -1) + 1,
        created_at: model.createdAt,
      })
      .execute();
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    throw invalidRequest('id', `There is already a model ${model.id}.`);
  }
}

/** Sets the price that counts from now on, of a locked model, and keeps it in the model's history. */
export async function setModelPrice(
  trx: Trx,
  {
    modelId,
    amount,
    actor,
    nowMs,
  }: { modelId: string; amount: Amount; actor: string; nowMs: number },
): Promise<void> {
  await trx.kysely.updateTable('models').set({ price: amount }).where('id', '=', modelId).execute();
  const [latest] = await listPrices(trx, modelId, 1);
  await trx.kysely
    .insertInto('prices')
    .values({
      model_id: modelId,
      seq: (latest?.seq ?? 0) + 1,
      amount,
      actor,
      created_at: nowMs,
    })
    .execute();
}

export async function setModelEnabled(trx: Trx, id: string, enabled: boolean): Promise<void> {
  await trx.kysely
    .updateTable('models')
    .set({ enabled: enabled ? 1 : 0 })
    .where('id', '=', id)
    .execute();
}

export async function updateModel(
  trx: Trx,
  id: string,
  { description, extendedQualities }: Pick<Model, 'description' | 'extendedQualities'>,
): Promise<void> {
  await trx.kysely
    .updateTable('models')
    .set({ description, extended_qualities: extendedQualities ? 1 : 0 })
    .where('id', '=', id)
    .execute();
}

export async function setModelPosition(trx: Trx, id: string, position: number): Promise<void> {
  await trx.kysely.updateTable('models').set({ position }).where('id', '=', id).execute();
}

/** Newest first. */
export async function listPrices(
  db: Db,
  modelId: string,
  limit: number,
): Promise<readonly Price[]> {
  const rows = await db.kysely
    .selectFrom('prices')
    .selectAll()
    .where('model_id', '=', modelId)
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute();
  return rows.map(priceFromRow);
}
