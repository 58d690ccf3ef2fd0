import { imageLimits } from '../../shared/limits.ts';
import { type Amount, amountFromMicros, amountMax, formatAmount } from '../../shared/money.ts';
import type { ModelRow, PriceRow } from '../db/catalog-schema.ts';
import { invalidRequest } from '../lib/service-error.ts';

/** A public model ID that callers send, with its price per picture. */
export interface Model {
  id: string;
  description: string;
  /** Whether the qualities `xhigh` and `max` are accepted. */
  extendedQualities: boolean;
  /** Null until an administrator sets it. */
  price: Amount | null;
  enabled: boolean;
  /** Orders the lists of models. */
  position: number;
  createdAt: number;
}

/** A price that a model has or had. */
export interface Price {
  modelId: string;
  /** 1, 2, 3 … within the model. */
  seq: number;
  amount: Amount;
  actor: string;
  createdAt: number;
}

const descriptionCharactersMax = 500;
/** All pictures that one request may ask for cost an amount together. */
const priceMax = amountFromMicros(Math.floor(amountMax / imageLimits.picturesMax));

export function parseModelId(text: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._:-]{0,99}$/.test(text)) return text;
  throw invalidRequest(
    'id',
    'A model ID has up to 100 letters, digits, dots, colons, dashes and underscores. It begins with a letter or digit.',
  );
}

export function parseModelDescription(text: string): string {
  const description = text.trim();
  if (description.length <= descriptionCharactersMax) return description;
  throw invalidRequest(
    'description',
    `A description must have at most ${descriptionCharactersMax} characters.`,
  );
}

/** A price charges something: a model that costs nothing would make holds of nothing. */
export function checkPrice(amount: Amount): void {
  if (amount <= 0) throw invalidRequest('price', 'A price must be greater than zero.');
  if (amount > priceMax) {
    throw invalidRequest('price', `A price must be at most ${formatAmount(priceMax)}.`);
  }
}

/** What keeps callers from using a model; null when nothing does. */
export function whyUnavailable(
  { price, enabled }: Pick<Model, 'price' | 'enabled'>,
  isServed: boolean,
): 'no price' | 'disabled' | 'no upstream' | null {
  if (price === null) return 'no price';
  if (!enabled) return 'disabled';
  return isServed ? null : 'no upstream';
}

export function modelFromRow(row: ModelRow): Model {
  return {
    id: row.id,
    description: row.description,
    extendedQualities: row.extended_qualities === 1,
    price: row.price === null ? null : amountFromMicros(row.price),
    enabled: row.enabled === 1,
    position: row.position,
    createdAt: row.created_at,
  };
}

export function priceFromRow(row: PriceRow): Price {
  return {
    modelId: row.model_id,
    seq: row.seq,
    amount: amountFromMicros(row.amount),
    actor: row.actor,
    createdAt: row.created_at,
  };
}
