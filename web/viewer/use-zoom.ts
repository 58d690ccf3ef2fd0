/** How a picture is looked at: fitted to its place, or at a scale and moved. */
import {
  type MouseEvent,
  type PointerEvent,
  type RefCallback,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react';
import type { Extent } from './extent.ts';

export interface Zoom {
  /** Null fits it. */
  scale: number | null;
  /** Of its middle from the middle of its place. */
  x: number;
  y: number;
}

const fitted: Zoom = { scale: null, x: 0, y: 0 };

const scaleMin = 0.05;
const scaleMax = 8;
const wheelPace = 0.0015;
const stepFactor = 1.5;

export interface ZoomControls {
  zoom: Zoom;
  /** The ref of what the picture lies in. */
  attach: RefCallback<HTMLElement>;
  fit: () => void;
  full: () => void;
  /** Fits it, or shows in full what was pointed at. */
  toggle: (event: MouseEvent<HTMLElement>) => void;
  zoomIn: () => void;
  zoomOut: () => void;
  handlers: {
    onPointerDown: (event: PointerEvent<HTMLElement>) => void;
    onPointerMove: (event: PointerEvent<HTMLElement>) => void;
    onPointerUp: (event: PointerEvent<HTMLElement>) => void;
    onPointerCancel: (event: PointerEvent<HTMLElement>) => void;
  };
}

interface Point {
  x: number;
  y: number;
}

const middle: Point = { x: 0, y: 0 };

/** @param fittedScale at which scale it is shown while it is fitted */
export function useZoom(
  extentIn: (place: HTMLElement) => Extent,
  fittedScale: () => number,
): ZoomControls {
  const [zoom, setZoom] = useState(fitted);
  const pointers = useRef(new Map<number, Point>());
  const scaleOf = ({ scale }: Zoom) => scale ?? fittedScale();
  const zoomBy = (factor: number) =>
    setZoom((before) => scaledTo(before, scaleOf(before), scaleOf(before) * factor, middle));

  /** What lies at one point is scaled, and lies at the other then. */
  const change = (place: HTMLElement, factor: number, from: Point, to = from) => {
    setZoom((before) => {
      const after = scaledTo(before, scaleOf(before), scaleOf(before) * factor, from);
      const moved = { ...after, x: after.x + to.x - from.x, y: after.y + to.y - from.y };
      return inReach(moved, extentIn(place));
    });
  };
  const forget = ({ pointerId }: PointerEvent) => void pointers.current.delete(pointerId);

  return {
    zoom,
    attach: useNativeEvents(zoom.scale !== null, change),
    fit: () => setZoom(fitted),
    full: () => setZoom({ scale: 1, x: 0, y: 0 }),
    toggle: (event) => {
      const at = pointOf(event, event.currentTarget);
      setZoom(
        zoom.scale === null
          ? inReach(scaledTo(zoom, fittedScale(), 1, at), extentIn(event.currentTarget))
          : fitted,
      );
    },
    zoomIn: () => zoomBy(stepFactor),
    zoomOut: () => zoomBy(1 / stepFactor),
    handlers: {
      onPointerDown: (event) => {
        // The menu of another button may take the end of its press.
        if (event.button !== 0) return;
        pointers.current.set(event.pointerId, pointOf(event, event.currentTarget));
        event.currentTarget.setPointerCapture(event.pointerId);
      },
      onPointerMove: (event) => {
        const before = pointers.current.get(event.pointerId);
        if (!before) return;
        const place = event.currentTarget;
        const now = pointOf(event, place);
        const [other] = [...pointers.current].filter(([id]) => id !== event.pointerId);
        pointers.current.set(event.pointerId, now);
        if (other) {
          const [, still] = other;
          const factor = distance(now, still) / distance(before, still);
          change(place, factor, between(before, still), between(now, still));
        } else if (zoom.scale !== null) change(place, 1, before, now);
      },
      onPointerUp: forget,
      onPointerCancel: forget,
    },
  };
}

/** What React would listen to passively, so that the page could not be kept still. */
function useNativeEvents(
  isZoomed: boolean,
  change: (place: HTMLElement, factor: number, at: Point) => void,
): RefCallback<HTMLElement> {
  const latest = useRef({ isZoomed, change });
  useEffect(() => {
    latest.current = { isZoomed, change };
  });
  return useCallback((place) => {
    // Where the page itself scrolls, only together with Ctrl, which is also how touch pads pinch.
    const onWheel = (event: WheelEvent) => {
      const { scrollHeight, clientHeight } = document.documentElement;
      if (!place || (scrollHeight > clientHeight && !event.ctrlKey)) return;
      event.preventDefault();
      const factor = Math.exp(-event.deltaY * wheelPace);
      latest.current.change(place, factor, pointOf(event, place));
    };
    // A quick move would be a fling to the browser, and the tap after it, on a button, only its end.
    let began = middle;
    const onTouchStart = ({ touches: [first] }: TouchEvent) => {
      if (place && first) began = pointOf(first, place);
    };
    const onTouchMove = (event: TouchEvent) => {
      const [first, second] = event.touches;
      if (!place || !first) return;
      const now = pointOf(first, place);
      // Up and down a finger scrolls the page, on which a fitted picture lies still.
      const isScroll = Math.abs(now.y - began.y) >= Math.abs(now.x - began.x);
      if (latest.current.isZoomed || second || !isScroll) event.preventDefault();
    };
    place?.addEventListener('wheel', onWheel, { passive: false });
    place?.addEventListener('touchstart', onTouchStart, { passive: true });
    place?.addEventListener('touchmove', onTouchMove, { passive: false });
    return () => {
      place?.removeEventListener('wheel', onWheel);
      place?.removeEventListener('touchstart', onTouchStart);
      place?.removeEventListener('touchmove', onTouchMove);
    };
  }, []);
}

/** What lies at the point stays there. */
function scaledTo({ x, y }: Zoom, before: number, wanted: number, at: Point) {
  const scale = Math.min(scaleMax, Math.max(scaleMin, wanted));
  const share = scale / before;
  return { scale, x: at.x - (at.x - x) * share, y: at.y - (at.y - y) * share };
}

/** Moved no further than that some of it lies in the middle, from where it can be moved back. */
function inReach({ scale, x, y }: Zoom & { scale: number }, { width, height }: Extent): Zoom {
  const within = (value: number, side: number) => {
    const most = (side * scale) / 2;
    return Math.min(most, Math.max(-most, value));
  };
  return { scale, x: within(x, width), y: within(y, height) };
}

/** From the middle of the place. */
function pointOf(at: { clientX: number; clientY: number }, place: HTMLElement): Point {
  const box = place.getBoundingClientRect();
  return { x: at.clientX - box.x - box.width / 2, y: at.clientY - box.y - box.height / 2 };
}

function distance(a: Point, b: Point): number {
  return Math.max(1, Math.hypot(a.x - b.x, a.y - b.y));
}

function between(a: Point, b: Point): Point {
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
}
