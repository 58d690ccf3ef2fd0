/**
 * Words that engines draw at random, from a file of the operator's or from the prompt: orders to the
 * engine, which a caller may not give, so they become plain words.
 *
 * - `__colours__`, a wildcard file: only the name stays
 * - `{red|blue}`, a random choice: its words stay, without braces
 *
 * What is taken out is replaced by a space or a comma, so that what was around it never joins.
 */
export function withoutRandomWords(prompt: string): string {
  return withoutWildcards(withoutChoices(prompt));
}

function withoutWildcards(text: string): string {
  return text.includes('__') ? text.replace(/__+/g, ' ') : text;
}

function withoutChoices(text: string): string {
  const opened = text.indexOf('{');
  const bar = opened === -1 ? -1 : text.indexOf('|', opened);
  if (bar === -1 || !text.includes('}', bar)) return text;
  return text.replace(/[{}]/g, ' ').replaceAll('|', ', ');
}
