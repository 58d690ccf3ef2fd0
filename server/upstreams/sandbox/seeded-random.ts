import { createHash } from 'node:crypto';

/** A digest from which every random choice of one picture follows. */
export type Seed = string;

export interface Random {
  /** From 0 inclusive to 1 exclusive. */
  next(): number;
  between(low: number, high: number): number;
  pick<T>(first: T, ...others: readonly T[]): T;
  chance(probability: number): boolean;
}

export function seedOf(parts: Readonly<Record<string, unknown>>): Seed {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/**
 * An endless series of numbers for one use. Each use has its own label and so its own series:
 * more detail in one part of a picture never moves another part.
 */
export function randomFor(seed: Seed, label: string): Random {
  const next = smallFastCounter(createHash('sha256').update(`${seed}/${label}`).digest());
  return {
    next,
    between: (low, high) => low + next() * (high - low),
    pick: (first, ...others) => others[Math.floor(next() * (others.length + 1)) - 1] ?? first,
    chance: (probability) => next() < probability,
  };
}

/** The sfc32 generator: small, fast, and the same on every machine. */
function smallFastCounter(digest: Buffer): () => number {
  let a = digest.readInt32LE(0);
  let b = digest.readInt32LE(4);
  let c = digest.readInt32LE(8);
  let counter = digest.readInt32LE(12);
  return () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
}
