import { useLocation } from '@tanstack/react-router';

/** The secret of a link such as `/invitation#…`, which no server gets to see; null without one. */
export function useLinkSecret(): string | null {
  const { hash } = useLocation();
  return hash === '' ? null : hash;
}
