/**
 * Codes that stand for money: `TIN-7H2K-09XQ-M4T1-DZ8P-3VRA-QK5J`. 100 random bits as 20 digits
 * without letters that look like others, and 4 more that check all before them, so that a mistyped
 * code is told from a wrong one without a look into the database.
 */
import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type Amount, amountFromMicros } from '../../shared/money.ts';
import type { CodeRow } from '../db/payment-schema.ts';
import { invalidRequest } from '../lib/service-error.ts';
import { withoutBreaks } from '../lib/typed-code.ts';

export const codeLimits = {
  /** Made at once. */
  perBatchMax: 1_000,
  noteCharactersMax: 200,
  /** As it is typed, with blanks and hyphens. */
  charactersMax: 100,
  lifeMsMax: 10 * 366 * 86_400_000,
} as const;

const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const randomDigits = 20;
const checkDigits = 4;

/** @param prefix the word in API keys, so that a code says where it belongs */
export function makeCode(prefix: string): string {
  // 256 is a multiple of 32, so the low five bits of each byte are uniform.
  const random = Array.from(randomBytes(randomDigits), (byte) => digits.charAt(byte & 31)).join('');
  const word = prefix.toUpperCase();
  return writeCode(word, random + checkOf(word, random));
}

/** In its one spelling, however it was typed; null when it cannot be a code. */
export function cleanCode(text: string): string | null {
  const letters = withoutBreaks(text).toUpperCase();
  const word = letters.slice(0, -(randomDigits + checkDigits));
  const body = letters.slice(word.length).replaceAll('O', '0').replace(/[IL]/g, '1');
  const random = body.slice(0, randomDigits);
  const isCode =
    /^[A-Z0-9]{1,16}$/.test(word) &&
    body.length === randomDigits + checkDigits &&
    body.slice(randomDigits) === checkOf(word, random);
  return isCode ? writeCode(word, body) : null;
}

/** What is stored instead, of a code in its one spelling. So many random bits need no slow hash. */
export function hashCode(code: string): string {
  return createHash('sha256').update(code).digest('hex');
}

export function parseCodeNote(text: string | null): string | null {
  const note = text?.trim() ?? '';
  if (note.length <= codeLimits.noteCharactersMax && !/\p{Cc}/u.test(note)) {
    return note === '' ? null : note;
  }
  const { noteCharactersMax } = codeLimits;
  throw invalidRequest(
    'note',
    `A note must have at most ${noteCharactersMax} printable characters.`,
  );
}

/** Money for whoever has the code, once. All that is known of it but the code. */
export interface Code {
  id: string;
  batchId: string;
  lastFour: string;
  amount: Amount;
  note: string | null;
  /** A user's ID or `cli:<name>`. */
  createdBy: string;
  createdAt: number;
  expiresAt: number | null;
  redeemedBy: string | null;
  redeemedAt: number | null;
  withdrawnAt: number | null;
}

export const codeStates = ['open', 'redeemed', 'withdrawn', 'expired'] as const;
export type CodeState = (typeof codeStates)[number];

export function stateOfCode(
  { redeemedAt, withdrawnAt, expiresAt }: Pick<Code, 'redeemedAt' | 'withdrawnAt' | 'expiresAt'>,
  nowMs: number,
): CodeState {
  if (redeemedAt !== null) return 'redeemed';
  if (withdrawnAt !== null) return 'withdrawn';
  return expiresAt !== null && expiresAt <= nowMs ? 'expired' : 'open';
}

export function codeFromRow(row: CodeRow): Code {
  return {
    id: row.id,
    batchId: row.batch_id,
    lastFour: row.last_four,
    amount: amountFromMicros(row.amount),
    note: row.note,
    createdBy: row.created_by,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    redeemedBy: row.redeemed_by,
    redeemedAt: row.redeemed_at,
    withdrawnAt: row.withdrawn_at,
  };
}

function writeCode(word: string, body: string): string {
  return `${word}-${body.replace(/(.{4})(?=.)/g, '$1-')}`;
}

/** 20 bits of a checksum of both. */
function checkOf(word: string, random: string): string {
  const sum = crc32(`${word}-${random}`);
  return Array.from({ length: checkDigits }, (_, i) => digits.charAt((sum >> (5 * i)) & 31)).join(
    '',
  );
}
