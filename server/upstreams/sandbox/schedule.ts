import type { Random } from './seeded-random.ts';

/** When the events of an attempt are due, in milliseconds from its start. */
export interface Schedule {
  firstMs: number;
  partialsMs: readonly number[];
  finalMs: number;
}

/** Spreads the partial images evenly between the first event and the final picture. */
export function scheduleOf(
  wish: { delayMs: number; firstMs: number; jitterShare: number; partialImages: number },
  random: Random,
): Schedule {
  const pace = 1 + wish.jitterShare * random.between(-1, 1);
  const firstMs = wish.firstMs * pace;
  const finalMs = Math.max(wish.delayMs * pace, firstMs);
  const stepMs = (finalMs - firstMs) / (wish.partialImages + 1);
  const partialsMs = Array.from(
    { length: wish.partialImages },
    (_, i) => firstMs + stepMs * (i + 1),
  );
  return { firstMs, partialsMs, finalMs };
}
