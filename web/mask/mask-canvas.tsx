import { type PointerEvent, type Ref, useEffect, useId, useImperativeHandle, useRef } from 'react';
import { maskText } from '../i18n/mask-text.ts';
import { useText } from '../i18n/text.ts';
import { classes } from '../ui/classes.ts';
import { BrushRing } from './brush-ring.ts';
import { Gestures, type GestureTool } from './gestures.ts';
import type { MaskShape, MaskTool } from './mask-document.ts';
import type { MaskContent } from './mask-log.ts';
import { type MaskLook, MaskSurface, type WorkPicture } from './mask-surface.ts';
import type { Bitmaps } from './paint-mask.ts';
import { type MaskView, useMaskView } from './use-mask-view.ts';
import { type Point, toPicture } from './view.ts';

export interface MaskCanvasProps {
  picture: WorkPicture;
  content: MaskContent;
  bitmaps: Bitmaps;
  tool: GestureTool;
  size: number;
  look: MaskLook;
  /** While something is painted, too. */
  onCoverage: (share: number) => void;
  onAdd: (shape: MaskShape) => void;
  onZoom: (scale: number) => void;
  ref: Ref<MaskCanvasHandle>;
}

export interface MaskCanvasHandle {
  fit: () => void;
  full: () => void;
  zoomBy: (factor: number) => void;
  /** While the space key is held, the pointer moves the picture. */
  setPanning: (isPanning: boolean) => void;
  /** Gives up a rectangle of which there is one corner; false when there is none. */
  dropCorner: () => boolean;
}

const arrowStep = 40;
const arrows: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: arrowStep, y: 0 },
  ArrowRight: { x: -arrowStep, y: 0 },
  ArrowUp: { x: 0, y: arrowStep },
  ArrowDown: { x: 0, y: -arrowStep },
};

/** The picture with the mask over it, and what pointers do to both. */
export function MaskCanvas(props: MaskCanvasProps) {
  const { picture, content, bitmaps, tool, size, look, onCoverage, onZoom, ref } = props;
  const t = useText(maskText);
  const helpId = useId();
  const place = useRef<HTMLDivElement>(null);
  const image = useRef<HTMLCanvasElement>(null);
  const overlay = useRef<HTMLCanvasElement>(null);
  const ring = useRef<HTMLDivElement>(null);
  const surface = useRef<MaskSurface | null>(null);
  const isPanning = useRef(false);
  const hasOwnPress = useRef(false);
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });

  const view = useMaskView(place, picture, (next) => {
    gestures.current?.dropCorner();
    surface.current?.setView(next);
    onZoom(next.scale);
  });
  const gestures = useRef<Gestures | null>(null);
  gestures.current ??= new Gestures(
    paintingActions({
      props: () => latest.current,
      surface: () => surface.current,
      isPanning: () => isPanning.current,
      view,
    }),
  );

  useEffect(() => {
    if (!image.current || !overlay.current || !place.current) return undefined;
    const opened = new MaskSurface(picture, { image: image.current, overlay: overlay.current });
    surface.current = opened;
    const observer = new ResizeObserver(() => {
      opened.resize();
      view.refit();
    });
    observer.observe(place.current);
    return () => {
      observer.disconnect();
      opened.close();
      surface.current = null;
    };
  }, [picture, view]);

  useEffect(() => {
    surface.current?.setContent(content, bitmaps);
    onCoverage(surface.current?.coverage() ?? 0);
  }, [content, bitmaps, onCoverage]);
  useEffect(() => surface.current?.setLook(look), [look]);
  // Half of a rectangle is nothing to another tool.
  useEffect(() => {
    if (tool !== 'rectangle') gestures.current?.dropCorner();
  }, [tool]);

  useImperativeHandle(
    ref,
    () => ({
      fit: view.fit,
      full: view.full,
      zoomBy: view.zoomBy,
      setPanning: (panning) => {
        isPanning.current = panning;
      },
      dropCorner: () => {
        const hasCorner = gestures.current?.hasCorner ?? false;
        if (hasCorner) gestures.current?.dropCorner();
        return hasCorner;
      },
    }),
    [view],
  );

  const at = (event: { clientX: number; clientY: number }) => pointIn(place.current, event);
  const showRing = (event: PointerEvent) => {
    const isBrush = (tool === 'brush' || tool === 'eraser') && event.pointerType !== 'touch';
    const diameter = size * view.current().scale;
    new BrushRing(ring.current).show(isBrush ? { at: at(event), diameter } : null);
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- an application of its own
    <div
      ref={place}
      role="application"
      aria-label={t.canvas}
      aria-describedby={helpId}
      // The one place of the editor that arrow keys mean something of their own.
      tabIndex={0}
      data-testid="mask-place"
      className={classes(
        'relative min-h-0 min-w-0 touch-none overflow-hidden bg-mat outline-offset-[-2px] select-none',
        tool === 'pan' ? 'cursor-grab active:cursor-grabbing' : 'cursor-crosshair',
      )}
      onKeyDown={(event) => {
        const by = arrows[event.key];
        if (!by) return;
        event.preventDefault();
        view.pan(by);
      }}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        const { pointerId: id, pointerType, button } = event;
        gestures.current?.down({ id, isTouch: pointerType === 'touch', button, ...at(event) });
      }}
      // After the pointer's own event, which counts no clicks.
      onMouseDown={({ detail }) => {
        if (detail <= 1) hasOwnPress.current = true;
        // The second click of the double click that opened the editor is not meant for it.
        if (!hasOwnPress.current) gestures.current?.drop();
      }}
      onPointerMove={(event) => {
        showRing(event);
        gestures.current?.move({ id: event.pointerId }, passedPoints(event).map(at));
      }}
      onPointerUp={(event) => gestures.current?.up({ id: event.pointerId })}
      onPointerCancel={(event) => gestures.current?.cancel({ id: event.pointerId })}
      onPointerLeave={() => {
        new BrushRing(ring.current).show(null);
        gestures.current?.leave();
      }}
    >
      <canvas ref={image} className="absolute inset-0 size-full" />
      <canvas
        ref={overlay}
        // The colours that the mask is drawn with: tint, and the two of the hatch.
        className="absolute inset-0 size-full text-accent caret-bg outline-text"
        data-testid="mask-overlay"
      />
      <div
        ref={ring}
        hidden
        className="pointer-events-none absolute top-0 left-0 rounded-full border border-text outline outline-bg"
      />
      <p id={helpId} hidden>
        {t.canvasHelp}
      </p>
    </div>
  );
}

