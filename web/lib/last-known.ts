import { useState } from 'react';

/**
 * The value, or while it is null the last one there was: what is being read again does not vanish from the page
 * meanwhile.
 *
 * @param key what the value belongs to; a value of another key is never given
 */
export function useLastKnown<T>(key: string | null, value: T | null): T | null {
  const [last, setLast] = useState<{ key: string | null; value: T } | null>(null);
  if (value !== null && (last?.key !== key || last.value !== value)) setLast({ key, value });
  return value ?? (last?.key === key ? last.value : null);
}
