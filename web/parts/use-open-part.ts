import { useCallback } from 'react';
import { toApiError } from '../api/api-error.ts';
import { loadPart } from '../api/load-part.ts';
import { shellText } from '../i18n/shell-text.ts';
import { useText } from '../i18n/text.ts';
import { useToast } from '../ui/toast.tsx';

/** Loads what a button needs; says so where it cannot be loaded, and yields null. The button can be used again. */
export function useOpenPart(): <T>(load: () => Promise<T>) => Promise<T | null> {
  const t = useText(shellText);
  const toast = useToast();
  return useCallback(
    async (load) => {
      try {
        return await loadPart(load);
      } catch (error) {
        const own: Readonly<Record<string, string>> = t.errors;
        toast({ title: t.broken.part, text: own[toApiError(error).code] ?? t.broken.text });
        return null;
      }
    },
    [t, toast],
  );
}
