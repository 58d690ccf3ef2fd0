/** The first account of all: by a link that the service prints, or by options at start. */
import { beginningOf } from '../../../shared/beginning.ts';
import type { Language } from '../../../shared/languages.ts';
import { userNameCharactersMax } from '../../accounts/user.ts';
import { isSetUp } from '../../accounts/user-store.ts';
import { isDuplicate } from '../../db/database-error.ts';
import type { Database, Trx } from '../../db/db.ts';
import { dropChallenges, findChallenge, openChallenge } from '../../identity/challenge-store.ts';
import { checkNewPassword } from '../../identity/password.ts';
import type { PasswordHasher } from '../../identity/password-hasher.ts';
import { writePassword } from '../../identity/password-store.ts';
import type { Clock } from '../../lib/clock.ts';
import { ServiceError } from '../../lib/service-error.ts';
import { settingsTable } from '../../settings/settings.ts';
import { readSetting, writeSetting } from '../../settings/settings-store.ts';
import { noteChange } from '../admin-change.ts';
import { type OpenedSession, openSession, type Visitor } from '../sign-in/open-session.ts';
import type { SignInDeps } from '../sign-in/sign-in-by-password.ts';
import { addAccount, checkAccount, type NewAccount } from '../users/open-account.ts';

/** Remembers that somebody has an account: users are never deleted, so that it stays true. */
export class SetUpWatch {
  readonly #database: Database;
  #isSetUp = false;

  constructor(database: Database) {
    this.#database = database;
  }

  async isSetUp(): Promise<boolean> {
    this.#isSetUp ||= await isSetUp(this.#database);
    return this.#isSetUp;
  }
}

/** The secret of a link that makes the first account; null when there is one. */
export function issueSetupLink({
  database,
  clock,
}: {
  database: Database;
  clock: Clock;
}): Promise<string | null> {
  return database.transaction(async (trx) => {
    if (await isSetUp(trx)) return null;
    return openChallenge(trx, { kind: 'setup', userId: null, data: {}, nowMs: clock.now() });
  });
}

/** Whether a secret would make the first account. */
export async function isSetupSecret(
  { database, clock }: SignInDeps,
  secret: string,
): Promise<boolean> {
  const nowMs = clock.now();
  return (await findChallenge(database, { kind: 'setup', secret, nowMs })) !== null;
}

interface FirstAccount {
  email: string;
  password: string;
}

/** Makes the first administrator and signs them in. Of several who try at once, one does. */
export async function setUpInstallation(
  { database, clock, hasher }: SignInDeps & { hasher: PasswordHasher },
  {
    secret,
    email,
    password,
    visitor,
    language,
  }: FirstAccount & { secret: string; visitor: Visitor; language: Language | null },
): Promise<OpenedSession> {
  const asked = { kind: 'setup', secret, nowMs: clock.now() } as const;
  // Before the hash, which is work that strangers should not be able to ask for.
  if (!(await findChallenge(database, asked))) throw notAccepted();
  const account = firstAccount(email);
  checkNewPassword(password, account.email);
  const hash = await hasher.hash(password);
  return database.transaction(async (trx) => {
    const nowMs = clock.now();
    if (!(await findChallenge(trx, { ...asked, nowMs }))) throw notAccepted();
    // Waits for whoever is doing the same, with this link or another, and then sees their account.
    // All links in one statement: who took their own first would wait for each other in a circle.
    await dropChallenges(trx, { kind: 'setup', userId: null });
    if (await isSetUp(trx)) throw notAccepted();
    const userId = await addFirst(trx, account, { hash, nowMs });
    await takeLanguage(trx, language, { actor: userId, nowMs });
    return openSession(trx, { userId, method: 'setup', visitor, nowMs });
  });
}

/** For starts without anybody at a browser; answers whether there is a new account. */
export async function createFirstAdmin(
  { database, clock, hasher }: SignInDeps & { hasher: PasswordHasher },
  { email, password }: FirstAccount,
): Promise<boolean> {
  if (await isSetUp(database)) return false;
  const account = firstAccount(email);
  checkNewPassword(password, account.email);
  const hash = await hasher.hash(password);
  try {
    return await database.transaction(async (trx) => {
      await dropChallenges(trx, { kind: 'setup', userId: null });
      if (await isSetUp(trx)) return false;
      await addFirst(trx, account, { hash, nowMs: clock.now() });
      return true;
    });
  } catch (error) {
    // Another process, started with the same options at the same moment, was faster.
    if (isDuplicate(error) || (await isSetUp(database))) return false;
    throw error;
  }
}

function firstAccount(email: string): NewAccount {
  const name = beginningOf(email.trim(), userNameCharactersMax);
  return checkAccount({ email, name, role: 'admin', slotsMax: null, topUp: null });
}

async function addFirst(
  trx: Trx,
  account: NewAccount,
  { hash, nowMs }: { hash: string; nowMs: number },
): Promise<string> {
  const source = { actor: 'system', reason: null, nowMs };
  const { id: userId, email, role } = await addAccount(trx, account, source);
  await writePassword(trx, { userId, hash, changedAt: nowMs });
  const entry = { action: 'installation.set_up', subject: userId, topic: 'accounts' } as const;
  const detail = { email, role };
  await noteChange(trx, { ...entry, detail }, { actor: userId, reason: null, nowMs });
  return userId;
}

/** The installation speaks as the page on which it was set up, unless somebody has said otherwise by now. */
async function takeLanguage(
  trx: Trx,
  language: Language | null,
  { actor, nowMs }: { actor: string; nowMs: number },
): Promise<void> {
  const { name, default: before } = settingsTable.defaultLanguage;
  if (language === null || language === before) return;
  if ((await readSetting(trx, 'defaultLanguage')) !== before) return;
  await writeSetting(trx, 'defaultLanguage', language);
  const detail = { from: before, to: language };
  const entry = { action: 'setting.change', subject: name, detail, topic: 'settings' } as const;
  await noteChange(trx, entry, { actor, reason: null, nowMs });
}

function notAccepted(): ServiceError {
  return new ServiceError(
    'forbidden',
    'This setup link has been used or is too old. The service prints another when it starts.',
    { retryable: false },
  );
}
