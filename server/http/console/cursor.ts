/** Places in lists as links carry them: which way, and from where. */

import { invalidRequest } from '../../lib/service-error.ts';
import type { Position, TurnedPage } from '../../lib/turned-page.ts';
import { listBeginning } from '../../lib/turned-page.ts';

export function readCursor(cursor: string | undefined): Position {
  if (cursor === undefined) return listBeginning;
  const [, towards, place] = /^(older|newer)-(.+)$/.exec(cursor) ?? [];
  if (place !== undefined && (towards === 'older' || towards === 'newer')) {
    return { place, towards };
  }
  throw invalidRequest(
    'cursor',
    'This cursor does not belong to this list: begin again without one.',
  );
}

/** @param newest the place of the page's first row; undefined for an empty page */
export function presentCursors(
  { older, newer }: Pick<TurnedPage<unknown>, 'older' | 'newer'>,
  newest: string | undefined,
): { older: string | null; newer: string | null; since: string | null } {
  return {
    older: older === null ? null : `older-${older}`,
    newer: newer === null ? null : `newer-${newer}`,
    since: newest === undefined ? null : `newer-${newest}`,
  };
}
