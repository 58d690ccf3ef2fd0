import { findChallenge, takeChallenge } from '../../identity/challenge-store.ts';
import { cleanRecoveryCode } from '../../identity/recovery-code.ts';
import { countRecoveryCodes } from '../../identity/recovery-code-store.ts';
import { visitorNetwork } from '../../identity/try-limit.ts';
import { claimTries, clearTries, giveBackTry, type Try } from '../../identity/try-store.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { invalidRequest, ServiceError } from '../../lib/service-error.ts';
import { checkSecondFactor } from './check-second-factor.ts';
import { lockWhoEnters } from './lock-who-enters.ts';
import { type OpenedSession, openSession, type Visitor } from './open-session.ts';
import type { SignInDeps } from './sign-in-by-password.ts';

export interface SecondStep {
  userId: string;
  opened: OpenedSession;
  /** Null where the code was none of them. */
  recoveryCodesLeft: number | null;
}

/** The second step, for whoever has just given the right password. */
export async function signInBySecondFactor(
  { database, clock, secretBox }: SignInDeps & { secretBox: SecretBox },
  { secret, code, visitor }: { secret: string; code: string; visitor: Visitor },
): Promise<SecondStep> {
  const asked = { kind: 'second_factor', secret, nowMs: clock.now() } as const;
  const userId = (await findChallenge(database, asked))?.userId;
  if (!userId) throw tooLate();
  const account: Try = { kind: 'second_factor', what: userId };
  const network: Try = { kind: 'address', what: visitorNetwork(visitor.address) };
  await claimTries(database, [account, network], asked.nowMs);
  const outcome = await database.transaction(async (trx) => {
    const nowMs = clock.now();
    if (!(await lockWhoEnters(trx, userId))) return 'too late';
    if (!(await checkSecondFactor(trx, { userId, code, secretBox, nowMs }))) return 'wrong';
    if (!(await takeChallenge(trx, { ...asked, nowMs }))) return 'too late';
    await clearTries(trx, account);
    await giveBackTry(trx, network);
    const opened = await openSession(trx, { userId, method: 'password', visitor, nowMs });
    const isRecovery = cleanRecoveryCode(code) !== null;
    const recoveryCodesLeft = isRecovery ? await countRecoveryCodes(trx, userId) : null;
    return { userId, opened, recoveryCodesLeft };
  });
  if (outcome === 'too late') throw tooLate();
  if (outcome === 'wrong') throw invalidRequest('code', 'The code is wrong, or was used already.');
  return outcome;
}

function tooLate(): ServiceError {
  return new ServiceError('unauthorized', 'That took too long. Enter your password again.', {
    retryable: false,
  });
}
