/** What the page of payments keeps in its address. */
import { oneOf, text } from '../../../lib/search-state.ts';

export const paymentStates = ['open', 'paid', 'expired', 'failed', 'refused'] as const;

export const paymentsSearch = {
  state: oneOf(paymentStates),
  problem: oneOf(['open']),
  cursor: text,
};
