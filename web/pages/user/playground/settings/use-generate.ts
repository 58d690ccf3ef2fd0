/** The Generate button: whether it can be used, what it costs, and what it does. */
import { useRef } from 'react';
import { imageLimits } from '../../../../../shared/limits.ts';
import { amountFromMicros, multiplyAmount } from '../../../../../shared/money.ts';
import { useUser } from '../../../../api/bootstrap.ts';
import { useFormats, type WireAmount } from '../../../../i18n/formats.tsx';
import { playgroundText } from '../../../../i18n/playground-text.ts';
import { useText } from '../../../../i18n/text.ts';
import type { ImageOrder } from '../../../../jobs/image-order.ts';
import { useIsOnline } from '../../../../lib/connection.ts';
import { randomId } from '../../../../lib/random-id.ts';
import type { MaskDocument } from '../../../../mask/mask-document.ts';
import { orderOf } from '../draft/orders.ts';
import { useChangeDraft } from '../draft/use-change-draft.ts';
import { usePlayground } from '../playground-context.tsx';
import { useIntake } from '../references/reference-intake.tsx';
import { usePrices } from '../use-prices.ts';

export interface Generate {
  cost: Cost | null;
  /** Why it cannot be used now. */
  blocked: string | null;
  run: () => void;
}

export interface Cost {
  unit: WireAmount;
  count: number;
  total: WireAmount;
  before: WireAmount;
  after: WireAmount;
}

/** A second activation so soon, of the same prompt, is a double click. */
const againAfterMs = 600;

export function useGenerate(): Generate {
  const { draft, model, fitted } = usePlayground();
  const start = useStartOrder();
  const last = useRef({ at: Number.NEGATIVE_INFINITY, prompt: '' });
  const count = fitted.values.variations;
  const cost = useCost(model?.price ?? null, count);
  const blocked = useBlocked(cost);
  const run = () => {
    const { prompt, references } = draft;
    const now = performance.now();
    const isDoubleClick = now - last.current.at < againAfterMs && prompt === last.current.prompt;
    if (blocked !== null || !model?.price || isDoubleClick) return;
    last.current = { at: now, prompt };
    const sent = model.capabilities?.mask === false ? references.map(withoutMask) : references;
    const order = orderOf({ model: model.id, prompt, values: fitted.values, references: sent });
    start(order, { count, price: model.price, mask: sent[0]?.mask ?? null });
    // Where the stage is above the settings, it is brought into sight.
    window.scrollTo({ top: 0 });
  };
  return { cost, blocked, run };
}

/** Sends a request as often as it is to be charged, each with a key of its own, and shows it. */
export function useStartOrder() {
  const { runner } = usePlayground();
  const { change } = useChangeDraft();
  return (
    order: ImageOrder,
    { count, price, mask }: { count: number; price: WireAmount; mask: MaskDocument | null },
  ) => {
    runner.start(Array.from({ length: count }, () => ({ id: randomId(), order, mask, price })));
    change(() => ({ shown: { kind: 'latest' } }));
  };
}

export function useCost(price: WireAmount | null, count: number): Cost | null {
  const { wallet } = useUser();
  const { jobs } = usePlayground();
  if (!price) return null;
  // What is waiting or on its way has no hold yet that the service could have told of.
  const unheld = jobs
    .filter(({ state }) => state.kind === 'queued' || state.kind === 'sending')
    .reduce((sum, job) => sum + job.price.micros, 0);
  const before = { micros: wallet.available.micros - unheld };
  const total = { micros: multiplyAmount(amountFromMicros(price.micros), count) };
  const after = { micros: before.micros - total.micros };
  return { unit: price, count, total, before, after };
}

export function useShortOfMoney() {
  const t = useText(playgroundText).cost;
  const formats = useFormats();
  const price = usePrices();
  return ({ count, total, before, after }: Cost): string | null => {
    if (after.micros >= 0) return null;
    const balance = formats.spendable(before);
    return count === 1 ? t.short(price(total), balance) : t.shortMany(count, price(total), balance);
  };
}

function useBlocked(cost: Cost | null): string | null {
  const t = useText(playgroundText).reasons;
  const { draft, model } = usePlayground();
  const isOnline = useIsOnline();
  const { reading } = useIntake();
  const shortOfMoney = useShortOfMoney();
  if (!isOnline) return t.offline;
  if (!model?.capabilities || !cost) return t.model;
  if (reading > 0) return t.reading;
  const { operations, reference_images_max } = model.capabilities;
  const references = draft.references.length;
  if (references > 0 && !operations.includes('edit')) return t.referencesUnsupported;
  if (references === 0 && !operations.includes('generation')) return t.generationUnsupported;
  if (references > reference_images_max) return t.referencesTooMany;
  if (draft.prompt.trim() === '') return t.prompt;
  if (promptLength(draft.prompt) > imageLimits.promptCharactersMax) return t.promptLong;
  return shortOfMoney(cost);
}

/** In code points, as the service counts. */
export function promptLength(prompt: string): number {
  return prompt.length <= imageLimits.promptCharactersMax / 2
    ? prompt.length
    : Array.from(prompt).length;
}

function withoutMask<T extends { mask: MaskDocument | null }>(reference: T): T {
  return { ...reference, mask: null };
}
