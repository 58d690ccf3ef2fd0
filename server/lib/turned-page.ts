/** Pages of a list that grows at its beginning, to be turned either way. */

/** Where in a list that grows at its beginning a page lies: behind a place, or before it. */
export interface Position {
  /** Null is the list's beginning, where the newest is. */
  place: string | null;
  towards: 'older' | 'newer';
}

export const listBeginning: Position = { place: null, towards: 'older' };

/** A page with the places from which its neighbours are reached. */
export interface TurnedPage<T> {
  /** Newest first. */
  items: readonly T[];
  older: string | null;
  newer: string | null;
}

/**
 * Makes a page of what was read from a position on, away from it, with one row more than fits.
 *
 * @param placeOf the place of an item: what comes after it, either way, is not it
 */
export function turnPage<T>(
  rows: readonly T[],
  {
    position: { place, towards },
    limit,
    placeOf,
  }: { position: Position; limit: number; placeOf: (item: T) => string },
): TurnedPage<T> {
  const goesOn = rows.length > limit;
  const near = rows.slice(0, limit);
  const items = towards === 'older' ? near : near.toReversed();
  const [first] = items;
  const last = items.at(-1);
  // From where this page was reached there is a way back.
  const hasNewer = towards === 'older' ? place !== null : goesOn;
  const hasOlder = towards === 'older' ? goesOn : true;
  return {
    items,
    older: hasOlder && last ? placeOf(last) : null,
    newer: hasNewer && first ? placeOf(first) : null,
  };
}
