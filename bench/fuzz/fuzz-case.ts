import type { Random } from '../storm/random.ts';
import type { Side } from './options.ts';

/** One change to what would be right. Its own seed makes it the same whatever the others are. */
export interface Mutation {
  name: string;
  seed: number;
}

/** One request, or one answer of an upstream: what it begins as, and what is done to it. */
export interface FuzzCase {
  side: Side;
  base: string;
  mutations: readonly Mutation[];
}

const mutationsMax = 3;

export function planCase(
  side: Side,
  { bases, names }: { bases: readonly string[]; names: readonly string[] },
  random: Random,
): FuzzCase {
  const oneOf = (choices: readonly string[]) =>
    random.weighted(choices.map((choice) => [1, choice] as const));
  const mutations = Array.from({ length: random.whole(1, mutationsMax) }, () => ({
    name: oneOf(names),
    seed: random.whole(0, 2 ** 32 - 1),
  }));
  return { side, base: oneOf(bases), mutations };
}

/** The same with one change less each, to find out which of them matter. */
export function smallerCases({ mutations, ...rest }: FuzzCase): FuzzCase[] {
  return mutations.map((_, left) => ({
    ...rest,
    mutations: mutations.filter((_mutation, index) => index !== left),
  }));
}

export function formatCase({ side, base, mutations }: FuzzCase): string {
  const changes = mutations.map(({ name, seed }) => `${name}:${seed}`).join(' ');
  return `${side} ${base} ${changes}`;
}
