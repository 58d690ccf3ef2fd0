import type { service } from './en/service.ts';

type Known = typeof service;

/** What the service said, in the language of `known`; in its own words where that has none for it. */
export function said(message: string, known: Known): string {
  const exact = Object.hasOwn(known, message) ? known[message] : undefined;
  if (exact !== undefined) return exact;
  for (const { form, words } of formsOf(known)) {
    const values = form.exec(message)?.groups;
    if (values) return words.replaceAll(place, (_, name: string) => values[name] ?? '');
  }
  return message;
}

interface SentenceForm {
  /** With a group for each place. */
  form: RegExp;
  words: string;
}

const place = /\{(\w+)\}/g;
const formsByKnown = new WeakMap<Known, readonly SentenceForm[]>();

/** Of the sentences that have places. */
function formsOf(known: Known): readonly SentenceForm[] {
  const made = formsByKnown.get(known);
  if (made) return made;
  const forms = Object.entries(known)
    .filter(([sentence]) => sentence.search(place) >= 0)
    .map(([sentence, words]) => ({ form: formOf(sentence), words }));
  formsByKnown.set(known, forms);
  return forms;
}

function formOf(sentence: string): RegExp {
  const source = sentence
    .split(place)
    // Odd pieces are names of places.
    .map((piece, index) => (index % 2 === 0 ? escaped(piece) : `(?<${piece}>.+?)`))
    .join('');
  return new RegExp(`^${source}$`);
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
