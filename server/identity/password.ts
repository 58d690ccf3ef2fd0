import { passwordLengthFault, passwordLimits } from '../../shared/password-rule.ts';
import type { PasswordRow } from '../db/identity-schema.ts';
import { invalidRequest } from '../lib/service-error.ts';

export interface Password {
  userId: string;
  hash: string;
  changedAt: number;
}

/** Checks a new password. Blanks count: whole sentences are good passwords. */
export function checkNewPassword(password: string, email: string): void {
  if (passwordLengthFault(password)) {
    const { charactersMin, charactersMax } = passwordLimits;
    throw invalidRequest(
      'password',
      `A password must have ${charactersMin} to ${charactersMax} characters.`,
    );
  }
  if (password.trim().toLowerCase() === email.trim().toLowerCase()) {
    throw invalidRequest('password', 'The password must not be the e-mail address.');
  }
}

export function passwordFromRow(row: PasswordRow): Password {
  return { userId: row.user_id, hash: row.hash, changedAt: row.changed_at };
}
