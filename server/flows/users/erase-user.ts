/**
 * Erases what is known of a person. The account's ID, its amounts and what belongs to the books stay,
 * under a pseudonym; the keys are revoked and the wallet is closed, empty.
 */
import { type Amount, formatAmount, negateAmount, zero } from '../../../shared/money.ts';
import { eraseKeys, eraseUser, listKeyIds, pseudonymOf } from '../../accounts/erase-user-store.ts';
import type { User } from '../../accounts/user.ts';
import { requireKeptUser } from '../../accounts/user-store.ts';
import type { AuditDetail, AuditEntry } from '../../audit/audit-entry.ts';
import { findEntriesAbout, rewriteEntry } from '../../audit/audit-erase-store.ts';
import type { Db, Trx } from '../../db/db.ts';
import { dropOldPages } from '../../db/engine.ts';
import { eraseIdentity, listInvitationIds } from '../../identity/erase-identity-store.ts';
import { makeId, startOfIds } from '../../lib/ids.ts';
import {
  type Redaction,
  redactAll,
  redactionOf,
  redactText,
  redactWords,
} from '../../lib/redact.ts';
import { invalidRequest } from '../../lib/service-error.ts';
import { eraseNotices } from '../../notices/notice-store.ts';
import { findCodeNotes, listBatchIds, rewriteCodeNote } from '../../payments/erase-code-store.ts';
import { findPaymentUnderWay } from '../../payments/payment-store.ts';
import { forgetKeys } from '../../usage/idempotency-store.ts';
import { findWritten, rewriteWords, type WrittenWords } from '../../wallets/erase-text-store.ts';
import { hasUnfinished } from '../../wallets/pruned-hold-store.ts';
import { lockWallet, postTransaction } from '../../wallets/wallet-store.ts';
import { type Admin, adminChange } from '../admin-change.ts';
import { lockActingAdmin } from './lock-acting-admin.ts';
import { refuseSelf } from './refuse-self.ts';

export interface ErasureOrder {
  /** ID or e-mail address. */
  user: string;
  /** The user's address, once more: what cannot be undone is not done to the wrong one. */
  email: string;
  /** Whether what is left in the wallet is given up; without it, a balance is in the way. */
  forfeit: boolean;
}

export interface Erasure {
  userId: string;
  /** What the user is shown as from now on. */
  name: string;
  email: string;
  forfeited: Amount;
  keysRevoked: number;
  /** False while a reader of SQLite's file kept its log from being emptied; a restart does it. */
  oldPagesGone: boolean;
}

/**
 * How much older than the snapshot may be the ID of what it did not show: made in a transaction that
 * was still under way, or by another machine's clock.
 */
const lateIdMs = 60_000;

export async function eraseUserData(admin: Admin, order: ErasureOrder): Promise<Erasure> {
  const { database, clock } = admin;
  const lateMs = clock.now() - lateIdMs;
  // Looking through the whole history takes long, and holds up nobody on a snapshot.
  const known = await database.snapshot((db) => gather(db, order.user, lateMs));
  const { redaction, user } = known;
  const reason = admin.reason === null ? null : redactText(admin.reason, redaction);
  const erased = await adminChange({ ...admin, reason }, async (trx, nowMs) => {
    const { email } = await requireKeptUser(trx, user.id);
    refuseSelf(admin, user.id, 'user');
    refuseOther(email, order);
    const late = await findLate(trx, known);
    // Behind the user, as whoever changes somebody's rights does: two who do both would wait for each other.
    await lockActingAdmin(trx, admin);
    const forfeited = await closeWallet(trx, { ...order, userId: user.id, admin, nowMs });
    await refusePaymentUnderWay(trx, user.id, nowMs);
    const keysRevoked = await eraseRows(trx, known, nowMs);
    await rewriteHistory(trx, { ...known, written: [...known.written, ...late] });
    const detail = { forfeited: formatAmount(forfeited), keys: keysRevoked };
    return {
      result: { userId: user.id, ...pseudonymOf(user.id), forfeited, keysRevoked },
      entry: { action: 'user.erase', subject: user.id, detail, topic: 'accounts' },
    };
  });
  return { ...erased, oldPagesGone: await dropOldPages(database) };
}

function refuseOther(email: string, order: ErasureOrder): void {
  if (order.email.trim().toLowerCase() === email) return;
  throw invalidRequest('email', 'This is not the e-mail address of the user.');
}

/** What is to be written anew, as it was when it was looked for. */
interface Known {
  user: User;
  /** Of the user and what is theirs. */
  ids: readonly string[];
  /** In small letters: the present address and those of before. */
  emails: readonly string[];
  redaction: Redaction;
  entries: readonly AuditEntry[];
  /** What has an older ID and is not here was not there; in Unix milliseconds. */
  lateMs: number;
  written: readonly WrittenWords[];
}

async function gather(db: Db, idOrEmail: string, lateMs: number): Promise<Known> {
  const user = await requireKeptUser(db, idOrEmail);
  const own = await findEntriesAbout(db, { subjects: [user.id], words: [], after: null });
  const past = pastNames(user, own);
  const keyIds = await listKeyIds(db, user.id);
  const invitations = await listInvitationIds(db, { userId: user.id, emails: past.emails });
  const batches = await listBatchIds(db, user.id);
  const ids = [user.id, ...keyIds, ...invitations, ...batches];
  // A single word of a name stands in many a text that means something else.
  const fullNames = past.names.filter((name) => /\S\s+\S/u.test(name));
  const words = [...past.emails, ...fullNames];
  return {
    user,
    ids,
    emails: past.emails,
    redaction: redactionOf({ words, pseudonym: pseudonymOf(user.id).name }),
    entries: await findEntriesAbout(db, { subjects: ids, words, after: null }),
    lateMs,
    written: await findWritten(db, { userId: user.id, words, after: null }),
  };
}

