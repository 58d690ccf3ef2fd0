import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import type { Database } from '../../db/db.ts';
import type { Challenge, ChallengeKind } from '../../identity/challenge.ts';
import { openChallenge, takeChallenge } from '../../identity/challenge-store.ts';
import type { Passkey } from '../../identity/passkey.ts';
import { askForPasskey, checkPasskeyAnswer, type Site } from '../../identity/passkey-ceremony.ts';
import { findPasskey, listPasskeys, notePasskeyUse } from '../../identity/passkey-store.ts';
import type { QuestionLimit } from '../../identity/question-limit.ts';
import { visitorNetwork } from '../../identity/try-limit.ts';
import { claimTries, giveBackTry, type Try } from '../../identity/try-store.ts';
import { ServiceError } from '../../lib/service-error.ts';
import { lockWhoEnters } from './lock-who-enters.ts';
import { type OpenedSession, openSession, type Visitor } from './open-session.ts';
import type { SignInDeps } from './sign-in-by-password.ts';

export interface PasskeyQuestion {
  /** Goes back with the answer. */
  secret: string;
  options: PublicKeyCredentialRequestOptionsJSON;
}

type Purpose = Extract<ChallengeKind, 'passkey_sign_in' | 'passkey_proof'>;

/** For somebody who is not signed in; so many for each network address. */
export async function askPasskeyToSignIn(
  deps: SignInDeps & { questions: QuestionLimit },
  { site, networkAddress }: { site: Site; networkAddress: string | null },
): Promise<PasskeyQuestion> {
  deps.questions.take(networkAddress);
  return askPasskey(deps, { site, purpose: 'passkey_sign_in', userId: null });
}

/** @param userId null asks for whichever passkey the visitor has */
export async function askPasskey(
  { database, clock }: SignInDeps,
  { site, purpose, userId }: { site: Site; purpose: Purpose; userId: string | null },
): Promise<PasskeyQuestion> {
  const known = userId === null ? null : await listPasskeys(database, userId);
  const options = await askForPasskey(site, known);
  const data = { challenge: options.challenge };
  const secret = await database.transaction((trx) =>
    openChallenge(trx, { kind: purpose, userId, data, nowMs: clock.now() }),
  );
  return { secret, options };
}

export interface PasskeyAnswer {
  site: Site;
  secret: string;
  answer: AuthenticationResponseJSON;
}

/** Signs in with a passkey alone: its device has asked for a face, a finger or a PIN. */
export async function signInByPasskey(
  deps: SignInDeps,
  { visitor, ...given }: PasskeyAnswer & { visitor: Visitor },
): Promise<OpenedSession> {
  const { database, clock } = deps;
  const network: Try = { kind: 'address', what: visitorNetwork(visitor.address) };
  await claimTries(database, [network], clock.now());
  const used = await checkAnswer(deps, { ...given, purpose: 'passkey_sign_in', userId: null });
  if (!used) throw notAccepted();
  const opened = await database.transaction(async (trx) => {
    const nowMs = clock.now();
    const { passkey, counter } = used;
    const { id, userId, counter: from } = passkey;
    if (!(await lockWhoEnters(trx, userId))) return null;
    if (!(await notePasskeyUse(trx, { id, from, to: counter, nowMs }))) return null;
    await giveBackTry(trx, network);
    return openSession(trx, { userId, method: 'passkey', visitor, nowMs });
  });
  if (!opened) throw notAccepted();
  return opened;
}

interface UsedPasskey {
  passkey: Passkey;
  counter: number;
}

/** Uses the question up, whatever the answer; null when the answer is not right. */
export async function checkAnswer(
  { database, clock }: { database: Database; clock: SignInDeps['clock'] },
  {
    site,
    secret,
    answer,
    purpose,
    userId,
  }: PasskeyAnswer & { purpose: Purpose; userId: string | null },
): Promise<UsedPasskey | null> {
  const nowMs = clock.now();
  const asked = await database.transaction((trx) =>
    takeChallenge(trx, { kind: purpose, secret, nowMs }),
  );
  const passkey = await findPasskey(database, answer.id);
  if (!asked || asked.userId !== userId || !passkey) return null;
  if (userId !== null && passkey.userId !== userId) return null;
  // The device says whose the passkey is; it must be whom it was registered for.
  const { userHandle } = answer.response;
  const handle = Buffer.from(passkey.userId).toString('base64url');
  if (userHandle !== undefined && userHandle !== handle) return null;
  const right = await checkPasskeyAnswer({ site, challenge: challengeOf(asked), passkey, answer });
  return right && { passkey, counter: right.counter };
}

export function challengeOf({ data }: Challenge): string {
  return typeof data['challenge'] === 'string' ? data['challenge'] : '';
}

function notAccepted(): ServiceError {
  return new ServiceError('unauthorized', 'This passkey was not accepted. Try again.', {
    retryable: false,
  });
}
