import { useCallback } from 'react';
import type { ApiError } from '../api/api-error.ts';
import { said } from '../i18n/said.ts';
import { serviceText } from '../i18n/service-text.ts';
import { shellText } from '../i18n/shell-text.ts';
import { useText } from '../i18n/text.ts';
import { wordsOf } from './words-of-error.ts';

/** What went wrong, in the user's language as far as it has words for it. */
export function useErrorWords(): (error: ApiError) => string {
  const own = useText(shellText).errors;
  const known = useText(serviceText);
  return useCallback((error) => wordsOf(error, { own, known }), [own, known]);
}

/** What the service said, where something of its own has to be told, as of one field or of a charge. */
export function useSaid(): (message: string) => string {
  const known = useText(serviceText);
  return useCallback((message) => said(message, known), [known]);
}
