/**
 * A notice tells that a wallet's balance fell below the installation's threshold: once each time it
 * does, by each medium. It is written with the money that moved, and sent later.
 */
import { type Amount, amountFromMicros } from '../../shared/money.ts';
import type { NoticeMedium, NoticeRow } from '../db/schema.ts';

export interface Notice {
  /** The same on every try, so that whoever gets it twice can tell. */
  id: string;
  userId: string;
  kind: NoticeRow['kind'];
  medium: NoticeMedium;
  /** Right after the change that led below the threshold. */
  balance: Amount;
  threshold: Amount;
  /** Of the image request whose charge it was; null when an administrator took the money. */
  traceId: string | null;
  createdAt: number;
  /** Times that a process set out to send it. */
  tries: number;
  nextTryAt: number;
  /** Why the last try failed. */
  failure: string | null;
  sentAt: number | null;
  givenUpAt: number | null;
}

export const noticeMedia: readonly NoticeMedium[] = ['webhook', 'email'];

export type NoticeState = 'pending' | 'sent' | 'given_up';

export function stateOf({ sentAt, givenUpAt }: Notice): NoticeState {
  if (sentAt !== null) return 'sent';
  return givenUpAt === null ? 'pending' : 'given_up';
}

/**
 * Whether a change of the balance leads from at or above the threshold to below it. `notice-step.ts`
 * asks the same in SQL. A threshold of zero is never crossed: a balance is not negative.
 */
export function crossesBelow(
  threshold: Amount,
  { before, after }: { before: Amount; after: Amount },
): boolean {
  return after < threshold && before >= threshold;
}

/** With the pauses below, the last try is a little more than a day after the first. */
export const noticeTriesMax = 15;

const pauseFirstMs = 30_000;
const pauseMostMs = 4 * 3_600_000;
/** How far a pause may be off, so that what failed together does not come back together. */
const jitter = 0.25;
/** Longer than any pause: what seems to wait for longer was put off before the clock was set back. */
export const waitMsMax = 6 * 3_600_000;

/**
 * How long to wait after a number of failed tries.
 *
 * @param random from 0 to 1
 */
export function pauseAfter(tries: number, random: number): number {
  const pauseMs = Math.min(pauseFirstMs * 2 ** (tries - 1), pauseMostMs);
  return Math.round(pauseMs * (1 - jitter + 2 * jitter * random));
}

export function noticeFromRow(row: NoticeRow): Notice {
  return {
    id: row.id,
    userId: row.user_id,
    kind: row.kind,
    medium: row.medium,
    balance: amountFromMicros(row.balance),
    threshold: amountFromMicros(row.threshold),
    traceId: row.trace_id,
    createdAt: row.created_at,
    tries: row.tries,
    nextTryAt: row.next_try_at,
    failure: row.failure,
    sentAt: row.sent_at,
    givenUpAt: row.given_up_at,
  };
}
