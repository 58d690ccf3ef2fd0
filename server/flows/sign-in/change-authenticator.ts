import { requireUser } from '../../accounts/user-store.ts';
import type { Database, Trx } from '../../db/db.ts';
import { authenticatorUri, makeAuthenticatorSecret } from '../../identity/authenticator.ts';
import {
  deleteAuthenticator,
  findAuthenticator,
  writeAuthenticator,
} from '../../identity/authenticator-store.ts';
import {
  hashRecoveryCode,
  makeRecoveryCode,
  recoveryCodesMade,
} from '../../identity/recovery-code.ts';
import { replaceRecoveryCodes } from '../../identity/recovery-code-store.ts';
import type { Clock } from '../../lib/clock.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { invalidRequest, ServiceError } from '../../lib/service-error.ts';
import type { SettingsCache } from '../../settings/settings-cache.ts';
import { type Admin, adminChange, ownChange } from '../admin-change.ts';
import { checkAuthenticatorCode } from './check-second-factor.ts';
import { lockOwnSession, type SessionOwner } from './lock-own-session.ts';

export interface AuthenticatorDeps {
  database: Database;
  clock: Clock;
  secretBox: SecretBox;
}

export interface NewAuthenticator {
  /** In base32, for whoever types it. */
  secret: string;
  uri: string;
  /** The same as a picture. */
  qr: { size: number; path: string };
}

/** Makes a secret for an authenticator app. It asks for nothing until a first code confirms it. */
export async function beginAuthenticator(
  { database, clock, secretBox, settings }: AuthenticatorDeps & { settings: SettingsCache },
  userId: string,
): Promise<NewAuthenticator> {
  const { email } = await requireUser(database, userId);
  const { installationName: installation } = await settings.current();
  const secret = makeAuthenticatorSecret();
  await database.transaction(async (trx) => {
    await refuseSecond(trx, userId);
    await writeAuthenticator(trx, {
      userId,
      sealedSecret: secretBox.seal(secret, userId),
      createdAt: clock.now(),
      confirmedAt: null,
      lastStep: null,
    });
  });
  const uri = authenticatorUri({ installation, email, secret });
  const { qrPath } = await import('../../lib/qr-path.ts');
  return { secret, uri, qr: qrPath(uri) };
}

/** From now on signing in by password asks for a code. Answers with recovery codes, shown once. */
export async function confirmAuthenticator(
  { database, clock, secretBox }: AuthenticatorDeps,
  { userId, sessionId, code }: SessionOwner & { code: string },
): Promise<readonly string[]> {
  const codes = makeCodes();
  await adminChange(ownChange({ database, clock }, userId), async (trx, nowMs) => {
    await lockOwnSession(trx, { userId, sessionId, nowMs });
    await refuseSecond(trx, userId);
    const isRight = await checkAuthenticatorCode(trx, { userId, code, secretBox, nowMs });
    if (!isRight) throw invalidRequest('code', 'The code is wrong. Is the clock of the app right?');
    await storeCodes(trx, userId, codes);
    return { result: undefined, entry: entryOf('user.add_authenticator', userId) };
  });
  return codes;
}

/**
 * Takes the authenticator and its recovery codes away; the password alone is enough again. Answers with
 * whose it was, or null where none asked for codes.
 */
export function removeAuthenticator(admin: Admin, user: string): Promise<string | null> {
  return adminChange(admin, async (trx) => {
    const { id: userId } = await requireUser(trx, user);
    const wasAsking = await deleteAuthenticator(trx, userId);
    await replaceRecoveryCodes(trx, userId, []);
    const entry = wasAsking ? entryOf('user.remove_authenticator', userId) : null;
    return { result: wasAsking ? userId : null, entry };
  });
}

/** New recovery codes; the old ones are worth nothing. */
export async function renewRecoveryCodes(
  { database, clock }: { database: Database; clock: Clock },
  { userId, sessionId }: SessionOwner,
): Promise<readonly string[]> {
  const codes = makeCodes();
  await adminChange(ownChange({ database, clock }, userId), async (trx, nowMs) => {
    await lockOwnSession(trx, { userId, sessionId, nowMs });
    if (!(await isConfirmed(trx, userId))) {
      throw new ServiceError('not_found', 'There is no authenticator to recover.');
    }
    await storeCodes(trx, userId, codes);
    return { result: undefined, entry: entryOf('user.renew_recovery_codes', userId) };
  });
  return codes;
}

function makeCodes(): readonly string[] {
  return Array.from({ length: recoveryCodesMade }, makeRecoveryCode);
}

function storeCodes(trx: Trx, userId: string, codes: readonly string[]): Promise<void> {
  return replaceRecoveryCodes(
    trx,
    userId,
    codes.map((code) => hashRecoveryCode(code, userId)),
  );
}

async function refuseSecond(trx: Trx, userId: string): Promise<void> {
  if (!(await isConfirmed(trx, userId))) return;
  throw invalidRequest(null, 'There is an authenticator already: remove it first.');
}

async function isConfirmed(trx: Trx, userId: string): Promise<boolean> {
  const authenticator = await findAuthenticator(trx, userId);
  return authenticator !== null && authenticator.confirmedAt !== null;
}

function entryOf(action: string, userId: string) {
  return { action, subject: userId, detail: {}, topic: null };
}
