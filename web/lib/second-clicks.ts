import { useEffect } from 'react';
import { openDialog } from './shortcuts.ts';

/**
 * Whoever clicks twice where once is enough means what was there at the first click. Its second click does nothing
 * where a dialog has come or gone since: it would shut what the first has opened, or press a button of it.
 */
export function useSecondClicks(): void {
  useEffect(() => {
    let dialogAtFirst: Element | null = null;
    const onMouseDown = ({ detail }: MouseEvent) => {
      if (detail <= 1) dialogAtFirst = openDialog();
    };
    const onClick = (event: MouseEvent) => {
      // By the keyboard it counts none.
      if (event.detail <= 1 || openDialog() === dialogAtFirst) return;
      event.preventDefault();
      event.stopPropagation();
    };
    // Before whatever else listens for them, also on the document.
    window.addEventListener('mousedown', onMouseDown, { capture: true });
    window.addEventListener('click', onClick, { capture: true });
    return () => {
      window.removeEventListener('mousedown', onMouseDown, { capture: true });
      window.removeEventListener('click', onClick, { capture: true });
    };
  }, []);
}
