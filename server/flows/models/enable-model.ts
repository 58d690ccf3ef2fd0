import type { Model } from '../../catalog/model.ts';
import { lockModel, setModelEnabled } from '../../catalog/model-store.ts';
import type { Trx } from '../../db/db.ts';
import { invalidRequest } from '../../lib/service-error.ts';
import { type Admin, adminChange, type Change } from '../admin-change.ts';

export interface WantedEnabling {
  modelId: string;
  enabled: boolean;
}

/** Offers a model to callers or withdraws it. What has no price cannot be offered. */
export function setEnabledOfModel(admin: Admin, wanted: WantedEnabling): Promise<Model> {
  return adminChange(admin, (trx) => changeEnabledOfModel(trx, wanted));
}

/** The change alone, for flows that do more in the same transaction. */
export async function changeEnabledOfModel(
  trx: Trx,
  { modelId, enabled }: WantedEnabling,
): Promise<Change<Model>> {
  const before = await lockModel(trx, modelId);
  if (before.enabled === enabled) return { result: before, entry: null };
  if (enabled && before.price === null) {
    throw invalidRequest('model', `${modelId} has no price. First set one.`, {
      command: `tintype models price ${modelId} <price>`,
    });
  }
  await setModelEnabled(trx, modelId, enabled);
  return {
    result: { ...before, enabled },
    entry: {
      action: enabled ? 'model.enable' : 'model.disable',
      subject: modelId,
      detail: {},
      topic: 'catalog',
    },
  };
}
