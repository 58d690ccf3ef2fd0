import { type Amount, addAmounts, negateAmount } from '../../shared/money.ts';

/** The one money account of a user. */
export interface Wallet {
  userId: string;
  balance: Amount;
  /** Σ open holds. */
  held: Amount;
  /** Number of open holds: slots in use. */
  inFlight: number;
}

/** What a new hold may use. Never negative. */
export function availableOf(wallet: Pick<Wallet, 'balance' | 'held'>): Amount {
  return addAmounts(wallet.balance, negateAmount(wallet.held));
}
