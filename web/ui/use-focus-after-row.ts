import { type RefObject, useEffect, useRef } from 'react';
import { isDialogOpen } from '../lib/shortcuts.ts';

interface Place {
  element: Element;
  rowKey: string | undefined;
  rowNumber: number;
}

/**
 * What had the focus in a row may go away by being pressed, alone or with its row: whoever works with the keyboard
 * goes on in that row, or in the one that came in its place, and does not begin again at the top of the page.
 */
export function useFocusAfterRow(body: RefObject<HTMLElement | null>): void {
  const last = useRef<Place | null>(null);
  useEffect(() => {
    const remember = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return;
      const row = body.current?.contains(target) ? target.closest<HTMLElement>('[data-row]') : null;
      if (row) {
        const rowNumber = rowsOf(body.current).indexOf(row);
        last.current = { element: target, rowKey: row.dataset['row'], rowNumber };
      } else if (!target.closest('[role="dialog"], [role="menu"]')) {
        last.current = null;
      }
    };
    document.addEventListener('focusin', remember);
    return () => document.removeEventListener('focusin', remember);
  }, [body]);
  useEffect(() => {
    const place = last.current;
    if (!place || place.element.isConnected) return;
    if (document.activeElement !== document.body || isDialogOpen()) return;
    last.current = null;
    const rows = rowsOf(body.current);
    const row = rows.find(({ dataset }) => dataset['row'] === place.rowKey);
    const next = row ?? rows[Math.min(place.rowNumber, rows.length - 1)];
    const link = next?.querySelector<HTMLElement>('a, button');
    (link ?? document.querySelector<HTMLElement>('main'))?.focus({ preventScroll: true });
  });
}

function rowsOf(body: HTMLElement | null): HTMLElement[] {
  return [...(body?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
}
