import { type Amount, formatAmount, percentChange } from '../../../shared/money.ts';
import { checkPrice, type Model } from '../../catalog/model.ts';
import { lockModel, requireModel, setModelPrice } from '../../catalog/model-store.ts';
import type { Db, Trx } from '../../db/db.ts';
import { invalidRequest } from '../../lib/service-error.ts';
import { type Admin, adminChange, type Change } from '../admin-change.ts';

/** A price as it is to become, beside the one that counts now. */
export interface PriceChange {
  modelId: string;
  from: Amount | null;
  to: Amount;
  /** To a tenth; null for the first price. */
  percent: number | null;
}

export interface WantedPrice {
  modelId: string;
  price: Amount;
  /** What the administrator was shown as the price until now; undefined when nothing was shown. */
  confirmedFrom?: Amount | null | undefined;
}

/** Sets what a picture of a model costs from now on. Requests already running keep their price. */
export async function setPrice(admin: Admin, wanted: WantedPrice): Promise<Model> {
  checkPrice(wanted.price);
  return adminChange(admin, (trx, nowMs) => changePrice(trx, wanted, { ...admin, nowMs }));
}

/** The change alone, for flows that do more in the same transaction. */
export async function changePrice(
  trx: Trx,
  { modelId, price, confirmedFrom }: WantedPrice,
  { actor, nowMs }: { actor: string; nowMs: number },
): Promise<Change<Model>> {
  const before = await lockModel(trx, modelId);
  if (confirmedFrom !== undefined && before.price !== confirmedFrom) {
    throw invalidRequest(
      'confirmed_from',
      `The price of ${modelId} was changed meanwhile: it is ${shown(before.price)} now.`,
    );
  }
  if (before.price === price) return { result: before, entry: null };
  await setModelPrice(trx, { modelId, amount: price, actor, nowMs });
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
}

/** What a new price would change, to be agreed to. */
export async function previewPrice(
  db: Db,
  { modelId, price }: Pick<WantedPrice, 'modelId' | 'price'>,
): Promise<PriceChange> {
  checkPrice(price);
  const { price: from } = await requireModel(db, modelId);
  return { modelId, from, to: price, percent: from === null ? null : percentChange(from, price) };
}

function shown(price: Amount | null): string {
  return price === null ? 'not set' : formatAmount(price);
}
