import type { Amount } from '../../../shared/money.ts';
import { checkPrice } from '../../catalog/model.ts';
import type { Trx } from '../../db/db.ts';
import { invalidRequest } from '../../lib/service-error.ts';
import { type Admin, adminChanges, type Change, type ChangeEntry } from '../admin-change.ts';
import { changeEnabledOfModel } from './enable-model.ts';
import { changePrice } from './set-price.ts';

/** What may be done to several models at once. */
export type ModelsAction =
  | { kind: 'enable' }
  | { kind: 'disable' }
  | {
      kind: 'set_price';
      price: Amount;
      /** By model: what the administrator was shown as its price until now. */
      confirmedFrom?: ReadonlyMap<string, Amount | null>;
    };

export const modelsAtOnceMax = 1_000;

/** Changes several models, all or none; answers how many were not as wanted already. */
export async function changeModels(
  admin: Admin,
  { modelIds, action }: { modelIds: readonly string[]; action: ModelsAction },
): Promise<number> {
  const models = [...new Set(modelIds)];
  if (models.length === 0 || models.length > modelsAtOnceMax) {
    throw invalidRequest('models', `Name 1 to ${modelsAtOnceMax} models.`);
  }
  if (action.kind === 'set_price') checkPrice(action.price);
  return adminChanges(admin, async (trx, nowMs) => {
    const entries: ChangeEntry[] = [];
    for (const modelId of models) {
      const { entry } = await changeOne(trx, { modelId, action }, { ...admin, nowMs });
      if (entry) entries.push(entry);
    }
    return { result: entries.length, entries };
  });
}

function changeOne(
  trx: Trx,
  { modelId, action }: { modelId: string; action: ModelsAction },
  by: { actor: string; nowMs: number },
): Promise<Change<unknown>> {
  switch (action.kind) {
    case 'enable':
    case 'disable':
      return changeEnabledOfModel(trx, { modelId, enabled: action.kind === 'enable' });
    case 'set_price':
      return changePrice(
        trx,
        { modelId, price: action.price, confirmedFrom: action.confirmedFrom?.get(modelId) },
        by,
      );
  }
}
