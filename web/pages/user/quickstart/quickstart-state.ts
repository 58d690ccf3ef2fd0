import { oneOfOr, text } from '../../../lib/search-state.ts';

export const languages = ['curl', 'powershell', 'python', 'node', 'fetch'] as const;
export const operations = ['generate', 'edit', 'stream'] as const;

/** What the snippet is about. */
export const quickstartSearch = {
  lang: oneOfOr(languages, 'curl'),
  op: oneOfOr(operations, 'generate'),
  model: text,
};
