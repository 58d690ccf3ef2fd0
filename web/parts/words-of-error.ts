import type { ApiError } from '../api/api-error.ts';
import type { service } from '../i18n/en/service.ts';
import { said } from '../i18n/said.ts';

/** What words of ours there are. */
export interface ErrorWords {
  /** Of the console, by code, for what may happen to every request. */
  own: Readonly<Record<string, string>>;
  /** Of what the service says. */
  known: typeof service;
}

/**
 * What went wrong, in words of the console for what may happen to every request, and else in the service's: what it cannot
 * answer and does not ask to be asked again for, such as a sum that is too large, it alone can tell.
 */
export function wordsOf(error: ApiError, { own, known }: ErrorWords): string {
  const { code, message, retryAfterSeconds } = error;
  const isItsOwn = code === 'unavailable' && retryAfterSeconds === null;
  return (isItsOwn ? undefined : own[code]) ?? said(message, known);
}
