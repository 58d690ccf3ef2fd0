/** What the page of one upstream keeps in its address. */
import { oneOf, oneOfOr, text } from '../../../lib/search-state.ts';

export const upstreamTabs = ['connection', 'models', 'test', 'activity'] as const;

export const upstreamSearch = {
  tab: oneOfOr(upstreamTabs, 'connection'),
  /** In the model list. */
  q: text,
  list: oneOf(['selected', 'gone']),
};
