/**
 * Links of which the secret is all that is needed. It stands behind the `#`, which browsers keep to
 * themselves: no server and no proxy gets to log it.
 */

export const linkPaths = {
  setup: '/setup',
  invitation: '/invitation',
  password_reset: '/reset-password',
  registration: '/register',
} as const;
export type LinkKind = keyof typeof linkPaths;

/** Of every link: one of which mail or a chat has cut a part off is none. */
export const linkSecretPattern = /^[\w-]{43}$/;

/** From the root of the service. */
export function secretLink(kind: LinkKind, secret: string): string {
  return `${linkPaths[kind]}#${secret}`;
}
