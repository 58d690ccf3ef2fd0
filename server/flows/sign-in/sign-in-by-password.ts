import type { User } from '../../accounts/user.ts';
import { findUser } from '../../accounts/user-store.ts';
import type { Database, Trx } from '../../db/db.ts';
import { findAuthenticator } from '../../identity/authenticator-store.ts';
import { openChallenge } from '../../identity/challenge-store.ts';
import type { PasswordHasher } from '../../identity/password-hasher.ts';
import { findPassword, replaceHash } from '../../identity/password-store.ts';
import { visitorNetwork } from '../../identity/try-limit.ts';
import { claimTries, clearTries, giveBackTry, type Try } from '../../identity/try-store.ts';
import type { Clock } from '../../lib/clock.ts';
import { ServiceError } from '../../lib/service-error.ts';
import { checkPassword } from './check-password.ts';
import { lockWhoEnters } from './lock-who-enters.ts';
import { type OpenedSession, openSession, type Visitor } from './open-session.ts';

export interface SignInDeps {
  database: Database;
  clock: Clock;
}

export type SignIn =
  | { kind: 'signed_in'; opened: OpenedSession }
  /** The password was right; `secret` answers for that when the code comes. */
  | { kind: 'second_factor'; secret: string };

/**
 * Signs in with e-mail address and password. The answer, and the time it takes, is the same for a
 * wrong password, an account that is not there, has no password, or is disabled.
 */
export async function signInByPassword(
  deps: SignInDeps & { hasher: PasswordHasher },
  { email, password, visitor }: { email: string; password: string; visitor: Visitor },
): Promise<SignIn> {
  const { database, clock, hasher } = deps;
  const address = email.trim().toLowerCase();
  const tries: Tries = {
    account: { kind: 'account', what: address },
    network: { kind: 'address', what: visitorNetwork(visitor.address) },
  };
  await claimTries(database, [tries.account, tries.network], clock.now());
  // Without an @ it would be looked for among IDs.
  const user = await findUser(database, address.includes('@') ? address : '@');
  const stored = await findPassword(database, user?.id ?? '');
  const isRight = await checkPassword(deps, {
    stored: stored?.hash ?? null,
    password,
    tries: [tries.account, tries.network],
  });
  if (!user || !stored || user.disabledAt !== null || !isRight) throw wrongPassword();
  const rehashed = hasher.isOutdated(stored.hash) ? await hasher.hash(password) : null;
  return database.transaction(async (trx) => {
    // While this password was being checked, it may have been changed, or the user disabled.
    if (!(await lockWhoEnters(trx, user.id))) throw wrongPassword();
    const present = await findPassword(trx, user.id);
    if (present?.hash !== stored.hash) throw wrongPassword();
    if (rehashed !== null) {
      await replaceHash(trx, { userId: user.id, from: stored.hash, to: rehashed });
    }
    return welcome(trx, user, { tries, visitor, nowMs: clock.now() });
  });
}

interface Tries {
  account: Try;
  network: Try;
}

async function welcome(
  trx: Trx,
  { id: userId }: User,
  { tries, visitor, nowMs }: { tries: Tries; visitor: Visitor; nowMs: number },
): Promise<SignIn> {
  await clearTries(trx, tries.account);
  await giveBackTry(trx, tries.network);
  const authenticator = await findAuthenticator(trx, userId);
  if (authenticator && authenticator.confirmedAt !== null) {
    const secret = await openChallenge(trx, { kind: 'second_factor', userId, data: {}, nowMs });
    return { kind: 'second_factor', secret };
  }
  const opened = await openSession(trx, { userId, method: 'password', visitor, nowMs });
  return { kind: 'signed_in', opened };
}

function wrongPassword(): ServiceError {
  return new ServiceError('unauthorized', 'The e-mail address or the password is wrong.', {
    param: 'password',
    retryable: false,
  });
}
