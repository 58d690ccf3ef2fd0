import type { Model } from '../catalog/model.ts';
import { requireModel, setModelEnabled } from '../catalog/model-store.ts';
import { invalidRequest } from '../lib/service-error.ts';
import { type Admin, adminChange } from './admin-change.ts';

/** Offers a model to callers or withdraws it. What has no price cannot be offered. */
export function setEnabledOfModel(
  admin: Admin,
  { modelId, enabled }: { modelId: string; enabled: boolean },
): Promise<Model> {
  return adminChange(admin, async (trx) => {
    const before = await requireModel(trx, modelId);
    if (before.enabled === enabled) return { result: before, entry: null };
    if (enabled && before.price === null) {
      throw invalidRequest(
        'model',
        `${modelId} has no price. First set one: tintype models price ${modelId} <price>`,
      );
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
  });
}
