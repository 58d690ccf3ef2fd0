import { formatAmount, zero } from '../../../shared/money.ts';
import type { User } from '../../accounts/user.ts';
import { setEmailProven } from '../../accounts/user-store.ts';
import type { Db, Trx } from '../../db/db.ts';
import type { Invitation } from '../../identity/invitation.ts';
import { endInvitation, findOpenInvitation } from '../../identity/invitation-store.ts';
import { checkNewPassword } from '../../identity/password.ts';
import type { PasswordHasher } from '../../identity/password-hasher.ts';
import { writePassword } from '../../identity/password-store.ts';
import { hashIdentitySecret } from '../../identity/secret.ts';
import { visitorNetwork } from '../../identity/try-limit.ts';
import { claimTries, giveBackTry, type Try } from '../../identity/try-store.ts';
import { invalidRequest, ServiceError } from '../../lib/service-error.ts';
import { readSettings } from '../../settings/settings-store.ts';
import { noteChange } from '../admin-change.ts';
import { isStillAdmin } from '../users/is-still-admin.ts';
import { addAccount, checkAccount } from '../users/open-account.ts';
import { type OpenedSession, openSession, type Visitor } from './open-session.ts';
import type { SignInDeps } from './sign-in-by-password.ts';

/** What an invitation offers, for whoever has its link. */
export async function readInvitation(
  { database, clock }: SignInDeps,
  secret: string,
): Promise<Invitation> {
  if (await isClosed(database)) {
    throw new ServiceError('forbidden', 'Accounts are opened by an administrator here.', {
      retryable: false,
    });
  }
  const hash = hashIdentitySecret(secret);
  const invitation = await findOffer(database, { hash, nowMs: clock.now() });
  if (!invitation) throw isOver();
  return invitation;
}

/** Opens the account that an invitation offers, and signs in. */
export async function acceptInvitation(
  deps: SignInDeps & { hasher: PasswordHasher },
  { secret, name, password, visitor, ...given }: Acceptance,
): Promise<OpenedSession> {
  const { database, clock, hasher } = deps;
  const network: Try = { kind: 'registration', what: visitorNetwork(visitor.address) };
  const { email: invited } = await readInvitation(deps, secret);
  const email = invited ?? given.email;
  if (email === null) throw invalidRequest('email', 'Give your e-mail address.');
  checkNewPassword(password, email);
  await claimTries(database, [network], clock.now());
  const passwordHash = await hasher.hash(password);
  return database.transaction(async (trx) => {
    const nowMs = clock.now();
    const hash = hashIdentitySecret(secret);
    const invitation = await findOffer(trx, { hash, nowMs });
    if (!invitation) throw isOver();
    const { id: userId } = await addInvited(trx, invitation, { email, name, nowMs });
    // Whoever typed an address themselves has shown nothing of it.
    if (invitation.email === null) await setEmailProven(trx, userId, false);
    await writePassword(trx, { userId, hash: passwordHash, changedAt: nowMs });
    await giveBackTry(trx, network);
    return openSession(trx, { userId, method: 'invitation', visitor, nowMs });
  });
}

interface Acceptance {
  secret: string;
  /** Where the invitation names none. */
  email: string | null;
  name: string;
  password: string;
  visitor: Visitor;
}

/** The account, with its money in the name of the admin who offered it; uses the invitation up. */
export async function addInvited(
  trx: Trx,
  { id, role, topUp, invitedBy }: Invitation,
  { email, name, nowMs }: { email: string; name: string; nowMs: number },
): Promise<User> {
  const account = checkAccount({
    email,
    name,
    role,
    slotsMax: null,
    topUp: topUp === zero ? null : topUp,
  });
  const reason = `invitation ${id}`;
  const user = await addAccount(trx, account, { actor: invitedBy, reason, nowMs });
  if (!(await endInvitation(trx, { id, acceptedBy: user.id, nowMs }))) throw isOver();
  const detail = {
    user_id: user.id,
    email: user.email,
    role,
    top_up: formatAmount(topUp),
    invited_by: invitedBy,
  };
  const entry = { action: 'invitation.accept', subject: id, detail, topic: 'accounts' } as const;
  await noteChange(trx, entry, { actor: user.id, reason: null, nowMs });
  return user;
}

/** An open invitation; one of somebody who may no longer offer it is worth nothing, nor is any while nobody may. */
export async function findOffer(
  db: Db,
  wanted: { hash: string; nowMs: number },
): Promise<Invitation | null> {
  const invitation = (await isClosed(db)) ? null : await findOpenInvitation(db, wanted);
  return invitation && (await isStillAdmin(db, invitation.invitedBy)) ? invitation : null;
}

async function isClosed(db: Db): Promise<boolean> {
  return (await readSettings(db)).registration === 'closed';
}

function isOver(): ServiceError {
  return new ServiceError(
    'not_found',
    'This invitation has been used, taken back, or is too old. Ask for another.',
  );
}
