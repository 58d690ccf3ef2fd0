import { type Amount, formatAmount } from '../../shared/money.ts';
import { checkPrice, type Model } from '../catalog/model.ts';
import { requireModel, setModelPrice } from '../catalog/model-store.ts';
import { type Admin, adminChange } from './admin-change.ts';

/** Sets what a picture of a model costs from now on. Requests already running keep their price. */
export async function setPrice(
  admin: Admin,
  { modelId, price }: { modelId: string; price: Amount },
): Promise<Model> {
  checkPrice(price);
  return adminChange(admin, async (trx, nowMs) => {
    const before = await requireModel(trx, modelId);
    if (before.price === price) return { result: before, entry: null };
    await setModelPrice(trx, { modelId, amount: price, actor: admin.actor, nowMs });
    const from = before.price === null ? null : formatAmount(before.price);
    return {
      result: { ...before, price },
      entry: {
        action: 'model.set_price',
        subject: modelId,
        detail: { price: { from, to: formatAmount(price) } },
        topic: 'catalog',
      },
    };
  });
}
