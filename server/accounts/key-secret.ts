/**
 * The form of an API key: `sk-<prefix>-`, 256 random bits as 43 base62 digits, and 6 more digits
 * that check all before them. The check lets a mistyped or invented key be refused without a look
 * into the database, and secret scanners tell a real key from a lookalike.
 */
import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { assert } from '../lib/assert.ts';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const base = BigInt(digits.length);
const randomBytesCount = 32;
const randomDigits = 43;
const checkDigits = 6;

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
