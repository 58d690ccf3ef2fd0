/** Money at work without HTTP: somebody who spends, the processes that serve them, admissions. */
import type { Database } from '../../../server/db/db.ts';
import { issueKey } from '../../../server/flows/keys/issue-key.ts';
import type { Admission } from '../../../server/flows/money/hold-money.ts';
import { type BooksReport, verifyBooks } from '../../../server/flows/money/verify-books.ts';
import { openAccount } from '../../../server/flows/users/open-account.ts';
import { must } from '../../../server/lib/assert.ts';
import { systemClock } from '../../../server/lib/clock.ts';
import { makeId } from '../../../server/lib/ids.ts';
import { endLeases, renewLease } from '../../../server/wallets/lease-store.ts';
import { readWallet } from '../../../server/wallets/wallet-store.ts';
import { formatAmount, zero } from '../../../shared/money.ts';
import { amount, testAdmin } from '../console/test-admin.ts';
import { plainWish } from '../upstreams/recorded-call.ts';

export interface Spender {
  userId: string;
  apiKeyId: string;
}

/** A spender who can also ask over HTTP. */
export interface Caller extends Spender {
  apiKey: string;
}

let spenders = 0;

/** A new user with a wallet and an API key. */
export async function addSpender(
  database: Database,
  money: string,
  slotsMax: number | null = null,
): Promise<Caller> {
  const admin = testAdmin(database);
  const { id: userId } = await openAccount(admin, {
    email: `spender${++spenders}@example.com`,
    name: 'spender',
    role: 'user',
    slotsMax,
    topUp: money === '0' ? null : amount(money),
  });
  const { key, secret } = await issueKey(admin, {
    user: userId,
    name: 'test',
    prefix: 'tin',
    models: null,
    expiresAt: null,
  });
  return { userId, apiKeyId: key.id, apiKey: secret };
}

const leaseMs = 60_000;

/** A process whose lease runs; `die` ends it as a crash would, so long ago. */
export async function startProcess(database: Database) {
  const startedAt = systemClock.now();
  const id = makeId('proc', startedAt);
  const identity = { id, host: 'elsewhere', pid: 1, startedAt };
  const live = () => renewLease(database, identity, leaseMs);
  await live();
  return { id, live, die: (agoMs = 1) => renewLease(database, identity, -agoMs) };
}

/** As if the lease of a process had never been there. */
export function forgetProcess(database: Database, processId: string): Promise<void> {
  return database.transaction((trx) => endLeases(trx, [processId]));
}

/** A request for one picture of 0.10; `changes` say what is different. */
export function admissionOf(
  { userId, apiKeyId }: Spender,
  changes: Partial<Admission> & Pick<Admission, 'processId'>,
): Admission {
  return {
    traceId: makeId('tr', systemClock.now()),
    userId,
    apiKeyId,
    keyZone: 'UTC',
    slotsMax: 1_000,
    model: 'gen-image-2',
    operation: 'generation',
    images: 1,
    unitPrice: amount('0.10'),
    stream: false,
    size: 'auto',
    quality: 'low',
    outputFormat: 'png',
    asked: { ...plainWish, quality: 'low' },
    idempotency: null,
    ...changes,
  };
}

/** How a request of `admissionOf` succeeds. */
export function settlementOf(traceId: string, images = 1, unitPrice = amount('0.10')) {
  const form = { size: '1024x1024', quality: 'low', outputFormat: 'png' };
  return { traceId, unitPrice, images, ...form, attempts: '[]', lowBalance: zero };
}

/** `1.00 balance, 0.40 held, 1 slots`. */
export async function walletOf(database: Database, userId: string): Promise<string> {
  const { balance, held, inFlight } = must(await readWallet(database, userId), 'a wallet');
  return `${formatAmount(balance)} balance, ${formatAmount(held)} held, ${inFlight} slots`;
}

/** What is wrong with the books, in one line each. */
export async function violationsOf(database: Database): Promise<string[]> {
  const { violations } = await verifyBooks(database);
  return violations.map(shown);
}

/** For the end of a block of tests, where nothing can be expected. */
export async function refuseWrongBooks(database: Database): Promise<void> {
  const violations = await violationsOf(database);
  if (violations.length > 0) throw new Error(`the books are wrong: ${violations.join('; ')}`);
}

function shown({ invariant, subject, detail }: BooksReport['violations'][number]): string {
  return `${invariant}: ${subject}: ${detail}`;
}