interface PaintingDeps {
  props: () => MaskCanvasProps;
  surface: () => MaskSurface | null;
  isPanning: () => boolean;
  view: MaskView;
}

/** What gestures do: paint on the surface while they last, and add a shape when they end. */
function paintingActions({ props, surface, isPanning, view }: PaintingDeps) {
  let stroke: Extract<MaskShape, { kind: 'stroke' }> | null = null;
  const point = (at: Point) => toPicture(view.current(), at);
  const show = (shape: MaskShape | null) => {
    surface()?.setLive(shape);
    props().onCoverage(surface()?.coverage() ?? 0);
  };
  const rectangle = ([from, to]: readonly [Point, Point]): MaskShape => {
    const [a, b] = [point(from), point(to)];
    const corner = { x: Math.min(a.x, b.x), y: Math.min(a.y, b.y) };
    const size = { width: Math.abs(a.x - b.x), height: Math.abs(a.y - b.y) };
    return { kind: 'rectangle', tool: effectiveTool('brush', props().content), ...corner, ...size };
  };
  return {
    tool: () => (isPanning() ? 'pan' : props().tool),
    beginStroke: (at: Point) => {
      const { tool, size, content } = props();
      const { x, y } = point(at);
      const wanted = tool === 'eraser' ? 'eraser' : 'brush';
      stroke = { kind: 'stroke', tool: effectiveTool(wanted, content), size, points: [x, y] };
      show(stroke);
    },
    extendStroke: (points: readonly Point[]) => {
      if (!stroke) return;
      const added = points.map(point).flatMap(({ x, y }) => [x, y]);
      stroke = { ...stroke, points: [...stroke.points, ...added] };
      show(stroke);
    },
    endStroke: () => {
      if (stroke) props().onAdd(stroke);
      stroke = null;
    },
    abortStroke: () => {
      stroke = null;
      show(null);
    },
    showRectangle: (corners: readonly [Point, Point] | null) => show(corners && rectangle(corners)),
    addRectangle: (corners: readonly [Point, Point]) => props().onAdd(rectangle(corners)),
    pan: view.pan,
    pinch: view.pinch,
  } satisfies ConstructorParameters<typeof Gestures>[0];
}

/** The brush adds to what may change and the eraser takes away from it, inverted or not. */
export function effectiveTool(tool: MaskTool, { isInverted }: MaskContent): MaskTool {
  if (!isInverted) return tool;
  return tool === 'brush' ? 'eraser' : 'brush';
}

function pointIn(
  place: HTMLElement | null,
  { clientX, clientY }: { clientX: number; clientY: number },
): Point {
  const box = place?.getBoundingClientRect();
  return { x: clientX - (box?.x ?? 0), y: clientY - (box?.y ?? 0) };
}

/** A quick hand passes more points than there are events. */
function passedPoints({ nativeEvent }: PointerEvent): readonly globalThis.PointerEvent[] {
  const passed = nativeEvent.getCoalescedEvents?.() ?? [];
  return passed.length > 0 ? passed : [nativeEvent];
}
