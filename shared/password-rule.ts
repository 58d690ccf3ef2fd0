/** Length is all that is asked for: rules of composition make passwords that are easier to guess. */
export const passwordLimits = {
  /** Unicode code points. */
  charactersMin: 12,
  /** So that nobody makes us hash a book. */
  charactersMax: 200,
} as const;

/** What is wrong with the length of a new password; null when nothing is. */
export function passwordLengthFault(password: string): 'too_short' | 'too_long' | null {
  const { length } = [...password];
  if (length < passwordLimits.charactersMin) return 'too_short';
  return length > passwordLimits.charactersMax ? 'too_long' : null;
}
