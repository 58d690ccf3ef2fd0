/** State that a page keeps in its address: described once, read and written as plain text. */
import { useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { useLeadOn } from './still-here.ts';

/** Reads one entry; what makes no sense is as good as missing. */
export type Entry<T> = (raw: readonly string[]) => T;

export type SearchDefinition<S> = { readonly [K in keyof S]: Entry<S[K]> };

/** Any text; undefined when it is missing. */
export const text: Entry<string | undefined> = ([first]) => (first === '' ? undefined : first);

/** All values of an entry that may be there several times. */
export const texts: Entry<readonly string[]> = (raw) => raw.filter((each) => each !== '');

/** `2025-11-14`. */
export const day: Entry<string | undefined> = ([first]) =>
  first !== undefined && /^\d{4}-\d\d-\d\d$/.test(first) && isInCalendar(first) ? first : undefined;

/** JavaScript takes the 31st of every month. */
function isInCalendar(day: string): boolean {
  const ms = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day);
}

export function oneOf<const T extends string>(choices: readonly T[]): Entry<T | undefined> {
  return ([first]) => choices.find((choice) => choice === first);
}

/** As `oneOf`, with a fallback where the entry is missing or makes no sense. */
export function oneOfOr<const T extends string>(choices: readonly T[], fallback: T): Entry<T> {
  return ([first]) => choices.find((choice) => choice === first) ?? fallback;
}

export type RawSearch = Readonly<Record<string, string | readonly string[] | undefined>>;

export function readSearch<S>(definition: SearchDefinition<S>, raw: RawSearch): S {
  const entries = Object.entries<Entry<unknown>>(definition).map(([name, read]) => {
    const value = raw[name] ?? [];
    return [name, read(typeof value === 'string' ? [value] : value)] as const;
  });
  // Every entry of the definition was read by its own reader.
  return Object.fromEntries(entries) as S;
}

export type SearchChanges<S> = { readonly [K in keyof S]?: S[K] | undefined };

/**
 * The state that this page keeps in its address, and a function that changes it. Changed to undefined, an entry is
 * removed. `replace`, for changes while somebody types, leaves no step in the browser's history; `push` does.
 */
export function useSearchState<S>(
  definition: SearchDefinition<S>,
): readonly [S, (changes: SearchChanges<S>, how?: 'push' | 'replace') => void] {
  // Our router reads addresses by `readAddress` only, which yields no other values.
  const raw = useSearch({ strict: false }) as RawSearch;
  const leadOn = useLeadOn();
  const state = useMemo(() => readSearch(definition, raw), [definition, raw]);
  const change = useCallback(
    (changes: SearchChanges<S>, how: 'push' | 'replace' = 'push') => {
      void leadOn({
        to: '.',
        search: (before: RawSearch) => withChanges(before, changes),
        replace: how === 'replace',
        resetScroll: false,
      });
    },
    [leadOn],
  );
  return [state, change];
}

/** As the router keeps it; what the address says of other things stays. */
function withChanges(before: RawSearch, changes: object): RawSearch {
  const merged = { ...before, ...changes };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => !isMissing(value)));
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
}

/** For the router: every value as text, a repeated one as a list. */
export function readAddress(search: string): RawSearch {
  const read = new URLSearchParams(search);
  return Object.fromEntries(
    [...new Set(read.keys())].map((name) => {
      const values = read.getAll(name);
      return [name, values.length === 1 ? values[0] : values];
    }),
  );
}
