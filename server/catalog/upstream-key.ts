/** What an upstream's keys may be. */
import { invalidRequest } from '../lib/service-error.ts';

/** What the first key of an upstream is called when nobody says otherwise. */
export const firstKeyName = 'main';

export const keysPerUpstreamMax = 50;
/** A service account's file has some 2,500. */
export const credentialCharactersMax = 16_000;
/** Of a shorter secret, four characters would be too much of it. */
const shownSecretCharactersMin = 16;

export function parseUpstreamKeyName(text: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/.test(text)) return text;
  throw invalidRequest(
    'name',
    'The name of a key has up to 63 letters, digits, dots, dashes and underscores. It begins with a letter or digit.',
  );
}

/** Without the line end that files have. */
export function parseCredential(text: string): string {
  const credential = text.trim();
  if (credential === '') throw invalidRequest('credential', 'The credential is empty.');
  if (credential.length <= credentialCharactersMax) return credential;
  throw invalidRequest(
    'credential',
    `A credential must have at most ${credentialCharactersMax} characters.`,
  );
}

/**
 * What a credential ends in, by which people tell their keys apart. Null for a short password, and
 * for the file of a service account, which ends like every other.
 */
export function lastFourOf(credential: string): string | null {
  const secret = credential.slice(credential.lastIndexOf(':') + 1);
  const isKey = /^[!-z|~]+$/.test(secret) && secret.length >= shownSecretCharactersMin;
  return isKey ? secret.slice(-4) : null;
}
