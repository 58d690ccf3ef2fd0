import { type RefObject, useEffect, useMemo, useRef } from 'react';
import {
  fitView,
  fullView,
  movedBy,
  type Point,
  pinched,
  type Size,
  type View,
  zoomedAt,
} from './view.ts';

const margin = 24;
const wheelPace = 0.0015;

export interface MaskView {
  current: () => View;
  fit: () => void;
  full: () => void;
  /** Around the middle. */
  zoomBy: (factor: number) => void;
  pan: (by: Point) => void;
  pinch: (from: readonly [Point, Point], to: readonly [Point, Point]) => void;
  /** When its place has another size: what was fitted stays fitted. */
  refit: () => void;
}

/** How the picture lies in its place. Kept outside of React: it changes with each move of the hand. */
export function useMaskView(
  place: RefObject<HTMLElement | null>,
  picture: Size,
  onChange: (view: View) => void,
): MaskView {
  const latest = useRef(onChange);
  useEffect(() => {
    latest.current = onChange;
  });
  const view = useMemo(() => {
    let current: View = { scale: 1, x: 0, y: 0 };
    let isFitted = true;
    const size = (): Size => ({
      width: place.current?.clientWidth ?? 0,
      height: place.current?.clientHeight ?? 0,
    });
    const set = (next: View) => {
      current = next;
      latest.current(next);
    };
    const change = (next: View) => {
      isFitted = false;
      set(next);
    };
    const fit = () => {
      isFitted = true;
      set(fitView(picture, size(), margin));
    };
    return {
      current: () => current,
      fit,
      full: () => change(fullView(picture, size())),
      zoomAt: (factor: number, at: Point) => change(zoomedAt(current, factor, at)),
      zoomBy: (factor: number) => {
        const { width, height } = size();
        change(zoomedAt(current, factor, { x: width / 2, y: height / 2 }));
      },
      pan: (by: Point) => change(movedBy(current, by)),
      pinch: (from: readonly [Point, Point], to: readonly [Point, Point]) =>
        change(pinched(current, from, to)),
      refit: () => (isFitted ? fit() : set(current)),
    };
  }, [place, picture]);

  useEffect(() => {
    const element = place.current;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const box = element?.getBoundingClientRect();
      if (!box) return;
      const at = { x: event.clientX - box.x, y: event.clientY - box.y };
      view.zoomAt(Math.exp(-event.deltaY * wheelPace), at);
    };
    // React would listen passively, and could not keep the page still.
    element?.addEventListener('wheel', onWheel, { passive: false });
    return () => element?.removeEventListener('wheel', onWheel);
  }, [place, view]);
  return view;
}
