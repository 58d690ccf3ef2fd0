/** What the page of keys keeps in its address, also while one of them is open. */
import { text } from '../../../lib/search-state.ts';

export const keysSearch = { cursor: text };
