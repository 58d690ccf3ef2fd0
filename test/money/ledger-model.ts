/**
 * What the ledger must do, in a few lines without a database: plain numbers, one thing at a time.
 * Wallets, requests and processes are numbered.
 */
import { must } from '../../server/lib/assert.ts';

/** What an image request is before anything happens to it. */
export interface Terms {
  wallet: number;
  process: number;
  /** Which of its owner's API keys it uses. */
  apiKey: number;
  idempotencyKey: string | null;
  images: number;
  price: number;
}

/** What an API key may use at once and in all; null sets no limit. */
export interface KeyTerms {
  slotsMax: number | null;
  spendMax: number | null;
}

/** What happens at one moment. Each is answered with a text. */
export type Step =
  | { kind: 'admit'; request: number }
  | { kind: 'release' | 'return' | 'claim' | 'deliver'; request: number }
  | { kind: 'settle'; request: number; images: number }
  /** An administrator's refund; null returns the whole charge. */
  | { kind: 'refund'; request: number; amount: number | null }
  | { kind: 'top_up' | 'adjustment'; wallet: number; amount: number }
  | { kind: 'die' | 'live'; process: number }
  /** A sweep's look at a request that it found in this state. */
  | { kind: 'expire'; request: number; found: Request['state'] };

export interface Entry {
  kind: string;
  amount: number;
  balance: number;
  request: number | null;
}

export interface Request extends Terms {
  state: 'new' | 'open' | 'settled' | 'released' | 'expired';
  cost: number;
  /** For longer than any history. */
  claimed: boolean;
  delivered: boolean;
  refunded: number;
  refundedBy: 'owner' | 'sweep' | 'administrator' | null;
}

export interface Ledger {
  wallets: Entry[][];
  /** Of each wallet's owner. */
  apiKeys: readonly (readonly KeyTerms[])[];
  requests: Request[];
  /** Which processes are alive. */
  living: boolean[];
}

export const slotsMax = 3;

export function happen(ledger: Ledger, step: Step): string {
  switch (step.kind) {
    case 'admit':
      return admit(ledger, requestOf(ledger, step.request));
    case 'settle':
      return settle(ledger, step);
    case 'release':
      return end(requestOf(ledger, step.request), 'released');
    case 'return':
      return giveBack(ledger, { ...step, by: 'owner' });
    case 'claim':
      return claim(requestOf(ledger, step.request));
    case 'deliver':
      return deliver(requestOf(ledger, step.request));
    case 'refund':
      return refund(ledger, step);
    case 'top_up':
    case 'adjustment':
      return move(ledger, step);
    case 'expire':
      return expire(ledger, step);
    case 'die':
    case 'live':
      ledger.living[step.process] = step.kind === 'live';
      return '';
  }
}

function admit(ledger: Ledger, request: Request): string {
  const { wallet, apiKey, idempotencyKey, images, price, state } = request;
  const isTwin = (other: Request) =>
    other.wallet === wallet && other.apiKey === apiKey && other.idempotencyKey === idempotencyKey;
  if (ledger.requests.some((other) => holdsKey(other) && isTwin(other))) return 'key taken';
  if (openOf(ledger, wallet).length >= slotsMax) return 'no slot';
  const { slotsMax: keySlotsMax, spendMax } = keyOf(ledger, request);
  const used = usedOf(ledger, request);
  if (keySlotsMax !== null && used.inFlight >= keySlotsMax) return 'no key slot';
  const needed = images * price;
  if (balanceOf(ledger, wallet) - heldOf(ledger, wallet) < needed) return 'no money';
  if (spendMax !== null && used.spent + used.held + needed > spendMax) return 'key spent';
  if (state !== 'new') return idempotencyKey === null ? 'repeated' : 'key taken';
  request.state = 'open';
  return 'admitted';
}

function settle(ledger: Ledger, step: { request: number; images: number }): string {
  const request = requestOf(ledger, step.request);
  if (request.state !== 'open' || step.images > request.images) return 'nothing';
  request.state = 'settled';
  request.cost = step.images * request.price;
  return post(ledger, request.wallet, ['charge', -request.cost, step.request]);
}

function end(request: Request, state: 'released' | 'expired'): string {
  if (request.state !== 'open') return 'nothing';
  request.state = state;
  return 'ended';
}

