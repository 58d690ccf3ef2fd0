import { randomBytes } from 'node:crypto';

const crockford = '0123456789abcdefghjkmnpqrstvwxyz';
const timeChars = 10;
const randomChars = 16;

/**
 * Makes an identifier that sorts by the time it was made: a ULID in lower case (48 bits of
 * milliseconds, 80 random bits), behind a prefix that says what it names.
 */
export function makeId(prefix: IdPrefix, nowMs: number): string {
  return `${prefix}_${encodeTime(nowMs)}${encodeRandom()}`;
}

export type IdPrefix = 'tr' | 'usr' | 'key' | 'txn' | 'up' | 'aud' | 'proc';

function encodeTime(nowMs: number): string {
  let rest = nowMs;
  let text = '';
  for (let i = 0; i < timeChars; i++) {
    text = crockford.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

function encodeRandom(): string {
  // 256 is a multiple of 32, so the low five bits of each byte are uniform.
  let text = '';
  for (const byte of randomBytes(randomChars)) text += crockford.charAt(byte & 31);
  return text;
}
