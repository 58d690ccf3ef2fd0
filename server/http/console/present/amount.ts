import type { z } from 'zod';
import type { amountSchema } from '../../../../shared/console/session.ts';
import { type Amount, formatAmount } from '../../../../shared/money.ts';

/** An amount as the console's API gives it. */
export function presentAmount(amount: Amount): z.input<typeof amountSchema> {
  return { micros: amount, text: formatAmount(amount) };
}

/** The same of a sum; null for more than an amount can be. */
export function presentVastSum(sum: Amount | null): z.input<typeof amountSchema> | null {
  return sum === null ? null : presentAmount(sum);
}
