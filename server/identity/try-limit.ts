/** How often a secret may be guessed at: after a few free tries, each failure doubles a pause. */
import { createHash } from 'node:crypto';
import ipaddr from 'ipaddr.js';

const minuteMs = 60_000;

/** What is counted, each with its own limit. */
export const tryLimits = {
  /** Sign-ins to one account, whether or not there is one. */
  account: { freeTries: 5 },
  /** From one network address: many people may share it. */
  address: { freeTries: 30 },
  /** Codes of one account, whose password was right. */
  second_factor: { freeTries: 5 },
  /** Passwords that somebody who is signed in already gives again. */
  proof: { freeTries: 5 },
  /** Accounts opened from one network address. */
  registration: { freeTries: 10 },
  /** Codes that stand for money, by whoever is signed in. */
  code: { freeTries: 10 },
  /** Mails asked for to one address, and by one network address. */
  mail: { freeTries: 3 },
  mail_address: { freeTries: 10 },
} as const satisfies Record<string, { freeTries: number }>;
export type TryKind = keyof typeof tryLimits;

export const lockLimits = {
  /** After the first failure that is not free; each further one doubles it. */
  firstMs: 30_000,
  lastMs: 15 * minuteMs,
  /** After the first failure, all is forgotten: where many people are, there is always a later one. */
  forgetMs: 24 * 60 * minuteMs,
} as const;

export interface Failures {
  failures: number;
  lastAt: number;
}

/** Until when nothing is tried; null when it may be. */
export function lockedUntil(kind: TryKind, { failures, lastAt }: Failures): number | null {
  const beyond = failures - tryLimits[kind].freeTries;
  if (beyond < 0) return null;
  // Enough doublings for any pause; more would only overflow.
  const pauseMs = Math.min(lockLimits.firstMs * 2 ** Math.min(beyond, 30), lockLimits.lastMs);
  return lastAt + pauseMs;
}

/** Under which failures are counted: neither an e-mail nor a network address is stored as it is. */
export function trySubject(kind: TryKind, what: string): string {
  return `${kind}:${createHash('sha256').update(`${kind}\n${what}`).digest('hex')}`;
}

/** What of a network address stands for one visitor: of IPv6, everybody has a whole /64. */
export function visitorNetwork(address: string | null): string {
  if (address === null || !ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return `${new ipaddr.IPv6([...parsed.parts.slice(0, 4), 0, 0, 0, 0]).toString()}/64`;
}
