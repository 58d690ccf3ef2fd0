/** Row types of payments and codes to redeem; as `schema.ts` says. */

export interface PaymentRow {
  id: string;
  user_id: string;
  /** `stripe`, or the name that a signed report gives. */
  provider: string;
  /** As the provider knows the payment; unique for each provider. Null until it is paid. */
  payment_id: string | null;
  /** As the provider knows the page where it is paid; null where there is none. */
  checkout_id: string | null;
  /** What the wallet gets. */
  amount: number;
  currency: string;
  state: PaymentState;
  /** The top-up it became. */
  transaction_id: string | null;
  created_at: number;
  /** Until when it can be paid; null where nobody waits for it. */
  expires_at: number | null;
  ended_at: number | null;
  /** What an administrator has to look at, in our own words. */
  problem: string | null;
  /** When an administrator had seen to it. */
  settled_at: number | null;
}

/** `refused`: what was paid is not what was asked for, so nothing was credited. */
export type PaymentState = 'open' | 'paid' | 'expired' | 'failed' | 'refused';

/** What a provider took back of a payment. */
export interface PaymentReversalRow {
  payment_id: string;
  kind: ReversalKind;
  /** As the provider knows the refund's charge, or the dispute. */
  reference: string;
  /** What it has taken back up to now. */
  amount: number;
  /** What of that was taken from the wallet. */
  deducted: number;
  created_at: number;
  /** When a dispute was decided: no later report changes it. */
  ended_at: number | null;
}

export type ReversalKind = 'refund' | 'dispute';

/** Money for whoever has the code. */
export interface CodeRow {
  id: string;
  /** Those that were made together. */
  batch_id: string;
  /** SHA-256, hex. */
  hash: string;
  last_four: string;
  amount: number;
  note: string | null;
  created_by: string;
  created_at: number;
  expires_at: number | null;
  redeemed_by: string | null;
  redeemed_at: number | null;
  transaction_id: string | null;
  withdrawn_at: number | null;
}
