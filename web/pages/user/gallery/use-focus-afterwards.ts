import { useEffect, useLayoutEffect, useRef } from 'react';

/** When the bar goes away and has the focus, that goes to the pictures, where the first that was selected lies or lay. */
export function useFocusAfterwards(bar: { current: HTMLElement | null }): void {
  const place = useRef(0);
  useEffect(() => {
    place.current = tiles().findIndex((tile) => 'selected' in tile.dataset);
  });
  useLayoutEffect(() => {
    const { current } = bar;
    return () => {
      if (!current?.contains(document.activeElement)) return;
      // By then those that were deleted have gone.
      requestAnimationFrame(() => {
        const left = tiles();
        const tile = left[Math.max(0, Math.min(place.current, left.length - 1))];
        (tile?.querySelector('a') ?? document.getElementById('content'))?.focus();
      });
    };
  }, [bar]);
}

function tiles(): readonly HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('[data-run]')];
}
