import type { UserRow } from '../db/schema.ts';
import { parseName } from '../lib/name-text.ts';
import { invalidRequest } from '../lib/service-error.ts';

export const roles = ['user', 'admin'] as const;
export type Role = (typeof roles)[number];

/** Someone who can sign in to the console and own API keys; has exactly one wallet. */
export interface User {
  id: string;
  /** Lower case; unique. */
  email: string;
  name: string;
  role: Role;
  /** This user's own limit of concurrent requests; null takes the installation's setting. */
  slotsMax: number | null;
  createdAt: number;
  disabledAt: number | null;
  /** When their personal data was erased; then the account stays disabled, and its wallet closed. */
  erasedAt: number | null;
}

/** What may be changed about a user. */
export type UserPatch = Partial<Pick<User, 'email' | 'name' | 'role' | 'slotsMax'>>;

const emailCharactersMax = 254;
export const userNameCharactersMax = 100;
export const userSlotsMax = 10_000;

/** The sign for kelvin: the one letter beyond ASCII whose lower case is of ASCII, and so of another's address. */
const kelvin = '\u212a';

/** The one spelling under which an address is stored and found; with nothing unseen, by which two look the same. */
export function parseEmail(text: string): string {
  const email = text.trim().toLowerCase();
  if (
    text.includes(kelvin) ||
    email.length > emailCharactersMax ||
    !/^[^\s<>@\p{Cc}\p{Cf}]+@[^\s<>@\p{Cc}\p{Cf}]+$/u.test(email)
  ) {
    throw invalidRequest('email', `"${text}" is not an e-mail address.`);
  }
  return email;
}

export function parseUserName(text: string): string {
  return parseName(text, userNameCharactersMax);
}

/** 0 lets the user sign in and read, but make no request. */
export function checkUserSlots(slots: number | null): void {
  if (slots === null || (Number.isInteger(slots) && slots >= 0 && slots <= userSlotsMax)) return;
  throw invalidRequest('slots_max', `Slots are a whole number from 0 to ${userSlotsMax}.`);
}

export function userFromRow(row: UserRow): User {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    role: row.role,
    slotsMax: row.slots_max,
    createdAt: row.created_at,
    disabledAt: row.disabled_at,
    erasedAt: row.erased_at,
  };
}
