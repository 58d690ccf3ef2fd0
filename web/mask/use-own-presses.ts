import { type MouseEvent, useRef } from 'react';

/**
 * Of a double click that opens what it is given to, the second click comes upon whatever is there by then, and is
 * not meant for it. Everything from the first press on that begins there is.
 *
 * @param onStray gives up what the pointer has begun: its own event comes before the mouse's, and counts no clicks
 */
export function useOwnPresses(onStray: () => void) {
  const hasOwn = useRef(false);
  return {
    onMouseDownCapture: ({ detail }: MouseEvent) => {
      if (detail <= 1) hasOwn.current = true;
      if (!hasOwn.current) onStray();
    },
    onClickCapture: (event: MouseEvent) => {
      // By the keyboard it counts none.
      if (hasOwn.current || event.detail <= 1) return;
      event.preventDefault();
      event.stopPropagation();
    },
  };
}
