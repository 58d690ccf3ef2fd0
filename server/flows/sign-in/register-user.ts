import { z } from 'zod';
import { parseEmail } from '../../accounts/user.ts';
import { findUser, readLanguage, setEmailProven } from '../../accounts/user-store.ts';
import type { Database, Trx } from '../../db/db.ts';
import { findChallenge, openChallenge, takeChallenge } from '../../identity/challenge-store.ts';
import { checkNewPassword } from '../../identity/password.ts';
import type { PasswordHasher } from '../../identity/password-hasher.ts';
import { writePassword } from '../../identity/password-store.ts';
import { visitorNetwork } from '../../identity/try-limit.ts';
import { claimTries } from '../../identity/try-store.ts';
import type { Clock } from '../../lib/clock.ts';
import { ServiceError } from '../../lib/service-error.ts';
import type { SettingsCache } from '../../settings/settings-cache.ts';
import { noteChange } from '../admin-change.ts';
import { addAccount, checkAccount, type NewAccount } from '../users/open-account.ts';
import { type AskedMail, type LinkPost, postLetter } from './identity-mail.ts';
import { isRegistrationOpen } from './is-registration-open.ts';
import { type OpenedSession, openSession, type Visitor } from './open-session.ts';
import type { SignInDeps } from './sign-in-by-password.ts';

const dataSchema = z.object({ email: z.string() });

/** Opens an account at once, for services that can send no mail. */
export async function registerUser(
  deps: RegistrationDeps,
  { email, name, password, visitor }: Registration & { email: string },
): Promise<OpenedSession> {
  await refuseUnlessOpen(deps);
  const account = checkAccount(newAccount({ email, name }));
  checkNewPassword(password, account.email);
  await claimPlace(deps, visitor);
  const hash = await deps.hasher.hash(password);
  return deps.database.transaction(async (trx) => {
    const nowMs = deps.clock.now();
    const opened = await open(trx, account, { hash, visitor, nowMs });
    await setEmailProven(trx, opened.session.userId, false);
    return opened;
  });
}

/** Sends the link that opens an account, and never says whether the address has one. */
export async function requestRegistration(
  deps: SignInDeps & { settings: SettingsCache; post: LinkPost },
  { email, networkAddress, language: ofPage }: AskedMail,
): Promise<void> {
  await refuseUnlessOpen(deps);
  const { database, clock, settings, post } = deps;
  const nowMs = clock.now();
  const to = parseEmail(email);
  await claimTries(
    database,
    [
      { kind: 'mail', what: to },
      { kind: 'mail_address', what: visitorNetwork(networkAddress) },
    ],
    nowMs,
  );
  const { installationName: service, defaultLanguage } = await settings.current();
  // Asked for everybody, as whether there is an account is: see below.
  const language = (await readLanguage(database, to)) ?? ofPage ?? defaultLanguage;
  const isKnown = (await findUser(database, to)) !== null;
  const data: z.infer<typeof dataSchema> = { email: to };
  // Also where nobody gets it, so that the time of the answer says as little as its words.
  const secret = await database.transaction((trx) =>
    openChallenge(trx, { kind: 'registration', userId: null, data, nowMs }),
  );
  const letter = isKnown
    ? ({ kind: 'known' } as const)
    : ({ kind: 'registration', secret } as const);
  postLetter(post, { to, letter, language, service });
}

/** Opens the account whose address got the link. */
export async function confirmRegistration(
  deps: RegistrationDeps,
  { secret, name, password, visitor }: Registration & { secret: string },
): Promise<OpenedSession> {
  await refuseUnlessOpen(deps);
  const { database, clock, hasher } = deps;
  const asked = { kind: 'registration', secret, nowMs: clock.now() } as const;
  const found = await findChallenge(database, asked);
  if (!found) throw isOver();
  const { email } = dataSchema.parse(found.data);
  const account = checkAccount(newAccount({ email, name }));
  checkNewPassword(password, account.email);
  const hash = await hasher.hash(password);
  return database.transaction(async (trx) => {
    const nowMs = clock.now();
    if (!(await takeChallenge(trx, { ...asked, nowMs }))) throw isOver();
    return open(trx, account, { hash, visitor, nowMs });
  });
}

interface RegistrationDeps extends SignInDeps {
  hasher: PasswordHasher;
  settings: SettingsCache;
}

interface Registration {
  name: string;
  password: string;
  visitor: Visitor;
}

async function refuseUnlessOpen(deps: {
  settings: SettingsCache;
  database: Database;
}): Promise<void> {
  if (await isRegistrationOpen(deps)) return;
  throw new ServiceError('forbidden', 'Accounts are opened by an administrator here.', {
    retryable: false,
  });
}

/** So that one visitor cannot fill the list of users. */
function claimPlace(
  { database, clock }: { database: Database; clock: Clock },
  { address }: Visitor,
): Promise<void> {
  const what = visitorNetwork(address);
  return claimTries(database, [{ kind: 'registration', what }], clock.now());
}

function newAccount({ email, name }: { email: string; name: string }): NewAccount {
  return { email, name, role: 'user', slotsMax: null, topUp: null };
}

async function open(
  trx: Trx,
  account: NewAccount,
  { hash, visitor, nowMs }: { hash: string; visitor: Visitor; nowMs: number },
): Promise<OpenedSession> {
  const source = { actor: 'system', reason: null, nowMs };
  const { id: userId, email } = await addAccount(trx, account, source);
  await writePassword(trx, { userId, hash, changedAt: nowMs });
  const detail = { email };
  const entry = { action: 'user.register', subject: userId, detail, topic: 'accounts' } as const;
  await noteChange(trx, entry, { actor: userId, reason: null, nowMs });
  return openSession(trx, { userId, method: 'password', visitor, nowMs });
}

function isOver(): ServiceError {
  return new ServiceError(
    'not_found',
    'This link has been used or is too old. Ask for another one.',
  );
}
