import { type PointerEvent, useRef } from 'react';

const longMs = 500;
/** A finger that moves further scrolls. */
const moveMax = 10;

/** A finger that stays where it is. */
export function useLongPress(onLong: () => void) {
  const state = useRef({ timer: 0, x: 0, y: 0, wasLong: false });
  const stop = () => window.clearTimeout(state.current.timer);
  return {
    /** Whether the click that just came ended a long press. */
    wasLong: () => state.current.wasLong,
    handlers: {
      onPointerDown: ({ pointerType, clientX, clientY }: PointerEvent) => {
        state.current.wasLong = false;
        if (pointerType !== 'touch') return;
        stop();
        const timer = window.setTimeout(() => {
          state.current.wasLong = true;
          onLong();
        }, longMs);
        state.current = { timer, x: clientX, y: clientY, wasLong: false };
      },
      onPointerMove: ({ clientX, clientY }: PointerEvent) => {
        const { x, y } = state.current;
        if (Math.hypot(clientX - x, clientY - y) > moveMax) stop();
      },
      onPointerUp: stop,
      onPointerCancel: stop,
      // The browser's own menu of links would come up.
      onContextMenu: (event: { preventDefault: () => void }) => {
        if (state.current.wasLong) event.preventDefault();
      },
    },
  };
}
