/** SHA-256 of a blob in hexadecimal. */
export async function sha256(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  // The browser's own is there on https and on this machine only.
  const digest = crypto.subtle
    ? new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
    : sha256Bytes(bytes);
  return hex(digest);
}

/** The same by hand (FIPS 180-4), for consoles that are reached by plain http. */
export function sha256Bytes(bytes: Uint8Array): Uint8Array {
  const { rounds, start } = constants();
  const state = Uint32Array.from(start);
  const words = new Uint32Array(64);
  const padded = padOf(bytes);
  const whole = bytes.length - (bytes.length % 64);
  const body = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < whole; at += 64) mix(state, words, rounds, { view: body, at });
  const tail = new DataView(padded.buffer);
  for (let at = 0; at < padded.length; at += 64) mix(state, words, rounds, { view: tail, at });
  const digest = new Uint8Array(32);
  const view = new DataView(digest.buffer);
  for (const [index, word] of state.entries()) view.setUint32(index * 4, word);
  return digest;
}

/** What is left after the last whole block, a 1, zeros, and the length in bits. */
function padOf(bytes: Uint8Array): Uint8Array {
  const rest = bytes.subarray(bytes.length - (bytes.length % 64));
  const padded = new Uint8Array(rest.length + 9 <= 64 ? 64 : 128);
  padded.set(rest);
  padded[rest.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 0x2000_0000));
  view.setUint32(padded.length - 4, (bytes.length * 8) >>> 0);
  return padded;
}

function mix(
  state: Uint32Array,
  words: Uint32Array,
  rounds: Uint32Array,
  { view, at }: { view: DataView; at: number },
): void {
  const w = (index: number) => words[index] ?? 0;
  for (let i = 0; i < 16; i++) words[i] = view.getUint32(at + i * 4);
  for (let i = 16; i < 64; i++) {
    const s0 = turn(w(i - 15), 7) ^ turn(w(i - 15), 18) ^ (w(i - 15) >>> 3);
    const s1 = turn(w(i - 2), 17) ^ turn(w(i - 2), 19) ^ (w(i - 2) >>> 10);
    words[i] = w(i - 16) + s0 + w(i - 7) + s1;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let i = 0; i < 64; i++) {
    const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const first = (h + s1 + ((e & f) ^ (~e & g)) + (rounds[i] ?? 0) + w(i)) | 0;
    const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const second = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) {
    state[index] = (state[index] ?? 0) + word;
  }
}

function turn(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

interface Constants {
  rounds: Uint32Array;
  start: Uint32Array;
}

let made: Constants | null = null;

/** The first bits of the fractions of the roots of the first primes: cube roots, and square roots. */
function constants(): Constants {
  if (made) return made;
  const primes: number[] = [];
  for (let n = 2; primes.length < 64; n++) {
    if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  }
  const fraction = (root: number) => Math.floor((root - Math.floor(root)) * 0x1_0000_0000);
  made = {
    rounds: Uint32Array.from(primes, (prime) => fraction(Math.cbrt(prime))),
    start: Uint32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime))),
  };
  return made;
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
