import type { PasswordRow } from '../db/identity-schema.ts';
import { invalidRequest } from '../lib/service-error.ts';

/** Length is all that is asked for: rules of composition make passwords that are easier to guess. */
export const passwordLimits = {
  /** Unicode code points. */
  charactersMin: 12,
  /** So that nobody makes us hash a book. */
  charactersMax: 200,
} as const;

export interface Password {
  userId: string;
  hash: string;
  changedAt: number;
}

/** Checks a new password. Blanks count: whole sentences are good passwords. */
export function checkNewPassword(password: string, email: string): void {
  const { charactersMin, charactersMax } = passwordLimits;
  const length = [...password].length;
  if (length < charactersMin || length > charactersMax) {
    throw invalidRequest(
      'password',
      `A password has ${charactersMin} to ${charactersMax} characters.`,
    );
  }
  if (password.trim().toLowerCase() === email.trim().toLowerCase()) {
    throw invalidRequest('password', 'The password must not be the e-mail address.');
  }
}

export function passwordFromRow(row: PasswordRow): Password {
  return { userId: row.user_id, hash: row.hash, changedAt: row.changed_at };
}
