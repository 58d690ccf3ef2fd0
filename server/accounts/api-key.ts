/**
 * The form of an API key: `sk-<prefix>-`, 256 random bits as 43 base62 digits, and 6 more digits
 * that check all before them. The check lets a mistyped or invented key be refused without a look
 * into the database, and secret scanners tell a real key from a lookalike.
 */
import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { ApiKeyRow } from '../db/schema.ts';
import { assert } from '../lib/assert.ts';
import { isWithin, parseIpRange } from '../lib/ip-address.ts';
import { parseName } from '../lib/name-text.ts';
import { invalidRequest } from '../lib/service-error.ts';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const base = BigInt(digits.length);
const randomBytesCount = 32;
const randomDigits = 43;
const checkDigits = 6;
const nameCharactersMax = 100;

export const keyLimits = {
  /** Of one user, not revoked. */
  perUserMax: 200,
  /** Addresses and ranges that one key may be limited to. */
  addressesMax: 50,
  /** How long the secret before a rotation may go on beside the new one. */
  overlapMsMax: 24 * 3_600_000,
} as const;

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
  return hash('sha256', secret, 'hex');
}

/** What its owner recognises the key by. */
export function lastFourOf(secret: string): string {
  return secret.slice(-4);
}

export function parseKeyName(text: string): string {
  return parseName(text, nameCharactersMax);
}

/** Each in its one spelling and once; null, like an empty list, allows all. */
export function parseKeyAddresses(texts: readonly string[] | null): readonly string[] | null {
  if (texts === null || texts.length === 0) return null;
  if (texts.length > keyLimits.addressesMax) {
    throw invalidRequest('addresses', `At most ${keyLimits.addressesMax} addresses are accepted.`);
  }
  const ranges = texts.map((text) => {
    const range = parseIpRange(text);
    if (range !== null) return range;
    throw invalidRequest(
      'addresses',
      'Each address is an IP address such as 203.0.113.7, or a range such as 10.0.0.0/8.',
    );
  });
  return [...new Set(ranges)];
}

/**
 * @param findAddress asked only for a key that is limited to some addresses; null when it cannot be told, and then such a
 *   key is of no use
 */
export function mayBeUsedFrom(
  { addresses }: Pick<KeyAccess, 'addresses'>,
  findAddress: () => string | null,
): boolean {
  if (addresses === null) return true;
  const address = findAddress();
  return address !== null && isWithin(address, addresses);
}

function withCheck(text: string): string {
  // With plain numbers, as this is done for every request.
  let rest = crc32(text);
  let check = '';
  for (let digit = 0; digit < checkDigits; digit++) {
    check = digits.charAt(rest % digits.length) + check;
    rest = Math.floor(rest / digits.length);
  }
  return text + check;
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
  /** While it is set the key does not work. */
  disabledAt: number | null;
  /** The addresses and ranges it may be used from; null means all. */
  addresses: readonly string[] | null;
  /** To about a minute; null when it never was. */
  lastUsedAt: number | null;
  /** Until when the secret before the last rotation works too. */
  previousUntil: number | null;
}

/** What a request needs to know of its key and the key's owner. */
export interface KeyAccess {
  apiKeyId: string;
  userId: string;
  /** The owner's own limit of concurrent requests; null takes the installation's setting. */
  slotsMax: number | null;
  models: readonly string[] | null;
  /** Of the key, or of the secret shown where that ends before. */
  expiresAt: number | null;
  addresses: readonly string[] | null;
  /** In which the months of the key's spend limit begin. */
  zone: string;
}

export const apiKeyStates = ['active', 'disabled', 'expired', 'revoked'] as const;
export type ApiKeyState = (typeof apiKeyStates)[number];

export function stateOfKey(
  key: Pick<ApiKey, 'expiresAt' | 'revokedAt' | 'disabledAt'>,
  nowMs: number,
): ApiKeyState {
  if (key.revokedAt !== null) return 'revoked';
  if (key.disabledAt !== null) return 'disabled';
  return key.expiresAt !== null && key.expiresAt <= nowMs ? 'expired' : 'active';
}

export function apiKeyFromRow(row: ApiKeyRow): ApiKey {
  return {
    id: row.id,
    userId: row.user_id,
    name: row.name,
    prefix: row.prefix,
    lastFour: row.last_four,
    models: parseTexts(row.models),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    disabledAt: row.disabled_at,
    addresses: parseTexts(row.addresses),
    lastUsedAt: row.last_used_at,
    previousUntil: row.previous_until,
  };
}

/** Reads a stored list: of model IDs, of addresses. */
export function parseTexts(json: string | null): readonly string[] | null {
  // Written only by the store, as a list of texts.
  return json === null ? null : (JSON.parse(json) as string[]);
}
