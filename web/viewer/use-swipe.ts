/** A finger that moves a fitted picture aside, to the one beside it. */
import { type PointerEvent, useRef, useState } from 'react';

/** What a finger leads to that moves this way; null where nothing is. */
export interface Beside {
  left: (() => void) | null;
  right: (() => void) | null;
}

/** A shorter way is a tap, or a finger that thought better of it. */
const wayPixelsMin = 48;

export interface Swipe {
  /** How far the picture has followed the finger to the right. */
  offset: number;
  handlers: {
    onPointerDown: (event: PointerEvent) => void;
    onPointerMove: (event: PointerEvent) => void;
    onPointerUp: (event: PointerEvent) => void;
    onPointerCancel: () => void;
  };
}

/** @param beside null while the picture is not to be moved aside */
export function useSwipe(beside: Beside | null): Swipe {
  const [offset, setOffset] = useState(0);
  const began = useRef<{ x: number; y: number } | null>(null);

  /** Only where it goes further to the side than up or down, and something is there. */
  const wayOf = ({ clientX, clientY }: PointerEvent) => {
    if (!began.current || !beside) return { way: 0, turn: null };
    const way = clientX - began.current.x;
    const turn = way < 0 ? beside.left : beside.right;
    const isAside = turn !== null && Math.abs(way) > Math.abs(clientY - began.current.y);
    return { way: isAside ? way : 0, turn };
  };
  const giveUp = () => {
    began.current = null;
    setOffset(0);
  };
  return {
    offset: beside ? offset : 0,
    handlers: {
      onPointerDown: ({ pointerType, isPrimary, clientX, clientY }) => {
        giveUp();
        // Two fingers zoom.
        if (pointerType === 'touch' && isPrimary) began.current = { x: clientX, y: clientY };
      },
      onPointerMove: (event) => {
        if (began.current) setOffset(wayOf(event).way);
      },
      onPointerUp: (event) => {
        const { way, turn } = wayOf(event);
        if (Math.abs(way) < wayPixelsMin) return giveUp();
        // It stays aside until the other one is there, and does not jump back before.
        began.current = null;
        turn?.();
      },
      onPointerCancel: giveUp,
    },
  };
}
