/**
 * What pointers mean on a picture that is painted on: one draws or moves, two move and scale. Knows
 * nothing of the page; points are within the place of the picture.
 */
import type { Point } from './view.ts';

export type GestureTool = 'brush' | 'eraser' | 'rectangle' | 'pan';

export interface PointerFacts extends Point {
  id: number;
  isTouch: boolean;
  /** 0 is the main one, 1 the middle one. */
  button: number;
}

export interface GestureActions {
  /** With which tool; a held space key makes it `pan`. */
  tool: () => GestureTool;
  beginStroke: (at: Point) => void;
  extendStroke: (points: readonly Point[]) => void;
  endStroke: () => void;
  /** It was the first finger of two. */
  abortStroke: () => void;
  /** From the first corner to where the pointer is; null takes it away. */
  showRectangle: (corners: readonly [Point, Point] | null) => void;
  addRectangle: (corners: readonly [Point, Point]) => void;
  pan: (by: Point) => void;
  pinch: (from: readonly [Point, Point], to: readonly [Point, Point]) => void;
}

/** Shorter than that, a drag of the rectangle was a click, and the second corner is still to come. */
const dragPixelsMin = 4;

type Mode = 'idle' | 'stroke' | 'rectangle' | 'pan' | 'pinch' | 'ignored';

export class Gestures {
  readonly #actions: GestureActions;
  /** Those that are down. */
  readonly #pointers = new Map<number, Point>();
  /** Whether those are fingers. */
  #areTouch = false;
  #mode: Mode = 'idle';
  /** The first corner of a rectangle. */
  #corner: Point | null = null;

  constructor(actions: GestureActions) {
    this.#actions = actions;
  }

  /** Whether a rectangle waits for its second corner. */
  get hasCorner(): boolean {
    return this.#corner !== null;
  }

  down(pointer: PointerFacts): void {
    // The hand that holds a pen lies down beside it.
    if (pointer.isTouch && this.#pointers.size > 0 && !this.#areTouch) return;
    if (!pointer.isTouch && this.#areTouch) this.drop();
    this.#areTouch = pointer.isTouch;
    this.#pointers.set(pointer.id, pointOf(pointer));
    if (this.#pointers.size === 2 && pointer.isTouch) this.#beginPinch();
    else if (this.#pointers.size === 1) this.#begin(pointer);
  }

  /** @param points all that were passed since the last time, the present one last */
  move({ id }: Pick<PointerFacts, 'id'>, points: readonly Point[]): void {
    const to = points.at(-1);
    const from = this.#pointers.get(id);
    if (!to) return;
    if (!from) {
      // Over the picture between the two clicks of a rectangle.
      if (this.#corner) this.#actions.showRectangle([this.#corner, to]);
      return;
    }
    const before = this.#pair();
    this.#pointers.set(id, to);
    const after = this.#pair();
    switch (this.#mode) {
      case 'stroke':
        this.#actions.extendStroke(points);
        break;
      case 'rectangle':
        if (this.#corner) this.#actions.showRectangle([this.#corner, to]);
        break;
      case 'pan':
        this.#actions.pan({ x: to.x - from.x, y: to.y - from.y });
        break;
      case 'pinch':
        if (before && after) this.#actions.pinch(before, after);
        break;
      case 'idle':
      case 'ignored':
        break;
    }
  }

  up({ id }: Pick<PointerFacts, 'id'>): void {
    const at = this.#pointers.get(id);
    if (!at) return;
    this.#pointers.delete(id);
    if (this.#mode === 'stroke') this.#actions.endStroke();
    if (this.#mode === 'rectangle') this.#endDrag(at);
    // The finger that is left after two does not begin to draw.
    this.#mode = this.#pointers.size === 0 ? 'idle' : 'ignored';
  }

  /** The system took the pointer away. */
  cancel({ id }: Pick<PointerFacts, 'id'>): void {
    if (!this.#pointers.delete(id)) return;
    this.#abort();
    this.#mode = this.#pointers.size === 0 ? 'idle' : 'ignored';
  }

  /** Gives up what is under way: no pointer that is down does anything until it is pressed anew. */
  drop(): void {
    this.#abort();
    this.#pointers.clear();
    this.#mode = 'idle';
  }

  /** To where nothing is painted: what would become of the rectangle is not shown meanwhile. */
  leave(): void {
    if (this.#corner) this.#actions.showRectangle(null);
  }

  dropCorner(): void {
    if (!this.#corner) return;
    this.#corner = null;
    this.#actions.showRectangle(null);
  }

  #begin(pointer: PointerFacts): void {
    const tool = pointer.button === 1 ? 'pan' : this.#actions.tool();
    if (pointer.button > 1) {
      this.#mode = 'ignored';
    } else if (tool === 'pan') {
      this.#mode = 'pan';
    } else if (tool === 'rectangle') {
      this.#mode = 'rectangle';
      if (this.#corner) this.#finishRectangle(pointOf(pointer));
      else this.#corner = pointOf(pointer);
    } else {
      this.#mode = 'stroke';
      this.#actions.beginStroke(pointOf(pointer));
    }
  }

  #beginPinch(): void {
    this.#abort();
    this.#mode = 'pinch';
  }

  #abort(): void {
    if (this.#mode === 'stroke') this.#actions.abortStroke();
    if (this.#mode === 'rectangle') this.dropCorner();
  }

  #endDrag(at: Point): void {
    if (!this.#corner) return;
    const { x, y } = this.#corner;
    if (Math.hypot(at.x - x, at.y - y) >= dragPixelsMin) this.#finishRectangle(at);
  }

  #finishRectangle(at: Point): void {
    const corner = this.#corner;
    this.dropCorner();
    // Of no width or height, it would be a step that does nothing.
    if (!corner || corner.x === at.x || corner.y === at.y) return;
    this.#actions.addRectangle([corner, at]);
  }

  #pair(): readonly [Point, Point] | null {
    const [first, second] = this.#pointers.values();
    return first && second ? [first, second] : null;
  }
}

function pointOf({ x, y }: Point): Point {
  return { x, y };
}
