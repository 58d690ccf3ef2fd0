import { z } from 'zod';
import { beginningOf } from '../../../shared/beginning.ts';
import { parseEmail, userNameCharactersMax } from '../../accounts/user.ts';
import { findUser, isEmailProven } from '../../accounts/user-store.ts';
import { isDuplicate } from '../../db/database-error.ts';
import type { Trx } from '../../db/db.ts';
import { openChallenge, takeChallenge } from '../../identity/challenge-store.ts';
import type { Invitation } from '../../identity/invitation.ts';
import {
  findOutsideIdentity,
  insertOutsideIdentity,
  listOutsideIdentities,
} from '../../identity/outside-identity-store.ts';
import type { OutsideIssuer, OutsidePerson } from '../../identity/outside-issuer.ts';
import type { QuestionLimit } from '../../identity/question-limit.ts';
import { hashIdentitySecret } from '../../identity/secret.ts';
import { sessionLimits } from '../../identity/session.ts';
import { isSeen, shownOf } from '../../lib/name-text.ts';
import { ServiceError } from '../../lib/service-error.ts';
import type { SettingsCache } from '../../settings/settings-cache.ts';
import { noteChange } from '../admin-change.ts';
import { addAccount, checkAccount } from '../users/open-account.ts';
import { addInvited, findOffer } from './accept-invitation.ts';
import { isRegistrationOpen } from './is-registration-open.ts';
import { lockWhoEnters } from './lock-who-enters.ts';
import { type OpenedSession, openSession, type Visitor } from './open-session.ts';
import type { SignInDeps } from './sign-in-by-password.ts';

interface BegunVisit {
  /** Where the browser goes. */
  url: string;
  /** Binds the answer to this browser: goes into a cookie. */
  secret: string;
}

const visitSchema = z.object({
  visit: z.object({
    state: z.string(),
    nonce: z.string(),
    verifier: z.string(),
    redirectUri: z.string(),
  }),
  next: z.string(),
  invitationHash: z.string().nullable(),
});

/** Sends a browser to the OpenID issuer. */
export async function beginIssuerSignIn(
  {
    database,
    clock,
    issuer,
    questions,
  }: SignInDeps & { issuer: OutsideIssuer | null; questions: QuestionLimit },
  { redirectUri, next, invitation, anew, networkAddress }: VisitWish,
): Promise<BegunVisit> {
  if (!issuer) throw new ServiceError('not_found', 'There is no other way to sign in here.');
  questions.take(networkAddress);
  const { url, visit } = await issuer.begin({
    redirectUri,
    seenWithinMs: anew ? sessionLimits.provenMs : null,
  });
  const invitationHash = invitation === null ? null : hashIdentitySecret(invitation);
  const data: z.infer<typeof visitSchema> = { visit, next, invitationHash };
  const secret = await database.transaction((trx) =>
    openChallenge(trx, { kind: 'oidc', userId: null, data, nowMs: clock.now() }),
  );
  return { url, secret };
}

interface VisitWish {
  redirectUri: string;
  /** The page to show afterwards. */
  next: string;
  invitation: string | null;
  /** Whether the issuer is to ask for the password although it knows the browser. */
  anew: boolean;
  networkAddress: string | null;
}

export type IssuerProblem =
  /** The browser did not begin here, or took too long. */
  | 'expired'
  /** The issuer or the visitor said no. */
  | 'refused'
  | 'no_account'
  /** The issuer has not seen that the address is theirs. */
  | 'email_unverified'
  /** We have not: somebody may have opened the account in their name. */
  | 'email_unproven'
  /** The issuer knows somebody else as the owner of the account with their address. */
  | 'linked_otherwise'
  | 'disabled';

export type IssuerSignIn =
  | { kind: 'signed_in'; opened: OpenedSession; next: string }
  | { kind: 'refused'; problem: IssuerProblem; next: string };

interface FinishDeps extends SignInDeps {
  issuer: OutsideIssuer | null;
  settings: SettingsCache;
}

/** @param secret null when the browser has no cookie of a visit */
export async function finishIssuerSignIn(
  deps: FinishDeps,
  { secret, answer, visitor }: { secret: string | null; answer: URLSearchParams; visitor: Visitor },
): Promise<IssuerSignIn> {
  const { database, clock, issuer } = deps;
  const begun = secret === null ? null : await takeVisit(deps, secret);
  if (!issuer || !begun) return { kind: 'refused', problem: 'expired', next: '/' };
  const { next, visit, invitationHash } = begun;
  const person = await issuer.finish(answer, visit);
  if (!person) return { kind: 'refused', problem: 'refused', next };
  const isOpen = await isRegistrationOpen(deps);
  const enter = () =>
    database.transaction<IssuerSignIn>(async (trx) => {
      const nowMs = clock.now();
      const userId = await recognise(trx, person, { invitationHash, isOpen, nowMs });
      if (typeof userId !== 'string') return { kind: 'refused', problem: userId.problem, next };
      // An issuer that knows the browser sends it back at once: only its own word is a proof.
      const provenAt = person.seenAgoMs === null ? null : nowMs - person.seenAgoMs;
      const opened = await openSession(trx, { userId, method: 'oidc', visitor, nowMs, provenAt });
      return { kind: 'signed_in', opened, next };
    });
  try {
    return await enter();
  } catch (error) {
    if (!isDuplicate(error) && !isTakenEmail(error)) throw error;
    // They came back in another browser at once, which opened the account or linked it first.
    return enter();
  }
}

