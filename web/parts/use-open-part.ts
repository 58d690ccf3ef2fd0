import { useCallback } from 'react';
import { loadPart } from '../api/load-part.ts';
import { shellText } from '../i18n/shell-text.ts';
import { useText } from '../i18n/text.ts';
import { useTellFailure } from './use-tell-failure.ts';

/** Loads what a button needs; says so where it cannot be loaded, and yields null. The button can be used again. */
export function useOpenPart(): <T>(load: () => Promise<T>) => Promise<T | null> {
  const t = useText(shellText);
  const tellFailure = useTellFailure();
  return useCallback(
    async (load) => {
      try {
        return await loadPart(load);
      } catch (error) {
        tellFailure(t.broken.part, error);
        return null;
      }
    },
    [t, tellFailure],
  );
}
