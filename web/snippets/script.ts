/** What the snippets in JavaScript share. */
import { bare, language, literal } from './code-parts.ts';
import type { FieldValue } from './snippet.ts';

export const js = language({
  words: ['import', 'from', 'const', 'let', 'new', 'await', 'for', 'of', 'if', 'throw', 'continue'],
  comment: '// ',
});

export function value(content: FieldValue) {
  return typeof content === 'string' ? text(content) : bare(String(content));
}

/** In single quotes, as JavaScript is mostly written. */
export function text(content: string) {
  const inner = JSON.stringify(content).slice(1, -1);
  return literal(`'${inner.replaceAll('\\"', '"').replaceAll("'", "\\'")}'`);
}
