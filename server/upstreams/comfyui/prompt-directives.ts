/**
 * What nodes read in a prompt as an order to them: which files of the operator to load, which words
 * to draw at random. A caller may not give such orders, so they become plain words.
 */

import { withoutRandomWords } from '../wire/random-words.ts';

export interface StrippedPrompt {
  prompt: string;
  wasStripped: boolean;
}

/**
 * - `<lora:name:1>`, `<hypernet:…>` and whatever has that form: removed
 * - `embedding:name`: only the name stays
 * - `__colours__` and `{red|blue}`: see `withoutRandomWords`
 *
 * Each is replaced by a space or set off by one, so that what was around it never joins to another.
 */
export function stripDirectives(prompt: string): StrippedPrompt {
  const steps = [withoutRandomWords, stripEmbeddings, stripTags];
  const stripped = steps.reduce((text, strip) => strip(text), prompt);
  return { prompt: stripped, wasStripped: stripped !== prompt };
}

function stripTags(text: string): string {
  const removed = text.replace(/<[\w-]+:[^<>]*>/g, ' ');
  // Tags within tags, and tags without an end.
  return /<[\w-]+:/.test(removed) ? removed.replaceAll('<', ' ') : removed;
}

function stripEmbeddings(text: string): string {
  return text.replace(/embedding\s*:/gi, ' ');
}
