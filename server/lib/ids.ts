import { randomFillSync } from 'node:crypto';

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
  | 'pay'
  | 'cod'
  | 'bat'
  | 'proc'
  | 'ntc';

let last: { ms: number; time: string; random: Uint8Array } = {
  ms: -1,
  time: '',
  random: new Uint8Array(randomDigits),
};

/**
 * Makes an identifier that sorts by the time it was made: a ULID in lower case (48 bits of
 * milliseconds, 80 random bits), behind a prefix that says what it names. Those that one process
 * makes within a millisecond sort in the order they were made.
 */
export function makeId(prefix: IdPrefix, nowMs: number): string {
  last =
    nowMs === last.ms
      ? { ...last, random: successorOf(last.random) }
      : { ms: nowMs, time: encodeTime(nowMs), random: freshRandom() };
  let text = `${prefix}_${last.time}`;
  for (const digit of last.random) text += digits.charAt(digit);
  return text;
}

/** As `makeId`, with an ending that whoever asks for it made up, to be known again by it. */
export function makeIdEnding(
  ending: string,
  { prefix, nowMs }: { prefix: IdPrefix; nowMs: number },
): string {
  return `${prefix}_${encodeTime(nowMs)}${ending}`;
}

/** What sorts before every identifier made at this time or later, and behind all made before. */
export function startOfIds(prefix: IdPrefix, ms: number): string {
  return `${prefix}_${encodeTime(ms)}`;
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
  const random = takeRandom(randomDigits).map((byte) => byte & 31);
  // Room to count up within the millisecond.
  random[0] = (random[0] ?? 0) & 15;
  return random;
}

/** The next number; a step of random size, so that an identifier does not give away its neighbour. */
function successorOf(random: Uint8Array): Uint8Array {
  const next = Uint8Array.from(random);
  let carry = 1 + (takeRandom(1)[0] ?? 0);
  for (let i = randomDigits - 1; i >= 0 && carry > 0; i--) {
    const sum = (next[i] ?? 0) + carry;
    next[i] = sum & 31;
    carry = sum >> 5;
  }
  return next;
}

/** Drawn many at a time: a draw costs as much for one byte as for all of these. */
const pool = new Uint8Array(4_096);
let taken = pool.length;

/** A view of random bytes that nobody else gets; it is good until the next call. */
function takeRandom(bytes: number): Uint8Array {
  if (taken + bytes > pool.length) {
    randomFillSync(pool);
    taken = 0;
  }
  taken += bytes;
  return pool.subarray(taken - bytes, taken);
}
