import type { Amount } from '../../shared/money.ts';
import type { ReversalKind } from '../db/payment-schema.ts';

/** What a provider reports of a payment, in our words. */
export type ProviderEvent =
  | PaidEvent
  /** Somebody ordered a payment that takes days, such as a bank debit. */
  | { kind: 'pending'; id: string }
  | { kind: 'ended'; id: string; state: 'expired' | 'failed' }
  | ReversedEvent
  | RefundFailedEvent
  /** Not about what we have to do with. */
  | { kind: 'ignored' };

export interface PaidEvent {
  kind: 'paid';
  /** Of our payment, which the provider was told when it was asked. */
  id: string;
  paymentId: string;
  /** Null for what is no amount. */
  amount: Amount | null;
  currency: string;
}

/** The provider took money back, or gave it to us again. */
export interface ReversedEvent {
  kind: 'reversed';
  paymentId: string;
  /** Of our payment, where the provider says it; else it may belong to another use of the same account. */
  id: string | null;
  reversal: Reversal;
}

/** A refund that did not reach the payer: the provider has the money again. */
export interface RefundFailedEvent {
  kind: 'refund_failed';
  paymentId: string;
  /** As that of the refund's own `Reversal`. */
  reference: string;
  currency: string;
}

export interface Reversal {
  kind: ReversalKind;
  /** As the provider knows it: a later report of the same changes this one. */
  reference: string;
  /** All that it has taken back by now; null for what is no amount. */
  amount: Amount | null;
  currency: string;
  /** A dispute that was decided: no report before this one counts any more. */
  isFinal: boolean;
  /** The amount is all that is taken back now, though it was more before; else an older report may come late. */
  isCurrent: boolean;
}
