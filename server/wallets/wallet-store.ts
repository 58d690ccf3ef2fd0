import { type Amount, addAmounts, amountFromMicros, amountMax } from '../../shared/money.ts';
import { defineChain } from '../db/chain.ts';
import type { Db, Trx } from '../db/db.ts';
import { ServiceError } from '../lib/service-error.ts';
import type { MoneyChange, WalletTransaction } from './transaction.ts';
import { tooLittleLeft, type Wallet, walletFromRow } from './wallet.ts';

/** Gives a new user an empty wallet. */
export async function openWallet(trx: Trx, userId: string): Promise<void> {
  await trx.kysely
    .insertInto('wallets')
    .values({ user_id: userId, balance: 0, held: 0, in_flight: 0, transaction_count: 0 })
    .execute();
}

export async function readWallet(db: Db, userId: string): Promise<Wallet | null> {
  const row = await db.kysely
    .selectFrom('wallets')
    .selectAll()
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row ? walletFromRow(row) : null;
}

/** The wallet as it stays until the transaction ends: what depends on its balance reads behind this. */
export async function lockWallet(trx: Trx, userId: string): Promise<Wallet> {
  const row = await trx.kysely
    .updateTable('wallets')
    .set((eb) => ({ balance: eb.ref('balance') }))
    .where('user_id', '=', userId)
    .returningAll()
    .executeTakeFirst();
  if (!row) throw new ServiceError('not_found', 'This user has no wallet.');
  return walletFromRow(row);
}

/** A movement that a person orders: everything but charges and the sweep's own refunds. */
export type OrderedTransaction = Pick<
  WalletTransaction,
  'id' | 'userId' | 'kind' | 'amount' | 'traceId' | 'actor' | 'reason'
> & {
  now: number;
  /** By which whoever orders it knows it; a second order with the same one is refused as a duplicate. */
  reference?: string;
  /** What was ordered under it. */
  ordered?: MoneyChange;
};

/**
 * Changes the balance and writes the transaction that says so. What would leave less in the wallet
 * than is held for running requests, or more than an amount can be, is refused.
 */
export async function postTransaction(trx: Trx, order: OrderedTransaction): Promise<Amount> {
  const wallet = await trx.runChain(postChain, {
    id: order.id,
    userId: order.userId,
    kind: order.kind,
    amount: order.amount,
    traceId: order.traceId,
    actor: order.actor,
    reason: order.reason,
    reference: order.reference ?? null,
    ordered: order.ordered ?? null,
    now: order.now,
    balanceMax: order.amount > 0 ? amountMax - order.amount : amountMax,
  });
  if (!wallet) throw await refusalOf(trx, order);
  return amountFromMicros(wallet.balance);
}

type PostParams = {
  id: string;
  userId: string;
  kind: string;
  amount: number;
  traceId: string | null;
  actor: string;
  reason: string | null;
  reference: string | null;
  ordered: string | null;
  now: number;
  /** The most the balance may be before, so that it still is an amount after. */
  balanceMax: number;
};

const postChain = defineChain<PostParams, { balance: number }>('post_transaction', 'wallet', {
  wallet: ({ kysely, param }) =>
    kysely
      .updateTable('wallets')
      .set((eb) => ({
        balance: eb('balance', '+', param('amount')),
        transaction_count: eb('transaction_count', '+', 1),
      }))
      .where('user_id', '=', param('userId'))
      .where((eb) => eb(eb('balance', '+', param('amount')), '>=', eb.ref('held')))
      .where('balance', '<=', param('balanceMax'))
      .returning(['user_id', 'balance', 'transaction_count']),
  entry: ({ insertWhen, column, param }) =>
    insertWhen('wallet', 'wallet_transactions', {
      id: param('id'),
      user_id: column('wallet', 'user_id'),
      seq: column('wallet', 'transaction_count'),
      // The caller's kind is one of the closed list; a check constraint guards it too.
      kind: param('kind') as WalletTransaction['kind'],
      amount: param('amount'),
      balance_after: column('wallet', 'balance'),
      trace_id: param('traceId'),
      actor: param('actor'),
      reason: param('reason'),
      reference: param('reference'),
      // Likewise.
      ordered: param('ordered') as MoneyChange | null,
      created_at: param('now'),
    }),
});

async function refusalOf(trx: Trx, order: OrderedTransaction): Promise<ServiceError> {
  const wallet = await readWallet(trx, order.userId);
  if (!wallet) return new ServiceError('not_found', 'This user has no wallet.');
  if (!Number.isSafeInteger(wallet.balance + order.amount)) {
    return new ServiceError('invalid_request_error', 'The balance would be too large.');
  }
  const after = addAmounts(wallet.balance, order.amount);
  return new ServiceError('invalid_request_error', tooLittleLeft(after, wallet));
}
