import type { Trx } from '../../db/db.ts';
import { acceptCode, cleanCode } from '../../identity/authenticator.ts';
import { findAuthenticator, noteStep } from '../../identity/authenticator-store.ts';
import { cleanRecoveryCode, hashRecoveryCode } from '../../identity/recovery-code.ts';
import { useRecoveryCode } from '../../identity/recovery-code-store.ts';
import type { SecretBox } from '../../lib/secret-box.ts';
import { ServiceError } from '../../lib/service-error.ts';

/** Whether a code of the authenticator, or a recovery code, is right; either is used up by it. */
export async function checkSecondFactor(
  trx: Trx,
  { userId, code, secretBox, nowMs }: GivenCode,
): Promise<boolean> {
  if (cleanRecoveryCode(code) !== null) {
    return useRecoveryCode(trx, { userId, hash: hashRecoveryCode(code, userId), nowMs });
  }
  return checkAuthenticatorCode(trx, { userId, code, secretBox, nowMs });
}

/** Also of an authenticator that was not confirmed before: this is how it is. */
export async function checkAuthenticatorCode(
  trx: Trx,
  { userId, code, secretBox, nowMs }: GivenCode,
): Promise<boolean> {
  const authenticator = await findAuthenticator(trx, userId);
  if (!authenticator) return false;
  const secret = openSecret(secretBox, authenticator.sealedSecret, userId);
  const { lastStep } = authenticator;
  const step = acceptCode({ secret, code: cleanCode(code), lastStep, nowMs });
  return step !== null && (await noteStep(trx, { userId, step, nowMs }));
}

/** An installation that was restored without its secret key cannot open it. */
function openSecret(secretBox: SecretBox, sealed: string, userId: string): string {
  try {
    return secretBox.open(sealed, userId);
  } catch (error) {
    const message =
      'Codes of authenticators cannot be checked: this service has another secret key than when yours was set up. Enter a recovery code, or ask an administrator to remove the authenticator.';
    throw new ServiceError('unavailable', message, { retryable: false, cause: error });
  }
}

interface GivenCode {
  userId: string;
  code: string;
  secretBox: SecretBox;
  nowMs: number;
}
