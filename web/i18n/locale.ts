/** The language in force. What was loaded in one language is loaded in another before it changes. */
import { useSyncExternalStore } from 'react';
import { firstSpoken, type Language, languages } from '../../shared/languages.ts';
import { keptTexts } from '../lib/kept-texts.ts';

export type Locale = Language;

const storageKey = 'tintype.language';
const listeners = new Set<() => void>();
const beforeChange = new Set<(locale: Locale) => Promise<unknown>>();
let current: Locale = chosenBefore() ?? browserLocale();
/** Whoever asks last has it, whichever loads first. */
let asked = current;

export function currentLocale(): Locale {
  return current;
}

export function useLocale(): Locale {
  return useSyncExternalStore(subscribe, currentLocale);
}

/** @param wanted null takes the browser's. */
export async function changeLocale(wanted: Locale | null): Promise<void> {
  const locale = wanted ?? browserLocale();
  remember(wanted);
  asked = locale;
  if (locale === current) return;
  await Promise.all([...beforeChange].map((load) => load(locale)));
  if (locale !== asked) return;
  current = locale;
  showLocale();
  for (const listener of listeners) listener();
}

export function onBeforeChange(load: (locale: Locale) => Promise<unknown>): void {
  beforeChange.add(load);
}

/** Tells the browser and screen readers. */
export function showLocale(): void {
  document.documentElement.lang = current;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function browserLocale(): Locale {
  return firstSpoken(navigator.languages) ?? 'en';
}

/** So that the sign-in page speaks the language of who was here last. */
function chosenBefore(): Locale | null {
  const stored = keptTexts.read(storageKey);
  return languages.find((language) => language === stored) ?? null;
}

function remember(wanted: Locale | null): void {
  keptTexts.write(storageKey, wanted);
}
