/** A language that nobody speaks: a third longer, and every message of ours is marked. */
const accents: Readonly<Record<string, string>> = {
  a: 'å',
  c: 'ç',
  d: 'đ',
  e: 'é',
  g: 'ĝ',
  i: 'ï',
  l: 'ł',
  n: 'ñ',
  o: 'ö',
  s: 'š',
  t: 'ţ',
  u: 'ü',
  y: 'ý',
  A: 'Å',
  C: 'Ç',
  E: 'É',
  I: 'Ï',
  N: 'Ñ',
  O: 'Ö',
  S: 'Š',
  U: 'Ü',
};
const longerBy = 0.35;

export function pseudoWords<T extends object>(words: T): T {
  // The same shape with other texts.
  return pseudo(words) as T;
}

function pseudo(value: unknown): unknown {
  if (typeof value === 'string') return pseudoText(value);
  if (typeof value === 'function') {
    return (...args: unknown[]): unknown => pseudo(Reflect.apply(value, null, args));
  }
  if (Array.isArray(value)) return value.map(pseudo);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, pseudo(each)]));
}

function pseudoText(text: string): string {
  // Placeholders such as {link} stay what they are.
  const changed = text.replace(/\{\w+\}|[A-Za-z]/g, (found) => accents[found] ?? found);
  const more = '~'.repeat(Math.ceil(text.length * longerBy));
  // In words, as a longer language would be.
  return `[${changed}${more.replace(/(~{7})(?=~)/g, '$1 ')}]`;
}
