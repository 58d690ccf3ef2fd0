/** What the pages about a wallet show: its ledger with what other nouns know of the entries. */
import type { Amount } from '../../../shared/money.ts';
import { readUserNames } from '../../accounts/user-store.ts';
import type { Db } from '../../db/db.ts';
import {
  type Buckets,
  bucketIndex,
  bucketsOf,
  type CalendarRange,
  commonSpan,
} from '../../lib/calendar-range.ts';
import { ServiceError } from '../../lib/service-error.ts';
import type { Position, TurnedPage } from '../../lib/turned-page.ts';
import { findCodesOf } from '../../payments/code-store.ts';
import { findPaymentsOf } from '../../payments/payment-store.ts';
import { findSpan, type Span } from '../../wallets/statement-store.ts';
import type { WalletTransaction } from '../../wallets/transaction.ts';
import {
  countTransactions,
  findMovements,
  findTransaction,
  lastOfSlots,
  listRefunded,
  type SpanFilter,
  turnTransactions,
} from '../../wallets/transaction-store.ts';
import { type ChargedRequests, findChargedRequests } from '../money/charged-requests.ts';

/** What is told beside the entries of a ledger. */
export interface EntryContext {
  requests: ChargedRequests;
  /** What was returned of charges, by trace ID. */
  refunded: ReadonlyMap<string, Amount>;
  /** Of those who made entries, by user ID. */
  names: ReadonlyMap<string, string>;
  /** Of top-ups that were paid or redeemed, by transaction ID. */
  sources: ReadonlyMap<string, TopUpSource>;
}

/** A provider, or how a code ends. */
export interface TopUpSource {
  kind: 'payment' | 'code';
  name: string;
}

export interface WalletPage extends TurnedPage<WalletTransaction> {
  context: EntryContext;
}

export async function readWalletPage(
  db: Db,
  { span, filter }: { span: Span; filter: SpanFilter },
  page: { position: Position; limit: number },
): Promise<WalletPage> {
  const turned = await turnTransactions(db, { span, filter }, page);
  return { ...turned, context: await readContext(db, turned.items) };
}

async function readContext(db: Db, entries: readonly WalletTransaction[]): Promise<EntryContext> {
  const traceIds = entries.flatMap(({ traceId }) => traceId ?? []);
  const actors = entries.map(({ actor }) => actor);
  return {
    requests: await findChargedRequests(db, traceIds),
    refunded: await listRefunded(db, traceIds),
    names: await readUserNames(db, actors),
    sources: await readSources(db, entries),
  };
}

async function readSources(
  db: Db,
  entries: readonly WalletTransaction[],
): Promise<ReadonlyMap<string, TopUpSource>> {
  const ids = entries.flatMap(({ id, kind }) => (kind === 'top_up' ? id : []));
  const payments = await findPaymentsOf(db, ids);
  const codes = await findCodesOf(db, ids);
  return new Map<string, TopUpSource>([
    ...[...payments].map(([id, { provider: name }]) => [id, { kind: 'payment', name }] as const),
    ...[...codes].map(([id, { lastFour: name }]) => [id, { kind: 'code', name }] as const),
  ]);
}

export interface BalancePoints {
  unit: Buckets['unit'] | 'entry';
  entries: readonly WalletTransaction[];
}

const pointsMax = 500;

/** The balance over a range: every change of it, or where there are many the last of each bucket. */
export async function chartBalance(
  db: Db,
  span: Span,
  range: CalendarRange,
): Promise<BalancePoints> {
  if ((await countTransactions(db, span, {})) <= pointsMax) {
    const position = { place: null, towards: 'older' } as const;
    const { items } = await turnTransactions(
      db,
      { span, filter: {} },
      { position, limit: pointsMax },
    );
    return { unit: 'entry', entries: items.toReversed() };
  }
  const { unit, edges } = bucketsOf(range);
  const slots = { startMs: range.fromMs, slotMs: commonSpan(edges) };
  // Where clocks change, a day has several slots.
  const lastOfBuckets = new Map<number, WalletTransaction>();
  for (const entry of await lastOfSlots(db, span, slots)) {
    lastOfBuckets.set(bucketIndex(edges, entry.createdAt), entry);
  }
  return { unit, entries: [...lastOfBuckets.values()] };
}

/** The stretch of a wallet's ledger that a range of days is about. */
export function spanOf(db: Db, userId: string, { fromMs, toMs }: CalendarRange): Promise<Span> {
  return findSpan(db, { userId, fromMs, toMs });
}

export interface OwnTransaction {
  entry: WalletTransaction;
  charge: WalletTransaction | null;
  refund: WalletTransaction | null;
  context: EntryContext;
}

/** An entry of somebody else's wallet answers like one that is not there. */
export async function requireOwnTransaction(
  db: Db,
  { id, userId }: { id: string; userId: string },
): Promise<OwnTransaction> {
  const entry = await findTransaction(db, id);
  if (entry?.userId !== userId) {
    throw new ServiceError('not_found', 'There is no such transaction.');
  }
  const { charge, refund } =
    entry.traceId === null
      ? { charge: null, refund: null }
      : await findMovements(db, entry.traceId);
  return {
    entry,
    charge: entry.kind === 'refund' ? charge : null,
    refund: entry.kind === 'charge' ? refund : null,
    context: await readContext(db, [entry]),
  };
}
