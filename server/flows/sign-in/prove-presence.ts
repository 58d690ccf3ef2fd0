import type { Database } from '../../db/db.ts';
import { notePasskeyUse } from '../../identity/passkey-store.ts';
import type { PasswordHasher } from '../../identity/password-hasher.ts';
import { findPassword } from '../../identity/password-store.ts';
import { noteProven } from '../../identity/session-store.ts';
import { claimTries, clearTries, type Try } from '../../identity/try-store.ts';
import type { Clock } from '../../lib/clock.ts';
import { invalidRequest } from '../../lib/service-error.ts';
import { checkPassword } from './check-password.ts';
import type { SessionOwner } from './lock-own-session.ts';
import { checkAnswer, type PasskeyAnswer } from './sign-in-by-passkey.ts';

/** Whoever sits at a signed-in screen shows that they know the password. */
export async function proveByPassword(
  deps: { database: Database; clock: Clock; hasher: PasswordHasher },
  { userId, sessionId, password }: SessionOwner & { password: string },
): Promise<void> {
  const { database, clock } = deps;
  const proof: Try = { kind: 'proof', what: userId };
  await claimTries(database, [proof], clock.now());
  const stored = (await findPassword(database, userId))?.hash ?? null;
  if (!(await checkPassword(deps, { stored, password, tries: [proof] }))) {
    throw invalidRequest('password', 'The password is wrong.');
  }
  await database.transaction(async (trx) => {
    await clearTries(trx, proof);
    await noteProven(trx, sessionId, clock.now());
  });
}

/** As `proveByPassword`, with one of their passkeys. */
export async function proveByPasskey(
  deps: { database: Database; clock: Clock },
  { userId, sessionId, ...given }: SessionOwner & PasskeyAnswer,
): Promise<void> {
  const { database, clock } = deps;
  const used = await checkAnswer(deps, { ...given, purpose: 'passkey_proof', userId });
  const isProven =
    used !== null &&
    (await database.transaction(async (trx) => {
      const nowMs = clock.now();
      const { id, counter: from } = used.passkey;
      if (!(await notePasskeyUse(trx, { id, from, to: used.counter, nowMs }))) return false;
      await noteProven(trx, sessionId, nowMs);
      return true;
    }));
  if (!isProven) throw invalidRequest(null, 'This passkey was not accepted. Try again.');
}
