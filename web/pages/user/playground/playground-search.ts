import { oneOf, type SearchDefinition, text } from '../../../lib/search-state.ts';

export interface PlaygroundSearch {
  /** ID of a picture of the gallery, */
  from: string | undefined;
  /** and what to do with it. A prompt is never in an address. */
  as: 'edit' | 'rerun' | undefined;
}

export const playgroundSearch: SearchDefinition<PlaygroundSearch> = {
  from: text,
  as: oneOf(['edit', 'rerun']),
};
