/** What the page of codes keeps in its address. */
import { oneOf, text } from '../../../lib/search-state.ts';

export const codeStates = ['open', 'redeemed', 'withdrawn', 'expired'] as const;

export const codesSearch = { state: oneOf(codeStates), batch: text, cursor: text };
