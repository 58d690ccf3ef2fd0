/** The words of a page, or of whatever else is loaded on its own: one file for each language. */
import { use } from 'react';
import { currentLocale, type Locale, onBeforeChange, useLocale } from './locale.ts';

export interface Text<T> {
  /** Loads the words of the language in force, so that the first paint need not wait for them. */
  preload(): Promise<T>;
  /** Always the same promise for a language. */
  load(locale: Locale): Promise<T>;
}

/** English is the source; the compiler sees to it that Chinese has the same messages. */
export function defineText<T extends object>(loaders: Record<Locale, () => Promise<T>>): Text<T> {
  const asked = new Map<Locale, Promise<T>>();
  const load = (locale: Locale): Promise<T> => {
    const known = asked.get(locale);
    if (known) return known;
    if (asked.size === 0) onBeforeChange(load);
    const loading = loaders[locale]().then(inWords);
    asked.set(locale, loading);
    loading.then(
      // As React marks what it has waited for: then nothing waits that need not.
      (words) => Object.assign(loading, { status: 'fulfilled', value: words }),
      // The next one who asks tries again.
      () => asked.delete(locale),
    );
    return loading;
  };
  return { load, preload: () => load(currentLocale()) };
}

/** For a page that speaks with the words of two. */
export function bothTexts(
  first: Text<object>,
  second: Text<object>,
): Pick<Text<object>, 'preload'> {
  return { preload: () => Promise.all([first.preload(), second.preload()]) };
}

/** Waits (suspends) until the words are there; a route that preloads them does not let it. */
export function useText<T>(text: Text<T>): T {
  const locale = useLocale();
  return use(text.load(locale));
}

/** Replaces all words, to find what does not fit or was forgotten. */
type Disguise = <T extends object>(words: T) => T;
let disguise: Disguise | null = null;

/** For the pseudo-locale; before anything is loaded. */
export function disguiseTexts(by: Disguise): void {
  disguise = by;
}

function inWords<T extends object>(words: T): T {
  return disguise ? disguise(words) : words;
}
