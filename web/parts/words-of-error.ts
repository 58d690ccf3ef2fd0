import type { ApiError } from '../api/api-error.ts';

/**
 * What went wrong, in words of the console for what may happen to every request, and else in the service's: what it cannot
 * answer and does not ask to be asked again for, such as a sum that is too large, it alone can tell.
 *
 * @param own of the console, by code
 */
export function wordsOf(error: ApiError, own: Readonly<Record<string, string>>): string {
  const { code, message, retryAfterSeconds } = error;
  if (code === 'unavailable' && retryAfterSeconds === null) return message;
  return own[code] ?? message;
}
