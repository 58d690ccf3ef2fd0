import {
  type Amount,
  amountFromMicros,
  formatAmount,
  subtractAmounts,
  zero,
} from '../../shared/money.ts';
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

/** Why a wallet cannot be changed to a balance below what is held of it, or below zero. */
export function tooLittleLeft(after: Amount, wallet: Pick<Wallet, 'balance' | 'held'>): string {
  const wanted = formatAmount(after);
  const balance = formatAmount(wallet.balance);
  if (wallet.held === zero) {
    return `The balance would be ${wanted}, and it cannot fall below zero: there is ${balance}.`;
  }
  const held = formatAmount(wallet.held);
  const available = formatAmount(availableOf(wallet));
  return `The balance would be ${wanted}, less than the ${held} held for running requests (balance ${balance}, available ${available}).`;
}

export function walletFromRow(row: WalletRow): Wallet {
  return {
    userId: row.user_id,
    balance: amountFromMicros(row.balance),
    held: amountFromMicros(row.held),
    inFlight: row.in_flight,
  };
}
