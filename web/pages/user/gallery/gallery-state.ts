/** What the gallery keeps in its address, and what it only remembers. */
import { operations } from '../../../../shared/image-options.ts';
import type { RunFilter } from '../../../gallery/kept/gallery-store.ts';
import { oneOf, type SearchDefinition, text } from '../../../lib/search-state.ts';
import { createStore } from '../../../lib/store.ts';

export interface GallerySearch {
  model: string | undefined;
  kind: (typeof operations)[number] | undefined;
  starred: 'yes' | undefined;
  sort: 'oldest' | undefined;
}

export const gallerySearch: SearchDefinition<GallerySearch> = {
  model: text,
  kind: oneOf(operations),
  starred: oneOf(['yes']),
  sort: oneOf(['oldest']),
};

export const noFilters: GallerySearch = {
  model: undefined,
  kind: undefined,
  starred: undefined,
  sort: undefined,
};

/** Words of prompts: those never stand in an address, which the service would see. */
export const searchedWords = createStore('');

export function filterOf({ model, kind, starred, sort }: GallerySearch, words: string): RunFilter {
  return {
    ...(model === undefined ? {} : { model }),
    ...(kind === undefined ? {} : { operation: kind }),
    ...(starred === undefined ? {} : { isStarred: true }),
    ...(sort === undefined ? {} : { order: sort }),
    ...(words === '' ? {} : { words }),
  };
}

/** Whether it leaves anything out; an order does not. */
export function isFiltered({ words, model, operation, isStarred }: RunFilter): boolean {
  return [words, model, operation, isStarred].some((each) => each !== undefined);
}
