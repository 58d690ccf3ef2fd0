/** One-time passwords of an authenticator app (RFC 6238): six digits, every 30 seconds. */
import { createRequire } from 'node:module';
import type * as otplib from 'otplib/functional';
import type { AuthenticatorRow } from '../db/identity-schema.ts';
import { withoutBreaks } from '../lib/typed-code.ts';

const require = createRequire(import.meta.url);

const stepSeconds = 30;
/** Clocks differ: the code before and the code after count too. */
const toleranceSeconds = stepSeconds;
const codePattern = /^\d{6}$/;

export interface Authenticator {
  userId: string;
  /** See `lib/secret-box.ts`; sealed for its user's row. */
  sealedSecret: string;
  createdAt: number;
  /** Null until a first code has shown that the app knows the secret. */
  confirmedAt: number | null;
  /** Time step of the last code that was accepted: none is accepted twice. */
  lastStep: number | null;
}

/** In base32, as apps take it. */
export function makeAuthenticatorSecret(): string {
  return library().generateSecret();
}

/** Blanks within a code are how some apps show it. */
export function cleanCode(text: string): string {
  return withoutBreaks(text);
}

/** The time step of a right code; null when it is wrong, or not later than `lastStep`. */
export function acceptCode({
  secret,
  code,
  lastStep,
  nowMs,
}: {
  secret: string;
  code: string;
  lastStep: number | null;
  nowMs: number;
}): number | null {
  if (!codePattern.test(code)) return null;
  const epoch = Math.floor(nowMs / 1000);
  // No code can be later: our clock was set back since, or is behind another process's. The library would throw.
  const latestStep = Math.floor((epoch + toleranceSeconds) / stepSeconds);
  if (lastStep !== null && lastStep >= latestStep) return null;
  const result = library().verifySync({
    strategy: 'totp',
    secret,
    token: code,
    epoch,
    epochTolerance: toleranceSeconds,
    ...(lastStep !== null && { afterTimeStep: lastStep }),
  });
  return result.valid && 'timeStep' in result ? result.timeStep : null;
}

/** What an app reads: `otpauth://totp/…`. */
export function authenticatorUri({
  installation,
  email,
  secret,
}: {
  installation: string;
  email: string;
  secret: string;
}): string {
  // A colon would end the name early.
  return library().generateURI({ issuer: installation.replaceAll(':', ' '), label: email, secret });
}

export function authenticatorFromRow(row: AuthenticatorRow): Authenticator {
  return {
    userId: row.user_id,
    sealedSecret: row.secret,
    createdAt: row.created_at,
    confirmedAt: row.confirmed_at,
    lastStep: row.last_step,
  };
}

/** Loaded when somebody first has an authenticator. */
function library(): typeof otplib {
  return require('otplib/functional') as typeof otplib;
}
