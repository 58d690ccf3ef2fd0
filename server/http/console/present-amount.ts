import type { z } from 'zod';
import type { amountSchema } from '../../../shared/console/session.ts';
import { type Amount, formatAmount } from '../../../shared/money.ts';

/** An amount as the console's API gives it. */
export function presentAmount(amount: Amount): z.input<typeof amountSchema> {
  return { micros: amount, text: formatAmount(amount) };
}