/** What was written beside transactions since the snapshot; no more of the user's comes behind it. */
async function findLate(
  trx: Trx,
  { user, redaction, lateMs }: Known,
): Promise<readonly WrittenWords[]> {
  await lockWallet(trx, user.id);
  const after = startOfIds('txn', lateMs);
  return findWritten(trx, { userId: user.id, words: redaction.words, after });
}

/** What the person is and was called, as the account and its audit entries have it. */
function pastNames(user: User, entries: readonly AuditEntry[]) {
  const emails = new Set([user.email]);
  const names = new Set([user.name]);
  for (const { subject, detail } of entries) {
    if (subject !== user.id) continue;
    for (const email of textsIn(detail['email'])) emails.add(email.toLowerCase());
    for (const name of textsIn(detail['name'])) names.add(name);
  }
  return { emails: [...emails], names: [...names] };
}

/** A text, or the two of a change. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).filter((each) => typeof each === 'string');
}

interface Closing extends ErasureOrder {
  userId: string;
  admin: Admin;
  nowMs: number;
}

/** Leaves the wallet empty for good; answers with what was left in it. */
async function closeWallet(trx: Trx, { userId, forfeit, admin, nowMs }: Closing): Promise<Amount> {
  const { balance } = await lockWallet(trx, userId);
  if (await hasUnfinished(trx, userId)) {
    throw invalidRequest(
      'user',
      'This user has requests running. Disable the user, wait, and try again.',
    );
  }
  if (balance === zero) return zero;
  if (!forfeit) {
    throw invalidRequest(
      'forfeit',
      `There is ${formatAmount(balance)} left in the wallet: pay it out and deduct it, or let it be forfeited.`,
    );
  }
  await postTransaction(trx, {
    id: makeId('txn', nowMs),
    userId,
    kind: 'adjustment',
    amount: negateAmount(balance),
    traceId: null,
    actor: admin.actor,
    reason: 'forfeited when the account was erased',
    now: nowMs,
  });
  return balance;
}

/** What is being paid, or is on its way for days, would reach a wallet that is closed. */
async function refusePaymentUnderWay(trx: Trx, userId: string, nowMs: number): Promise<void> {
  const id = await findPaymentUnderWay(trx, { userId, nowMs });
  if (id !== null) throw invalidRequest('user', `A payment of this user is under way: ${id}.`);
}

/** Answers how many API keys there were. */
async function eraseRows(trx: Trx, { user, emails }: Known, nowMs: number): Promise<number> {
  await eraseIdentity(trx, { userId: user.id, emails, nowMs });
  await eraseNotices(trx, user.id);
  const keys = await eraseKeys(trx, user.id, nowMs);
  await forgetKeys(trx, user.id);
  await eraseUser(trx, user.id, nowMs);
  return keys;
}

async function rewriteHistory(trx: Trx, known: Known): Promise<void> {
  const { ids, redaction, lateMs, entries, user } = known;
  const later = { subjects: ids, words: redaction.words, after: startOfIds('aud', lateMs) };
  for (const entry of [...entries, ...(await findEntriesAbout(trx, later))]) {
    await rewriteEntry(trx, redactEntry(entry, known));
  }
  const { pseudonym } = redaction;
  for (const { id, userId, reason, reference } of known.written) {
    const isOwn = userId === user.id;
    await rewriteWords(trx, {
      id,
      reason: reason && (isOwn ? pseudonym : redactText(reason, redaction)),
      // Under it an order is known when it comes again; for a closed account none does.
      reference: isOwn ? null : reference,
    });
  }
  const notes = await findCodeNotes(trx, { userId: user.id, words: redaction.words });
  for (const { id, note, redeemedBy } of notes) {
    const isOwn = redeemedBy === user.id;
    await rewriteCodeNote(trx, id, isOwn ? pseudonym : redactText(note, redaction));
  }
}

/** Fields of audit entries whose values are from closed lists. */
const plainFields = new Set(['role', 'models', 'method', 'currency', 'provider', 'state', 'kind']);

/** And fields in which somebody may have typed anything. */
const typedFields = new Set(['name', 'email', 'note', 'addresses']);

/** About the person only what happened is left; of others, only what names the person goes. */
function redactEntry(entry: AuditEntry, { ids, redaction, user }: Known): AuditEntry {
  const { reason, detail, subject } = entry;
  const { pseudonym } = redaction;
  const isAbout = ids.includes(subject) || JSON.stringify(detail).includes(user.id);
  // A JSON object becomes one with the same fields.
  return isAbout
    ? {
        ...entry,
        reason: reason && pseudonym,
        detail: redactAll(detail, { pseudonym, plainFields, typedFields }) as AuditDetail,
      }
    : {
        ...entry,
        reason: reason && redactText(reason, redaction),
        detail: redactWords(detail, redaction) as AuditDetail,
      };
}
