/** How a picture lies in its place: scaled, then moved. `place = picture × scale + (x, y)`. */
export interface View {
  scale: number;
  x: number;
  y: number;
}

export interface Point {
  x: number;
  y: number;
}

export interface Size {
  width: number;
  height: number;
}

export const viewLimits = { scaleMin: 0.02, scaleMax: 16 } as const;

/** As large as fits with a margin around it, and in the middle. */
export function fitView(picture: Size, place: Size, margin: number): View {
  const room = {
    width: Math.max(1, place.width - 2 * margin),
    height: Math.max(1, place.height - 2 * margin),
  };
  const scale = Math.min(room.width / picture.width, room.height / picture.height);
  return centred(picture, place, inLimits(scale));
}

/** One pixel of the picture for each of the page. */
export function fullView(picture: Size, place: Size): View {
  return centred(picture, place, 1);
}

/** What lies at the point stays there. */
export function zoomedAt({ scale, x, y }: View, factor: number, at: Point): View {
  const zoomed = inLimits(scale * factor);
  const share = zoomed / scale;
  return { scale: zoomed, x: at.x - (at.x - x) * share, y: at.y - (at.y - y) * share };
}

export function movedBy({ scale, x, y }: View, by: Point): View {
  return { scale, x: x + by.x, y: y + by.y };
}

/** Two fingers that went from one pair of points to another. */
export function pinched(
  view: View,
  from: readonly [Point, Point],
  to: readonly [Point, Point],
): View {
  const before = middleOf(from);
  const after = middleOf(to);
  const moved = movedBy(view, { x: after.x - before.x, y: after.y - before.y });
  return zoomedAt(moved, distanceOf(to) / distanceOf(from), after);
}

export function toPicture({ scale, x, y }: View, at: Point): Point {
  return { x: (at.x - x) / scale, y: (at.y - y) / scale };
}

function centred(picture: Size, place: Size, scale: number): View {
  return {
    scale,
    x: (place.width - picture.width * scale) / 2,
    y: (place.height - picture.height * scale) / 2,
  };
}

function inLimits(scale: number): number {
  return Math.min(viewLimits.scaleMax, Math.max(viewLimits.scaleMin, scale));
}

function middleOf([a, b]: readonly [Point, Point]): Point {
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
}

function distanceOf([a, b]: readonly [Point, Point]): number {
  return Math.max(1, Math.hypot(a.x - b.x, a.y - b.y));
}
