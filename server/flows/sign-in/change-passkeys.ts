import type {
  PublicKeyCredentialCreationOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { requireUser } from '../../accounts/user-store.ts';
import type { Trx } from '../../db/db.ts';
import { openChallenge, takeChallenge } from '../../identity/challenge-store.ts';
import {
  type Passkey,
  parsePasskeyName,
  passkeyHandle,
  passkeyLimits,
} from '../../identity/passkey.ts';
import { askToRegister, checkRegistration, type Site } from '../../identity/passkey-ceremony.ts';
import {
  deletePasskey,
  insertPasskey,
  listPasskeys,
  renamePasskey,
} from '../../identity/passkey-store.ts';
import { invalidRequest, ServiceError } from '../../lib/service-error.ts';
import type { SettingsCache } from '../../settings/settings-cache.ts';
import { adminChange, ownChange } from '../admin-change.ts';
import { lockOwnSession, type SessionOwner } from './lock-own-session.ts';
import { challengeOf } from './sign-in-by-passkey.ts';
import type { SignInDeps } from './sign-in-by-password.ts';

export interface RegistrationQuestion {
  /** Goes back with the answer. */
  secret: string;
  options: PublicKeyCredentialCreationOptionsJSON;
}

export async function beginPasskey(
  { database, clock, settings }: SignInDeps & { settings: SettingsCache },
  { userId, site }: { userId: string; site: Site },
): Promise<RegistrationQuestion> {
  const user = await requireUser(database, userId);
  const { installationName: installation } = await settings.current();
  const known = await listPasskeys(database, userId);
  refuseTooMany(known);
  const options = await askToRegister({ site, installation, user, known });
  const data = { challenge: options.challenge };
  const secret = await database.transaction((trx) =>
    openChallenge(trx, { kind: 'passkey_registration', userId, data, nowMs: clock.now() }),
  );
  return { secret, options };
}

/** Keeps a passkey that a device has just made. */
export async function addPasskey(
  deps: SignInDeps,
  {
    userId,
    sessionId,
    site,
    secret,
    answer,
    name: wanted,
  }: SessionOwner & {
    site: Site;
    secret: string;
    answer: RegistrationResponseJSON;
    name: string;
  },
): Promise<Passkey> {
  const { database, clock } = deps;
  const name = parsePasskeyName(wanted);
  const nowMs = clock.now();
  const asked = await database.transaction((trx) =>
    takeChallenge(trx, { kind: 'passkey_registration', secret, nowMs }),
  );
  const made =
    asked?.userId === userId
      ? await checkRegistration({ site, challenge: challengeOf(asked), answer })
      : null;
  if (!made) throw invalidRequest(null, 'This passkey was not accepted. Try again.');
  const passkey: Passkey = { ...made, userId, name, createdAt: nowMs, lastUsedAt: null };
  return adminChange(ownChange(deps, userId), async (trx) => {
    await lockOwnSession(trx, { userId, sessionId, nowMs });
    refuseTooMany(await listPasskeys(trx, userId));
    await insertPasskey(trx, passkey);
    return { result: passkey, entry: entryOf('user.add_passkey', userId, name) };
  });
}

/** @param handle see `passkeyHandle` */
export function renameOwnPasskey(
  deps: SignInDeps,
  { userId, handle, name: wanted }: { userId: string; handle: string; name: string },
): Promise<void> {
  const name = parsePasskeyName(wanted);
  return adminChange(ownChange(deps, userId), async (trx) => {
    const { id, name: before } = await requirePasskey(trx, { userId, handle });
    if (before === name) return { result: undefined, entry: null };
    await renamePasskey(trx, { id, userId, name });
    return { result: undefined, entry: entryOf('user.rename_passkey', userId, name) };
  });
}

/** @param handle see `passkeyHandle` */
export function removeOwnPasskey(
  deps: SignInDeps,
  { userId, handle }: { userId: string; handle: string },
): Promise<void> {
  return adminChange(ownChange(deps, userId), async (trx) => {
    const { id, name } = await requirePasskey(trx, { userId, handle });
    await deletePasskey(trx, { id, userId });
    return { result: undefined, entry: entryOf('user.remove_passkey', userId, name) };
  });
}

async function requirePasskey(
  trx: Trx,
  { userId, handle }: { userId: string; handle: string },
): Promise<Passkey> {
  const passkey = (await listPasskeys(trx, userId)).find(({ id }) => passkeyHandle(id) === handle);
  if (passkey) return passkey;
  throw new ServiceError('not_found', 'There is no such passkey.');
}

function refuseTooMany(known: readonly Passkey[]): void {
  const { perUserMax } = passkeyLimits;
  if (known.length < perUserMax) return;
  throw invalidRequest(null, `There are ${perUserMax} passkeys: remove one first.`);
}

function entryOf(action: string, userId: string, name: string) {
  return { action, subject: userId, detail: { name }, topic: null };
}
