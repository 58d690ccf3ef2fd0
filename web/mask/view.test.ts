import { describe, expect, it } from 'vitest';
import { fitView, fullView, movedBy, pinched, toPicture, viewLimits, zoomedAt } from './view.ts';

const picture = { width: 400, height: 200 };
const place = { width: 1_000, height: 400 };

describe('a picture in its place', () => {
  it('is fitted with a margin on all sides', () => {
    expect(fitView(picture, place, 20)).toEqual({ scale: 1.8, x: 140, y: 20 });
  });

  it('at 100 % has its middle where the place has its', () => {
    expect(fullView(picture, place)).toEqual({ scale: 1, x: 300, y: 100 });
  });

  it('is still there where there is no room at all', () => {
    expect(fitView(picture, { width: 0, height: 0 }, 20).scale).toBe(viewLimits.scaleMin);
  });
});

describe('what is under the pointer', () => {
  const view = { scale: 0.5, x: 30, y: -20 };
  const at = { x: 250, y: 90 };

  it.each([0.3, 1, 2.5])('stays there when the picture is scaled by %f', (factor) => {
    const zoomed = zoomedAt(view, factor, at);
    expect(zoomed.scale).toBeCloseTo(0.5 * factor);
    expect(toPicture(zoomed, at).x).toBeCloseTo(toPicture(view, at).x);
    expect(toPicture(zoomed, at).y).toBeCloseTo(toPicture(view, at).y);
  });

  it.each([
    [1e9, viewLimits.scaleMax],
    [1e-9, viewLimits.scaleMin],
  ])('stays there at the limits too: by %d', (factor, scale) => {
    const zoomed = zoomedAt(view, factor, at);
    expect(zoomed.scale).toBe(scale);
    expect(toPicture(zoomed, at).x).toBeCloseTo(toPicture(view, at).x);
  });

  it('is moved with it', () => {
    const moved = movedBy(view, { x: 7, y: 8 });
    expect(toPicture(moved, { x: 257, y: 98 })).toEqual(toPicture(view, at));
  });
});

it('two fingers keep hold of what they touched', () => {
  const view = { scale: 1, x: 0, y: 0 };
  const from = [
    { x: 100, y: 100 },
    { x: 200, y: 100 },
  ] as const;
  const to = [
    { x: 80, y: 140 },
    { x: 280, y: 140 },
  ] as const;
  const after = pinched(view, from, to);
  expect(toPicture(after, to[0])).toEqual({ x: 100, y: 100 });
  expect(toPicture(after, to[1])).toEqual({ x: 200, y: 100 });
});