function giveBack(ledger: Ledger, step: { request: number; by: 'owner' | 'sweep' }): string {
  const request = requestOf(ledger, step.request);
  const { state, delivered, refundedBy, wallet, cost } = request;
  if (state !== 'settled' || delivered || refundedBy) return 'nothing';
  request.refundedBy = step.by;
  request.refunded = cost;
  post(ledger, wallet, ['refund', cost, step.request]);
  return 'ended';
}

function expire(ledger: Ledger, step: { request: number; found: Request['state'] }): string {
  const request = requestOf(ledger, step.request);
  if (ledger.living[request.process]) return 'nothing';
  if (request.claimed) return 'nothing';
  const { found } = step;
  return found === 'open' ? end(request, 'expired') : giveBack(ledger, { ...step, by: 'sweep' });
}

function claim(request: Request): string {
  const { refundedBy, state } = request;
  if (state !== 'settled' || refundedBy === 'owner' || refundedBy === 'sweep') return 'nothing';
  request.claimed = true;
  return 'claimed';
}

function deliver(request: Request): string {
  if (request.state === 'settled' && !request.refundedBy) request.delivered = true;
  return '';
}

function refund(ledger: Ledger, step: { request: number; amount: number | null }): string {
  const request = requestOf(ledger, step.request);
  const { delivered, refundedBy, wallet, cost } = request;
  const amount = step.amount ?? cost;
  if (!delivered || refundedBy || amount <= 0 || amount > cost) return 'refused';
  request.refundedBy = 'administrator';
  request.refunded = amount;
  return post(ledger, wallet, ['refund', amount, step.request]);
}

function move(ledger: Ledger, step: { kind: string; wallet: number; amount: number }): string {
  const { kind, wallet, amount } = step;
  const isTooMuch = balanceOf(ledger, wallet) + amount < heldOf(ledger, wallet);
  if (isTooMuch || amount === 0 || (kind === 'top_up' && amount < 0)) return 'refused';
  return post(ledger, wallet, [kind, amount, null]);
}

function post(
  ledger: Ledger,
  wallet: number,
  [kind, amount, request]: [kind: string, amount: number, request: number | null],
): string {
  const balance = balanceOf(ledger, wallet) + amount;
  entriesOf(ledger, wallet).push({ kind, amount, balance, request });
  return `${amount}, leaving ${balance}`;
}

function requestOf({ requests }: Ledger, number: number): Request {
  return must(requests[number], 'a request');
}

export function entriesOf({ wallets }: Ledger, wallet: number): Entry[] {
  return must(wallets[wallet], 'a wallet');
}

export function balanceOf(ledger: Ledger, wallet: number): number {
  return entriesOf(ledger, wallet).at(-1)?.balance ?? 0;
}

export function openOf({ requests }: Ledger, wallet: number): Request[] {
  return requests.filter((request) => request.wallet === wallet && request.state === 'open');
}

export function heldOf(ledger: Ledger, wallet: number): number {
  return openOf(ledger, wallet).reduce((sum, { images, price }) => sum + images * price, 0);
}

function keyOf({ apiKeys }: Ledger, { wallet, apiKey }: Terms): KeyTerms {
  return must(apiKeys[wallet]?.[apiKey], 'an API key');
}

/** What the requests of one API key have used of its limits. */
export function usedOf({ requests }: Ledger, key: Pick<Terms, 'wallet' | 'apiKey'>) {
  const own = requests.filter(
    ({ wallet, apiKey }) => wallet === key.wallet && apiKey === key.apiKey,
  );
  const open = own.filter(({ state }) => state === 'open');
  return {
    inFlight: open.length,
    held: open.reduce((sum, { images, price }) => sum + images * price, 0),
    spent: own.reduce((sum, { cost, refunded }) => sum + cost - refunded, 0),
  };
}

/** From its admit until it ends without a charge, a request has its Idempotency-Key to itself. */
export function holdsKey({ idempotencyKey, state, refundedBy }: Request): boolean {
  const isFree = refundedBy === 'owner' || refundedBy === 'sweep';
  return idempotencyKey !== null && (state === 'open' || (state === 'settled' && !isFree));
}
