import { randomBytes } from 'node:crypto';
import { parseName } from '../lib/name-text.ts';

/** A secret by which a script uses the console's API as its owner. */
export interface AccessToken {
  id: string;
  userId: string;
  name: string;
  lastFour: string;
  createdAt: number;
  expiresAt: number | null;
  lastUsedAt: number | null;
  revokedAt: number | null;
}

export const accessTokenLimits = {
  perUserMax: 50,
  nameCharactersMax: 60,
} as const;

const prefix = 'tin-pat-';
const secretBytes = 32;

/** Told from an API key by its beginning, by people and by those who scan code for secrets. */
export function makeAccessTokenSecret(): string {
  return `${prefix}${randomBytes(secretBytes).toString('base64url')}`;
}

export function looksLikeAccessToken(text: string): boolean {
  return /^tin-pat-[\w-]{43}$/.test(text);
}

export function parseAccessTokenName(text: string): string {
  return parseName(text, accessTokenLimits.nameCharactersMax);
}
