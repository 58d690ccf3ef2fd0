import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { PasskeyRow } from '../db/identity-schema.ts';
import { parseName } from '../lib/name-text.ts';

/** A key pair of whose public half we know, kept by a device or a password manager. */
export interface Passkey {
  /** The credential's ID, base64url. */
  id: string;
  userId: string;
  name: string;
  /** COSE key, base64url. */
  publicKey: string;
  /** How often it was used, where its keeper counts: a number that goes back is a copy. */
  counter: number;
  transports: readonly string[];
  createdAt: number;
  lastUsedAt: number | null;
}

export const passkeyLimits = {
  perUserMax: 20,
  nameCharactersMax: 60,
} as const;

export function parsePasskeyName(text: string): string {
  return parseName(text, passkeyLimits.nameCharactersMax);
}

/** How the console names it: the credential's own ID is too long for an address. */
export function passkeyHandle(id: string): string {
  return createHash('sha256').update(id).digest('base64url');
}

const transportsSchema = z.array(z.string());

export function passkeyFromRow(row: PasskeyRow): Passkey {
  return {
    id: row.id,
    userId: row.user_id,
    name: row.name,
    publicKey: row.public_key,
    counter: row.counter,
    transports: transportsSchema.parse(JSON.parse(row.transports)),
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  };
}
