/**
 * The steps by which an image request's money moves: reserve and open, then charge or free. Each
 * is part of a chain that a flow puts together; the first step of a chain decides. README.md here
 * names the invariants that they keep.
 */
import { type Expression, type SqlBool, sql } from 'kysely';
import type { StepBuilder, StepScope } from '../db/chain.ts';
import { isLetGo } from './lease-store.ts';

export type ReserveParams = { userId: string; amount: number; slotsMax: number };
export type OpenHoldParams = {
  userId: string;
  traceId: string;
  processId: string;
  amount: number;
  now: number;
};
export type EndHoldParams = { traceId: string; now: number };
export type ChargeParams = EndHoldParams & {
  cost: number;
  charge: number;
  transactionId: string;
};
export type RefundParams = EndHoldParams & { transactionId: string; reason: string };

/** What the wallet holds after a step touched it. */
export interface WalletAfter {
  balance: number;
  held: number;
}

/**
 * Takes a slot and sets `amount` aside, if both are free: the only place that decides whether there
 * is enough money. `permitted` is checked in the same statement.
 */
export function reserve<P extends ReserveParams>(
  permitted: (scope: StepScope<P>) => Expression<SqlBool>,
): StepBuilder<P> {
  return (scope) =>
    scope.kysely
      .updateTable('wallets')
      .set((eb) => ({
        held: eb('held', '+', scope.param('amount')),
        in_flight: eb('in_flight', '+', 1),
      }))
      .where('user_id', '=', scope.param('userId'))
      .where('in_flight', '<', scope.param('slotsMax'))
      .where(sql<number>`balance - held`, '>=', scope.param('amount'))
      .where(permitted(scope))
      .returning(['balance', 'held', 'user_id']);
}

/** @param budget the step that took the key's limits: when it found none, the whole admit is undone */
export function openHold<P extends OpenHoldParams>(wallet: string, budget: string): StepBuilder<P> {
  return ({ column, insertWhen, param }) =>
    insertWhen(wallet, 'holds', {
      trace_id: param('traceId'),
      user_id: param('userId'),
      api_key_id: column(budget, 'api_key_id'),
      budget_month: column(budget, 'month'),
      process_id: param('processId'),
      amount: param('amount'),
      state: 'open',
      created_at: param('now'),
    });
}

/** What the steps after an ending need of the hold. */
const endedColumns = ['user_id', 'trace_id', 'amount', 'api_key_id', 'budget_month'] as const;

/** Ends an open hold with a charge of at most its amount. Finds nothing when it has ended already. */
export function settleHold<P extends ChargeParams>(): StepBuilder<P> {
  return ({ kysely, param }) =>
    kysely
      .updateTable('holds')
      .set({ state: 'settled', ended_at: param('now'), cost: param('cost') })
      .where('trace_id', '=', param('traceId'))
      .where('state', '=', 'open')
      .where('amount', '>=', param('cost'))
      .returning(endedColumns);
}

/** Ends an open hold without a charge. Finds nothing when it has ended already. */
export function releaseHold<P extends EndHoldParams>(): StepBuilder<P> {
  return ({ kysely, param }) =>
    kysely
      .updateTable('holds')
      .set({ state: 'released', ended_at: param('now') })
      .where('trace_id', '=', param('traceId'))
      .where('state', '=', 'open')
      .returning(endedColumns);
}

/** Ends an open hold whose process has let its lease run out. */
export function expireHold<P extends EndHoldParams>(): StepBuilder<P> {
  return ({ engine, kysely, param }) =>
    kysely
      .updateTable('holds')
      .set({ state: 'expired', ended_at: param('now') })
      .where('trace_id', '=', param('traceId'))
      .where('state', '=', 'open')
      .where(isLetGo({ engine }))
      .returning(endedColumns);
}

/** Gives back a slot and what `hold` had set aside. */
export function freeReserved<P extends EndHoldParams>(hold: string): StepBuilder<P> {
  return ({ kysely, column }) =>
    kysely
      .updateTable('wallets')
      .set((eb) => ({
        held: eb('held', '-', column<number>(hold, 'amount')),
        in_flight: eb('in_flight', '-', 1),
      }))
      .where('user_id', '=', column<string>(hold, 'user_id'))
      .returning(['balance', 'held']);
}

/** Gives back a slot and what `hold` had set aside, and takes the cost from the balance. */
export function payReserved<P extends ChargeParams>(hold: string): StepBuilder<P> {
  return ({ kysely, column, param }) =>
    kysely
      .updateTable('wallets')
      .set((eb) => ({
        balance: eb('balance', '-', param('cost')),
        held: eb('held', '-', column<number>(hold, 'amount')),
        in_flight: eb('in_flight', '-', 1),
        transaction_count: eb('transaction_count', '+', 1),
      }))
      .where('user_id', '=', column<string>(hold, 'user_id'))
      .returning(['user_id', 'balance', 'held', 'transaction_count']);
}

export function recordCharge<P extends ChargeParams>(wallet: string): StepBuilder<P> {
  return ({ insertWhen, column, param }) =>
    insertWhen(wallet, 'wallet_transactions', {
      id: param('transactionId'),
      user_id: column(wallet, 'user_id'),
      seq: column(wallet, 'transaction_count'),
      kind: 'charge',
      amount: param('charge'),
      balance_after: column(wallet, 'balance'),
      trace_id: param('traceId'),
      actor: 'system',
      reason: null,
      created_at: param('now'),
    });
}

/** Who returns a charge whose answer was never handed over. */
export type Returner =
  /** Anybody, when the process that ran the request is dead and has not claimed the delivery. */
  | 'sweep'
  /** The process that ran it. */
  | 'owner';

/** Marks a charge as returned because its answer was never handed over. */
export function markUndelivered<P extends RefundParams>(by: Returner): StepBuilder<P> {
  return ({ engine, kysely, param }) => {
    const marked = kysely
      .updateTable('holds')
      .set({ refunded_at: param('now') })
      .where('trace_id', '=', param('traceId'))
      .where('state', '=', 'settled')
      .where('delivered_at', 'is', null)
      .where('refunded_at', 'is', null);
    const whose = by === 'sweep' ? marked.where(isLetGo({ engine })) : marked;
    return whose.returning([...endedColumns, 'cost']);
  };
}

export function returnCost<P extends RefundParams>(hold: string): StepBuilder<P> {
  return ({ kysely, column }) =>
    kysely
      .updateTable('wallets')
      .set((eb) => ({
        balance: eb('balance', '+', column<number>(hold, 'cost')),
        transaction_count: eb('transaction_count', '+', 1),
      }))
      .where('user_id', '=', column<string>(hold, 'user_id'))
      .returning(['user_id', 'balance', 'held', 'transaction_count']);
}

export function recordRefund<P extends RefundParams>(hold: string, wallet: string): StepBuilder<P> {
  return ({ insertWhen, column, param }) =>
    insertWhen(wallet, 'wallet_transactions', {
      id: param('transactionId'),
      user_id: column(wallet, 'user_id'),
      seq: column(wallet, 'transaction_count'),
      kind: 'refund',
      amount: column(hold, 'cost'),
      balance_after: column(wallet, 'balance'),
      trace_id: param('traceId'),
      actor: 'system',
      reason: param('reason'),
      created_at: param('now'),
    });
}
