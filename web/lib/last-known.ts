import { useState } from 'react';

/** A value as it is or last was: what is read anew is not missing meanwhile. */
export function useLastKnown<T>(key: string | null, value: T | null): T | null {
  const [last, setLast] = useState<{ key: string | null; value: T } | null>(null);
  if (value !== null && (last?.key !== key || last.value !== value)) setLast({ key, value });
  return value ?? (last?.key === key ? last.value : null);
}
