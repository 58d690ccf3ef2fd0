import { z } from 'zod';
import {
  findUser,
  isEmailProven,
  readLanguage,
  setEmailProven,
} from '../../accounts/user-store.ts';
import type { Database, Trx } from '../../db/db.ts';
import {
  dropChallenges,
  findChallenge,
  openChallenge,
  takeChallenge,
} from '../../identity/challenge-store.ts';
import { deletePasskeys } from '../../identity/passkey-store.ts';
import { checkNewPassword } from '../../identity/password.ts';
import type { PasswordHasher } from '../../identity/password-hasher.ts';
import { writePassword } from '../../identity/password-store.ts';
import { signOutEverywhere } from '../../identity/sign-out-everywhere.ts';
import { visitorNetwork } from '../../identity/try-limit.ts';
import { claimTries } from '../../identity/try-store.ts';
import { ServiceError } from '../../lib/service-error.ts';
import type { SettingsCache } from '../../settings/settings-cache.ts';
import { type Admin, adminChange, noteChange } from '../admin-change.ts';
import { lockKeptUser } from '../lock-kept-user.ts';
import { isStillAdmin } from '../users/is-still-admin.ts';
import { type AskedMail, type LinkPost, postLetter } from './identity-mail.ts';
import { lockWhoEnters } from './lock-who-enters.ts';
import type { SignInDeps } from './sign-in-by-password.ts';

const dataSchema = z.object({
  /** Whether the link went to the account's address, so that whoever has it reads its mail. */
  byMail: z.boolean(),
  /** The administrator who gave it, as the audit names them; null where nobody did. */
  givenBy: z.string().nullable().default(null),
});

/** Sends a link for a new password, if there is such an account; the answer does not say. */
export async function requestPasswordReset(
  { database, clock, settings, post }: SignInDeps & { settings: SettingsCache; post: LinkPost },
  { email, networkAddress, language: ofPage }: AskedMail,
): Promise<void> {
  const nowMs = clock.now();
  const address = email.trim().toLowerCase();
  await claimTries(
    database,
    [
      { kind: 'mail', what: address },
      { kind: 'mail_address', what: visitorNetwork(networkAddress) },
    ],
    nowMs,
  );
  const user = await findUser(database, address.includes('@') ? address : '@');
  const { installationName: service, defaultLanguage } = await settings.current();
  const isMember = user !== null && user.disabledAt === null;
  // For nobody too, as the language is, so that the time of the answer says as little as its words.
  const userId = isMember ? user.id : null;
  const secret = await openReset(database, { userId, byMail: true, nowMs });
  const language = (await readLanguage(database, address)) ?? ofPage ?? defaultLanguage;
  if (!isMember) return;
  const letter = { kind: 'password_reset', secret } as const;
  postLetter(post, { to: user.email, letter, language, service });
}

/** A link for a user who cannot get mail; answers with its secret, to be shown once. */
export function issuePasswordReset(admin: Admin, user: string): Promise<string> {
  return adminChange(admin, async (trx, nowMs) => {
    const { id: userId, email } = await lockKeptUser(trx, user);
    await dropChallenges(trx, { kind: 'password_reset', userId });
    const data: z.infer<typeof dataSchema> = { byMail: false, givenBy: admin.actor };
    const secret = await openChallenge(trx, { kind: 'password_reset', userId, data, nowMs });
    return {
      result: secret,
      entry: {
        action: 'user.issue_password_reset',
        subject: userId,
        detail: { email },
        topic: null,
      },
    };
  });
}

function openReset(
  database: Database,
  { userId, byMail, nowMs }: { userId: string | null; byMail: boolean; nowMs: number },
): Promise<string> {
  // Those that there are stay: anybody may ask, who must not end a link that somebody is about to use.
  const data: z.infer<typeof dataSchema> = { byMail, givenBy: null };
  return database.transaction((trx) =>
    openChallenge(trx, { kind: 'password_reset', userId, data, nowMs }),
  );
}

/**
 * Sets the password by a link, and ends sessions and access tokens: whoever had the old one is out.
 * Answers with whose it is.
 */
export async function resetPassword(
  { database, clock, hasher }: SignInDeps & { hasher: PasswordHasher },
  { secret, password }: { secret: string; password: string },
): Promise<string> {
  const asked = { kind: 'password_reset', secret, nowMs: clock.now() } as const;
  const userId = (await findChallenge(database, asked))?.userId;
  const user = userId ? await findUser(database, userId) : null;
  if (!user || user.disabledAt !== null) throw isOver();
  checkNewPassword(password, user.email);
  const hash = await hasher.hash(password);
  await database.transaction(async (trx) => {
    const nowMs = clock.now();
    if (!(await lockWhoEnters(trx, user.id))) throw isOver();
    const taken = await takeChallenge(trx, { ...asked, nowMs });
    if (!taken) throw isOver();
    const { byMail, givenBy } = dataSchema.parse(taken.data);
    if (givenBy !== null && !(await isStillAdmin(trx, givenBy))) throw isOver();
    await writePassword(trx, { userId: user.id, hash, changedAt: nowMs });
    await signOutEverywhere(trx, { userId: user.id, nowMs });
    await dropChallenges(trx, { kind: 'second_factor', userId: user.id });
    await dropChallenges(trx, { kind: 'password_reset', userId: user.id });
    const isFirstProof = byMail && (await proveEmail(trx, user.id));
    const detail = isFirstProof ? { passkeys_removed: await deletePasskeys(trx, user.id) } : {};
    const entry = { action: 'user.reset_password', subject: user.id, detail, topic: null };
    await noteChange(trx, entry, { actor: user.id, reason: null, nowMs });
  });
  return user.id;
}

/** True when nobody knew it before: whoever opened the account may be somebody else. */
async function proveEmail(trx: Trx, userId: string): Promise<boolean> {
  if (await isEmailProven(trx, userId)) return false;
  await setEmailProven(trx, userId, true);
  return true;
}

function isOver(): ServiceError {
  return new ServiceError(
    'not_found',
    'This link has been used or is too old. Ask for another one.',
  );
}
