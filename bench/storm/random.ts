/** An endless series of numbers that follows from a seed, the same on every machine (mulberry32). */
export interface Random {
  /** From 0 inclusive to 1 exclusive. */
  next(): number;
  between(low: number, high: number): number;
  /** A whole number, both ends included. */
  whole(low: number, high: number): number;
  chance(probability: number): boolean;
  /** One of the choices, each as often as its weight says. */
  weighted<T>(choices: readonly (readonly [weight: number, choice: T])[]): T;
}

export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (low: number, high: number) => low + next() * (high - low);
  return {
    next,
    between,
    whole: (low, high) => Math.floor(between(low, high + 1)),
    chance: (probability) => next() < probability,
    weighted: (choices) => pickWeighted(choices, next()),
  };
}

function pickWeighted<T>(choices: readonly (readonly [number, T])[], share: number): T {
  const total = choices.reduce((sum, [weight]) => sum + weight, 0);
  let rest = share * total;
  for (const [weight, choice] of choices) {
    rest -= weight;
    if (rest < 0) return choice;
  }
  throw new Error('broken expectation: there is something to choose from');
}
