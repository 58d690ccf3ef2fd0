/** What the page of one user keeps in its address. */
import { rangeSearch } from '../../../lib/range-search.ts';
import { oneOfOr, text } from '../../../lib/search-state.ts';

export const userTabs = ['overview', 'wallet', 'keys', 'usage', 'sessions'] as const;

export const userSearch = {
  tab: oneOfOr(userTabs, 'overview'),
  ...rangeSearch,
  cursor: text,
};
