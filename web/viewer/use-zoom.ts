/** How a picture is looked at: fitted to its place, or at a scale and moved. */
import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';

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
  fit: () => void;
  full: () => void;
  zoomBy: (factor: number) => void;
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

/**
 * @param place what the picture lies in
 * @param fittedScale at which scale it is shown while it is fitted
 */
export function useZoom(
  place: RefObject<HTMLElement | null>,
  fittedScale: () => number,
): ZoomControls {
  const [zoom, setZoom] = useState(fitted);
  const pointers = useRef(new Map<number, Point>());

  const zoomAt = (factor: number, at: Point) => {
    setZoom((before) => {
      const from = before.scale ?? fittedScale();
      const scale = Math.min(scaleMax, Math.max(scaleMin, from * factor));
      // What is under the pointer stays there.
      const share = scale / from;
      return { scale, x: at.x - (at.x - before.x) * share, y: at.y - (at.y - before.y) * share };
    });
  };
  const zoomBy = (factor: number) => zoomAt(factor, { x: 0, y: 0 });
  useWheel(place, zoomAt);

  const middleOf = ({ clientX, clientY }: { clientX: number; clientY: number }): Point => {
    const box = place.current?.getBoundingClientRect();
    if (!box) return { x: 0, y: 0 };
    return { x: clientX - box.x - box.width / 2, y: clientY - box.y - box.height / 2 };
  };
  const forget = ({ pointerId }: PointerEvent) => void pointers.current.delete(pointerId);

  return {
    zoom,
    fit: () => setZoom(fitted),
    full: () => setZoom({ scale: 1, x: 0, y: 0 }),
    zoomBy,
    zoomIn: () => zoomBy(stepFactor),
    zoomOut: () => zoomBy(1 / stepFactor),
    handlers: {
      onPointerDown: (event) => {
        pointers.current.set(event.pointerId, middleOf(event));
        event.currentTarget.setPointerCapture(event.pointerId);
      },
      onPointerMove: (event) => {
        const before = pointers.current.get(event.pointerId);
        if (!before) return;
        const now = middleOf(event);
        const others = [...pointers.current].filter(([id]) => id !== event.pointerId);
        pointers.current.set(event.pointerId, now);
        const [other] = others;
        if (other)
          zoomAt(distance(now, other[1]) / distance(before, other[1]), between(now, other[1]));
        else if (zoom.scale !== null) {
          setZoom(({ scale, x, y }) => ({
            scale,
            x: x + now.x - before.x,
            y: y + now.y - before.y,
          }));
        }
      },
      onPointerUp: forget,
      onPointerCancel: forget,
    },
  };
}

/** Where the page itself scrolls, only together with Ctrl, which is also how touch pads pinch. */
function useWheel(
  place: RefObject<HTMLElement | null>,
  zoomAt: (factor: number, at: Point) => void,
): void {
  const latest = useRef(zoomAt);
  useEffect(() => {
    latest.current = zoomAt;
  });
  useEffect(() => {
    const element = place.current;
    const onWheel = (event: WheelEvent) => {
      const { scrollHeight, clientHeight } = document.documentElement;
      if (scrollHeight > clientHeight && !event.ctrlKey) return;
      event.preventDefault();
      const box = element?.getBoundingClientRect();
      if (!box) return;
      const at = {
        x: event.clientX - box.x - box.width / 2,
        y: event.clientY - box.y - box.height / 2,
      };
      latest.current(Math.exp(-event.deltaY * wheelPace), at);
    };
    // React would listen passively, and could not keep the page still.
    element?.addEventListener('wheel', onWheel, { passive: false });
    return () => element?.removeEventListener('wheel', onWheel);
  }, [place]);
}

function distance(a: Point, b: Point): number {
  return Math.max(1, Math.hypot(a.x - b.x, a.y - b.y));
}

function between(a: Point, b: Point): Point {
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
}
