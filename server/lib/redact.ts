/** Takes what is said about a person out of texts and of JSON, and leaves the rest as it is. */

/** What a person was called, and what stands in its place from then on. */
export interface Redaction {
  /** Addresses and whole names, longest first. */
  words: readonly string[];
  pseudonym: string;
}

/** @param words in any order; short ones and single words of a name would hit what is not meant */
export function redactionOf({ words, pseudonym }: Redaction): Redaction {
  const wanted = [...new Set(words)].filter((word) => word !== '');
  return { words: wanted.sort((a, b) => b.length - a.length), pseudonym };
}

/** Puts the pseudonym in the place of each of the words, in whatever case they stand. */
export function redactText(text: string, { words, pseudonym }: Redaction): string {
  return words.reduce((rest, word) => rest.replace(patternOf(word), pseudonym), text);
}

/** Of scripts that write words apart; within a text of the others there is nothing to tell where one begins. */
const letter = String.raw`[\p{Lu}\p{Ll}\p{Lt}\p{M}\p{Nd}]`;

/**
 * Whole words, for `joann@example.com` is somebody else than `ann@example.com`. Only behind a name there may be more, as
 * many languages give it endings.
 */
function patternOf(word: string): RegExp {
  const isAddress = word.includes('@');
  const [before, behind] = isAddress ? [`${letter}[._%+-]?`, `[.]?${letter}`] : [letter, '(?!)'];
  const begin = new RegExp(`^${letter}`, 'u').test(word) ? `(?<!${before})` : '';
  return new RegExp(`${begin}${escaped(word)}(?!${behind})`, 'giu');
}

function escaped(word: string): string {
  return word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** The same in every text within a JSON value. */
export function redactWords(value: unknown, redaction: Redaction): unknown {
  return mapTexts(value, (text) => redactText(text, redaction));
}

/** What may stay of an entry about the person: it says what happened, and not to whom. */
const amountPattern = /^-?\d+(?:\.\d+)?$/;
const idPattern = /^[a-z]{2,5}_[0-9a-z]{26}$/;
const timePattern = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;

export interface WholeRedaction {
  pseudonym: string;
  /** Whose values are from a closed list, and tell of nobody. */
  plainFields: ReadonlySet<string>;
  /** Whose values are what somebody typed: an amount, ID or time there is a name that looks like one. */
  typedFields: ReadonlySet<string>;
}

/** Every text within a JSON value that is no amount, ID or time, and not in a plain field. */
export function redactAll(value: unknown, redaction: WholeRedaction, isTyped = false): unknown {
  if (typeof value === 'string') {
    const isPlain = [amountPattern, idPattern, timePattern].some((each) => each.test(value));
    return isPlain && !isTyped ? value : redaction.pseudonym;
  }
  if (Array.isArray(value)) return value.map((each) => redactAll(each, redaction, isTyped));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, each]: [string, unknown]) => [
    name,
    redaction.plainFields.has(name)
      ? each
      : redactAll(each, redaction, isTyped || redaction.typedFields.has(name)),
  ]);
  return Object.fromEntries(fields) as unknown;
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, change));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, each]) => [name, mapTexts(each, change)]);
  return Object.fromEntries(fields) as unknown;
}
