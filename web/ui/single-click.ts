import type { MouseEvent } from 'react';

/**
 * For what takes its own row away: the second click of a double click meets the row that came in its place. And for
 * what is done at once and can be done again.
 */
export function singleClick(act: () => void): (event: MouseEvent) => void {
  return ({ detail }) => {
    // None by the keyboard, 1 for a click alone.
    if (detail <= 1) act();
  };
}
