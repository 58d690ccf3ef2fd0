/**
 * The form of an API key: `sk-<prefix>-`, 256 random bits as 43 base62 digits, and 6 more digits
 * that check all before them. The check lets a mistyped or invented key be refused without a look
 * into the database, and secret scanners tell a real key from a lookalike.
 */
import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { ApiKeyRow } from '../db/schema.ts';
import { assert } from '../lib/assert.ts';
import { invalidRequest } from '../lib/service-error.ts';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const base = BigInt(digits.length);
const randomBytesCount = 32;
const randomDigits = 43;
const checkDigits = 6;
const nameCharactersMax = 100;

/** What stands between `sk-` and the next dash: lower case letters and digits. */
const keyPrefixPattern = /^[a-z0-9]{1,16}$/;

const keyPattern = new RegExp(`^sk-[a-z0-9]{1,16}-[0-9A-Za-z]{${randomDigits + checkDigits}}$`);

export function makeSecret(prefix: string): string {
  assert(keyPrefixPattern.test(prefix), 'a key prefix is lower case letters and digits');
  const random = BigInt(`0x${randomBytes(randomBytesCount).toString('hex')}`);
  return withCheck(`sk-${prefix}-${toBase62(random, randomDigits)}`);
}

/** Whether the text can be a key at all. Keys with an earlier prefix stay valid. */
export function isWellFormed(secret: string): boolean {
  return keyPattern.test(secret) && withCheck(secret.slice(0, -checkDigits)) === secret;
}

/** What is stored instead of the key. So many random bits need no slow hash. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** What its owner recognises the key by. */
export function lastFourOf(secret: string): string {
  return secret.slice(-4);
}

export function parseKeyName(text: string): string {
  const name = text.trim();
  if (name === '' || name.length > nameCharactersMax || /\p{Cc}/u.test(name)) {
    throw invalidRequest('name', `A key name has 1 to ${nameCharactersMax} printable characters.`);
  }
  return name;
}

function withCheck(text: string): string {
  return text + toBase62(BigInt(crc32(text)), checkDigits);
}

function toBase62(value: bigint, length: number): string {
  let text = '';
  for (let rest = value, i = 0; i < length; i++, rest /= base) {
    text = digits.charAt(Number(rest % base)) + text;
  }
  return text;
}

/** What is known of an issued key: everything but the key. */
export interface ApiKey {
  id: string;
  userId: string;
  name: string;
  prefix: string;
  lastFour: string;
  /** The model IDs it may use; null means all. */
  models: readonly string[] | null;
  createdAt: number;
  expiresAt: number | null;
  revokedAt: number | null;
}

/** What a request needs to know of its key and the key's owner. */
export interface KeyAccess {
  apiKeyId: string;
  userId: string;
  /** The owner's own limit of concurrent requests; null takes the installation's setting. */
  slotsMax: number | null;
  models: readonly string[] | null;
  expiresAt: number | null;
  /** In which the months of the key's spend limit begin. */
  zone: string;
}

export type ApiKeyState = 'active' | 'expired' | 'revoked';

export function stateOfKey(
  key: Pick<ApiKey, 'expiresAt' | 'revokedAt'>,
  nowMs: number,
): ApiKeyState {
  if (key.revokedAt !== null) return 'revoked';
  return key.expiresAt !== null && key.expiresAt <= nowMs ? 'expired' : 'active';
}

export function apiKeyFromRow(row: ApiKeyRow): ApiKey {
  return {
    id: row.id,
    userId: row.user_id,
    name: row.name,
    prefix: row.prefix,
    lastFour: row.last_four,
    models: parseKeyModels(row.models),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
  };
}

/** Reads the stored list of model IDs. */
export function parseKeyModels(json: string | null): readonly string[] | null {
  // Written only by the store, as a list of model IDs.
  return json === null ? null : (JSON.parse(json) as string[]);
}
