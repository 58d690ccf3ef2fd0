import type { ApiKeyRow } from '../db/schema.ts';
import { isWithin, parseIpRange } from '../lib/ip-address.ts';
import { parseName } from '../lib/name-text.ts';
import { invalidRequest } from '../lib/service-error.ts';

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

const nameCharactersMax = 100;

export const keyLimits = {
  /** Of one user, not revoked. */
  perUserMax: 200,
  /** Addresses and ranges that one key may be limited to. */
  addressesMax: 50,
  /** How long the secret before a rotation may go on beside the new one. */
  overlapMsMax: 24 * 3_600_000,
} as const;

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

/** Reads a stored list: of model IDs, of addresses. */
export function parseTexts(json: string | null): readonly string[] | null {
  // Written only by the store, as a list of texts.
  return json === null ? null : (JSON.parse(json) as string[]);
}
