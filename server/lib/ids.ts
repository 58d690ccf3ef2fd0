import { randomBytes } from 'node:crypto';

const digits = '0123456789abcdefghjkmnpqrstvwxyz';
const timeDigits = 10;
const randomDigits = 16;

export type IdPrefix =
  | 'tr'
  | 'usr'
  | 'key'
  | 'txn'
  | 'up'
  | 'upk'
  | 'ses'
  | 'pat'
  | 'inv'
  | 'aud'
  | 'proc'
  | 'ntc';

let last: { ms: number; random: Uint8Array } = { ms: -1, random: new Uint8Array(randomDigits) };

/**
 * Makes an identifier that sorts by the time it was made: a ULID in lower case (48 bits of
 * milliseconds, 80 random bits), behind a prefix that says what it names. Those that one process
 * makes within a millisecond sort in the order they were made.
 */
export function makeId(prefix: IdPrefix, nowMs: number): string {
  const random = nowMs === last.ms ? successorOf(last.random) : freshRandom();
  last = { ms: nowMs, random };
  const randomText = Array.from(random, (digit) => digits.charAt(digit)).join('');
  return `${prefix}_${encodeTime(nowMs)}${randomText}`;
}

function encodeTime(nowMs: number): string {
  let rest = nowMs;
  let text = '';
  for (let i = 0; i < timeDigits; i++) {
    text = digits.charAt(rest % digits.length) + text;
    rest = Math.floor(rest / digits.length);
  }
  return text;
}

function freshRandom(): Uint8Array {
  // 256 is a multiple of 32, so the low five bits of each byte are uniform.
  const random = Uint8Array.from(randomBytes(randomDigits), (byte) => byte & 31);
  // Room to count up within the millisecond.
  random[0] = (random[0] ?? 0) & 15;
  return random;
}

/** The next number; a step of random size, so that an identifier does not give away its neighbour. */
function successorOf(random: Uint8Array): Uint8Array {
  const next = Uint8Array.from(random);
  let carry = 1 + (randomBytes(1)[0] ?? 0);
  for (let i = randomDigits - 1; i >= 0 && carry > 0; i--) {
    const sum = (next[i] ?? 0) + carry;
    next[i] = sum & 31;
    carry = sum >> 5;
  }
  return next;
}