/** The address was read before: nothing else can be wrong with it. */
function isTakenEmail(error: unknown): boolean {
  return error instanceof ServiceError && error.param === 'email';
}

async function takeVisit({ database, clock }: SignInDeps, secret: string) {
  const nowMs = clock.now();
  const taken = await database.transaction((trx) =>
    takeChallenge(trx, { kind: 'oidc', secret, nowMs }),
  );
  return taken && visitSchema.parse(taken.data);
}

interface Circumstances {
  invitationHash: string | null;
  /** Whether anybody may open an account. */
  isOpen: boolean;
  nowMs: number;
}

type Recognised = string | { problem: IssuerProblem };

/** Whom of ours the issuer means: answers with their ID. */
async function recognise(
  trx: Trx,
  person: OutsidePerson,
  circumstances: Circumstances,
): Promise<Recognised> {
  const linked = await findOutsideIdentity(trx, person);
  if (linked !== null) {
    const admitted = await admitKnown(trx, linked);
    // Who was unlinked before that is not known by it any more.
    if ((await findOutsideIdentity(trx, person)) === linked) return admitted;
  }
  // An address that nobody verified is what somebody says of themselves.
  if (!person.emailVerified || person.email === null) return { problem: 'email_unverified' };
  const email = emailOrNull(person.email);
  if (email === null) return { problem: 'no_account' };
  const user = await findUser(trx, email);
  if (!user) return openAccountFor(trx, { ...person, email }, circumstances);
  if (!(await isEmailProven(trx, user.id))) return { problem: 'email_unproven' };
  const admitted = await admitKnown(trx, user.id);
  if (typeof admitted !== 'string') return admitted;
  const { issuer, subject } = person;
  const owners = (await listOutsideIdentities(trx, user.id)).filter((at) => at.issuer === issuer);
  // From another browser, a moment ago.
  if (owners.some((owner) => owner.subject === subject)) return admitted;
  // Addresses are given to others when somebody leaves; the account is not.
  if (owners.length > 0) return { problem: 'linked_otherwise' };
  await link(trx, person, { userId: user.id, ...circumstances });
  return admitted;
}

async function admitKnown(trx: Trx, userId: string): Promise<Recognised> {
  return (await lockWhoEnters(trx, userId)) ? userId : { problem: 'disabled' };
}

function emailOrNull(email: string): string | null {
  try {
    return parseEmail(email);
  } catch {
    return null;
  }
}

async function openAccountFor(
  trx: Trx,
  person: OutsidePerson & { email: string },
  { invitationHash, isOpen, nowMs }: Circumstances,
): Promise<Recognised> {
  const invitation = await findInvitationFor(trx, { person, invitationHash, nowMs });
  const name = nameOf(person);
  if (invitation) {
    const { email } = person;
    const { id: userId } = await addInvited(trx, invitation, { email, name, nowMs });
    await link(trx, person, { userId, nowMs });
    return userId;
  }
  if (!isOpen) return { problem: 'no_account' };
  const account = checkAccount({
    email: person.email,
    name,
    role: 'user',
    slotsMax: null,
    topUp: null,
  });
  const source = { actor: 'system', reason: null, nowMs };
  const { id: userId } = await addAccount(trx, account, source);
  const entry = { action: 'user.register', subject: userId, topic: 'accounts' } as const;
  const detail = { email: person.email, issuer: person.issuer };
  await noteChange(trx, { ...entry, detail }, { actor: userId, reason: null, nowMs });
  await link(trx, person, { userId, nowMs });
  return userId;
}

async function findInvitationFor(
  trx: Trx,
  {
    person,
    invitationHash,
    nowMs,
  }: { person: { email: string }; invitationHash: string | null; nowMs: number },
): Promise<Invitation | null> {
  if (invitationHash === null) return null;
  const invitation = await findOffer(trx, { hash: invitationHash, nowMs });
  if (!invitation) return null;
  const isTheirs = invitation.email === null || invitation.email === person.email;
  return isTheirs ? invitation : null;
}

/** Issuers let people call themselves anything. */
function nameOf({ name, email }: { name: string | null; email: string }): string {
  const clean = shortened(shownOf(name ?? '').trim());
  return isSeen(clean) ? clean : shortened(email);
}

function shortened(text: string): string {
  return beginningOf(text, userNameCharactersMax).trim();
}

async function link(
  trx: Trx,
  { issuer, subject }: OutsidePerson,
  { userId, nowMs }: { userId: string; nowMs: number },
): Promise<void> {
  await insertOutsideIdentity(trx, { issuer, subject, userId, nowMs });
  const entry = { action: 'user.link_issuer', subject: userId, detail: { issuer }, topic: null };
  await noteChange(trx, entry, { actor: userId, reason: null, nowMs });
}
