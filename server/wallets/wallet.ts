import { type Amount, amountFromMicros, subtractAmounts } from '../../shared/money.ts';
import type { WalletRow } from '../db/schema.ts';

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
  return subtractAmounts(wallet.balance, wallet.held);
}

export function walletFromRow(row: WalletRow): Wallet {
  return {
    userId: row.user_id,
    balance: amountFromMicros(row.balance),
    held: amountFromMicros(row.held),
    inFlight: row.in_flight,
  };
}
