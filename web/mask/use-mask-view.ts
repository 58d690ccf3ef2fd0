import { type RefObject, useEffect, useState } from 'react';
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

/** How the picture lies in its place. Kept outside of React: it changes with each move of the hand. */
export class MaskView {
  readonly #place: RefObject<HTMLElement | null>;
  readonly #picture: Size;
  #onChange: (view: View) => void = () => {};
  #view: View = { scale: 1, x: 0, y: 0 };
  #isFitted = true;

  constructor(place: RefObject<HTMLElement | null>, picture: Size) {
    this.#place = place;
    this.#picture = picture;
  }

  current = (): View => this.#view;

  onChange = (listener: (view: View) => void): void => {
    this.#onChange = listener;
  };

  fit = (): void => {
    this.#isFitted = true;
    this.#set(fitView(this.#picture, this.#size(), margin));
  };

  full = (): void => this.#change(fullView(this.#picture, this.#size()));

  zoomAt = (factor: number, at: Point): void => this.#change(zoomedAt(this.#view, factor, at));

  /** Around the middle. */
  zoomBy = (factor: number): void => {
    const { width, height } = this.#size();
    this.zoomAt(factor, { x: width / 2, y: height / 2 });
  };

  pan = (by: Point): void => this.#change(movedBy(this.#view, by));

  pinch = (from: readonly [Point, Point], to: readonly [Point, Point]): void =>
    this.#change(pinched(this.#view, from, to));

  /** When its place has another size: what was fitted stays fitted. */
  refit = (): void => {
    if (this.#isFitted) this.fit();
    else this.#set(this.#view);
  };

  #change(view: View): void {
    this.#isFitted = false;
    this.#set(view);
  }

  #set(view: View): void {
    this.#view = view;
    this.#onChange(view);
  }

  #size(): Size {
    const { clientWidth: width = 0, clientHeight: height = 0 } = this.#place.current ?? {};
    return { width, height };
  }
}

export function useMaskView(
  place: RefObject<HTMLElement | null>,
  picture: Size,
  onChange: (view: View) => void,
): MaskView {
  // An editor is of one picture as long as it is open.
  const [view] = useState(() => new MaskView(place, picture));
  useEffect(() => view.onChange(onChange));
  useEffect(() => {
    const element = place.current;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const box = element?.getBoundingClientRect();
      if (!box) return;
      const at = { x: event.clientX - box.x, y: event.clientY - box.y };
      view.zoomAt(Math.exp(-event.deltaY * wheelPace), at);
    };
    // A quick stroke would be a fling to the browser, and the tap after it, on Undo, only its end.
    const onTouchMove = (event: TouchEvent) => event.preventDefault();
    // React would listen passively, and could not keep the page still.
    element?.addEventListener('wheel', onWheel, { passive: false });
    element?.addEventListener('touchmove', onTouchMove, { passive: false });
    return () => {
      element?.removeEventListener('wheel', onWheel);
      element?.removeEventListener('touchmove', onTouchMove);
    };
  }, [place, view]);
  return view;
}
