import { useLocation } from '@tanstack/react-router';
import { linkSecretPattern } from '../../shared/console/links.ts';

export interface LinkSecret {
  /** Null without one, and where a part of it is missing. */
  secret: string | null;
  isIncomplete: boolean;
}

/** Of a link such as `/invitation#…`; no server gets to see it. */
export function useLinkSecret(): LinkSecret {
  const { hash } = useLocation();
  const isWhole = isLinkSecret(hash);
  return { secret: isWhole ? hash : null, isIncomplete: hash !== '' && !isWhole };
}

export function isLinkSecret(text: string): boolean {
  return linkSecretPattern.test(text);
}
