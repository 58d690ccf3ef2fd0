/**
 * What nodes read in a prompt as an order to them: which files of the operator to load, which words
 * to draw at random. A caller may not give such orders, so they become plain words.
 */

export interface StrippedPrompt {
  prompt: string;
  wasStripped: boolean;
}

/**
 * - `<lora:name:1>`, `<hypernet:…>` and whatever has that form: removed
 * - `embedding:name`: only the name stays
 * - `__colours__`, a wildcard file: only the name stays
 * - `{red|blue}`, a random choice: its words stay, without braces
 *
 * Each is replaced by a space or set off by one, so that what was around it never joins to another.
 */
export function stripDirectives(prompt: string): StrippedPrompt {
  const steps = [stripChoices, stripWildcards, stripEmbeddings, stripTags];
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

function stripWildcards(text: string): string {
  return text.includes('__') ? text.replace(/__+/g, ' ') : text;
}

function stripChoices(text: string): string {
  const opened = text.indexOf('{');
  const bar = opened === -1 ? -1 : text.indexOf('|', opened);
  if (bar === -1 || !text.includes('}', bar)) return text;
  return text.replace(/[{}]/g, ' ').replaceAll('|', ', ');
}
