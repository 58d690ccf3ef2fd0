/** Reads the values of a table of options from layers of text, such as environment and file. */
import { nearest } from './nearest.ts';
import type { OptionType } from './option-types.ts';

export interface Option<T> {
  /** Its name in the environment and in files. */
  variable: string;
  type: OptionType<T>;
  default: T;
  meaning: string;
  /** Never printed. */
  secret: boolean;
}

type OptionsTable = Readonly<Record<string, Option<unknown>>>;

export type OptionValues<T extends OptionsTable> = {
  readonly [K in keyof T]: T[K]['default'];
};

/** Text by variable name. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** One place that values come from; earlier layers win. */
export interface Layer {
  source: string;
  variables: Variables;
}

export interface ReadOptions<T extends OptionsTable> {
  values: OptionValues<T>;
  /** The layer each value came from, or `default`. */
  sources: Readonly<Record<keyof T, string>>;
  /** Everything wrong, not only the first. */
  problems: readonly string[];
  /** The variables whose text was refused; their defaults stand in their place. */
  misread: ReadonlySet<string>;
}

/** Values that cannot be meant together. */
export interface Contradiction {
  /** Whose values they are. */
  variables: readonly string[];
  problem: string;
}

export function defineOption<T>(option: Omit<Option<T>, 'secret'> & { secret?: true }): Option<T> {
  return { secret: false, ...option };
}

export function readOptions<T extends OptionsTable>(
  table: T,
  layers: readonly Layer[],
): ReadOptions<T> {
  const read = Object.entries(table).map(([name, option]) => ({
    name,
    ...readOption(option, layers),
  }));
  return {
    // Each name of the table has the value that its own type read, or its own default.
    values: Object.fromEntries(read.map(({ name, value }) => [name, value])) as OptionValues<T>,
    sources: Object.fromEntries(
      read.map(({ name, source }) => [name, source]),
    ) as ReadOptions<T>['sources'],
    problems: read.flatMap(({ problem }) => problem ?? []),
    misread: new Set(
      read.flatMap(({ name, problem }) => (problem === null ? [] : (table[name]?.variable ?? []))),
    ),
  };
}

/** Says what cannot be meant together, but of a variable that was misread only that it was. */
export function describeContradictions(
  found: readonly Contradiction[],
  misread: ReadonlySet<string>,
): string[] {
  return found
    .filter(({ variables }) => !variables.some((variable) => misread.has(variable)))
    .map(({ problem }) => problem);
}

/** An option's value as it may be shown: of a secret, only whether it is set. */
export function showOption(option: Option<unknown>, value: unknown): string {
  if (option.secret) return value === null ? 'not set' : 'set';
  return option.type.format(value);
}

/**
 * A misspelt option would otherwise be left at its default without a word.
 * @param mend where they stand and how to mend it, as one ends a sentence about `variable`
 */
export function unknownOptions(
  table: OptionsTable,
  variables: Iterable<string>,
  mend: (variable: string) => string,
): string[] {
  const known = new Set(Object.values(table).map(({ variable }) => variable));
  return [...new Set(variables)]
    .filter((variable) => !known.has(variable))
    .map((variable) => {
      const guess = nearest(variable, known);
      const meant = guess === null ? '' : `; did you mean ${guess}?`;
      return `there is no option ${variable}${meant} (${mend(variable)})`;
    });
}

interface ReadOption {
  value: unknown;
  source: string;
  problem: string | null;
}

function readOption(option: Option<unknown>, layers: readonly Layer[]): ReadOption {
  for (const { source, variables } of layers) {
    // Set to nothing is not set: that is how compose files and shells leave a value out.
    const text = variables[option.variable]?.trim() ?? '';
    if (text === '') continue;
    const value = option.type.parse(text);
    if (value !== null) return { value, source, problem: null };
    const given = option.secret ? '' : `, not "${text}"`;
    const problem = `${option.variable} must be ${option.type.expected}${given}`;
    return { value: option.default, source, problem };
  }
  return { value: option.default, source: 'default', problem: null };
}
