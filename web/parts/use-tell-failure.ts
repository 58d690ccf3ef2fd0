import { useCallback } from 'react';
import { toApiError } from '../api/api-error.ts';
import { shellText } from '../i18n/shell-text.ts';
import { useText } from '../i18n/text.ts';
import { uiText } from '../i18n/ui-text.ts';
import { useToast } from '../ui/toast.tsx';
import { useErrorWords } from './use-error-words.ts';

/** Says what failed where no place on the page belongs to it, as for an item of a menu. It stays until dismissed. */
export function useTellFailure(): (title: string, thrown: unknown) => void {
  const t = useText(shellText);
  const { sentences } = useText(uiText);
  const wordsOf = useErrorWords();
  const toast = useToast();
  return useCallback(
    (title, thrown) => {
      const error = toApiError(thrown);
      const trace = error.traceId ? [`${t.traceIdIs} ${error.traceId}`] : [];
      const text = [wordsOf(error), ...trace];
      toast({ title, text: sentences(text), forMs: 0 });
    },
    [t, sentences, wordsOf, toast],
  );
}
