import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** The width that an element has, for what is drawn in real pixels. Zero before the first layout. */
export function useWidth<E extends HTMLElement>(): readonly [RefObject<E | null>, number] {
  const element = useRef<E>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const watched = element.current;
    if (!watched) return undefined;
    const observer = new ResizeObserver(() => setWidth(Math.floor(watched.clientWidth)));
    observer.observe(watched);
    setWidth(Math.floor(watched.clientWidth));
    return () => observer.disconnect();
  }, []);
  return [element, width];
}
