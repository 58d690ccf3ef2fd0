import { beforeEach, describe, expect, it } from 'vitest';
import { Gestures, type GestureTool } from './gestures.ts';

let tool: GestureTool;
let seen: unknown[];
let gestures: Gestures;

beforeEach(() => {
  tool = 'brush';
  seen = [];
  const note =
    (name: string) =>
    (...facts: unknown[]) =>
      seen.push([name, ...facts]);
  gestures = new Gestures({
    tool: () => tool,
    beginStroke: note('begin'),
    extendStroke: note('extend'),
    endStroke: note('end'),
    abortStroke: note('abort'),
    showRectangle: note('show'),
    addRectangle: note('add'),
    pan: note('pan'),
    pinch: note('pinch'),
  });
});

const mouse = { id: 1, isTouch: false, button: 0 };
const finger = (id: number) => ({ id, isTouch: true, button: 0 });
const a = { x: 10, y: 10 };
const b = { x: 30, y: 20 };
const c = { x: 50, y: 60 };

describe('one pointer', () => {
  it('draws a stroke with every point that it passed', () => {
    gestures.down({ ...mouse, ...a });
    gestures.move(mouse, [b, c]);
    gestures.up(mouse);
    expect(seen).toEqual([['begin', a], ['extend', [b, c]], ['end']]);
  });

  it('draws nothing while it is up', () => {
    gestures.move(mouse, [b]);
    gestures.up(mouse);
    expect(seen).toEqual([]);
  });

  it('moves the picture with the middle button, and with the tool for it', () => {
    gestures.down({ ...mouse, button: 1, ...a });
    gestures.move(mouse, [b]);
    gestures.up(mouse);
    tool = 'pan';
    gestures.down({ ...mouse, ...b });
    gestures.move(mouse, [a]);
    expect(seen).toEqual([
      ['pan', { x: 20, y: 10 }],
      ['pan', { x: -20, y: -10 }],
    ]);
  });

  it('does nothing with the right button', () => {
    gestures.down({ ...mouse, button: 2, ...a });
    gestures.move(mouse, [b]);
    gestures.up(mouse);
    expect(seen).toEqual([]);
  });

  it('loses its stroke when the system takes it away', () => {
    gestures.down({ ...mouse, ...a });
    gestures.cancel(mouse);
    expect(seen).toEqual([['begin', a], ['abort']]);
  });

  it('does nothing more of what it began when that is given up, and begins anew', () => {
    gestures.down({ ...mouse, ...a });
    gestures.drop();
    gestures.move(mouse, [b]);
    gestures.up(mouse);
    expect(seen).toEqual([['begin', a], ['abort']]);
    seen = [];
    gestures.down({ ...mouse, ...c });
    gestures.up(mouse);
    expect(seen).toEqual([['begin', c], ['end']]);
  });
});

describe('a rectangle', () => {
  beforeEach(() => {
    tool = 'rectangle';
  });

  it('is dragged from corner to corner', () => {
    gestures.down({ ...mouse, ...a });
    gestures.move(mouse, [b]);
    gestures.up(mouse);
    expect(seen).toEqual([
      ['show', [a, b]],
      ['show', null],
      ['add', [a, b]],
    ]);
  });

  it('is made by two clicks, without dragging', () => {
    gestures.down({ ...mouse, ...a });
    gestures.up(mouse);
    expect(gestures.hasCorner).toBe(true);
    gestures.move(mouse, [b]);
    gestures.down({ ...mouse, ...c });
    gestures.up(mouse);
    expect(seen).toEqual([
      ['show', [a, b]],
      ['show', null],
      ['add', [a, c]],
    ]);
    expect(gestures.hasCorner).toBe(false);
  });

  it('can be given up after the first click', () => {
    gestures.down({ ...mouse, ...a });
    gestures.up(mouse);
    gestures.dropCorner();
    gestures.move(mouse, [b]);
    expect(seen).toEqual([['show', null]]);
  });

  it('is not shown while the pointer is elsewhere, and goes on when it comes back', () => {
    gestures.down({ ...mouse, ...a });
    gestures.up(mouse);
    gestures.leave();
    expect(seen).toEqual([['show', null]]);
    expect(gestures.hasCorner).toBe(true);
    gestures.move(mouse, [b]);
    expect(seen.at(-1)).toEqual(['show', [a, b]]);
  });

  it('of no width or height is none', () => {
    for (const end of [a, { x: a.x, y: c.y }]) {
      gestures.down({ ...mouse, ...a });
      gestures.up(mouse);
      gestures.down({ ...mouse, ...end });
      gestures.up(mouse);
    }
    expect(seen.filter((each) => JSON.stringify(each).includes('add'))).toEqual([]);
    expect(gestures.hasCorner).toBe(false);
  });

  it('that nobody began is not taken away: a stroke stays while the picture is scaled', () => {
    tool = 'brush';
    gestures.down({ ...mouse, ...a });
    gestures.dropCorner();
    gestures.leave();
    expect(seen).toEqual([['begin', a]]);
  });
});

describe('two fingers', () => {
  it('move and scale, and abort the stroke that the first of them began', () => {
    gestures.down({ ...finger(1), ...a });
    gestures.down({ ...finger(2), ...c });
    gestures.move(finger(2), [b]);
    expect(seen).toEqual([['begin', a], ['abort'], ['pinch', [a, c], [a, b]]]);
  });

  it('do not begin to draw when one of them is lifted', () => {
    gestures.down({ ...finger(1), ...a });
    gestures.down({ ...finger(2), ...c });
    gestures.up(finger(2));
    seen = [];
    gestures.move(finger(1), [b]);
    gestures.up(finger(1));
    expect(seen).toEqual([]);
    gestures.down({ ...finger(3), ...a });
    expect(seen).toEqual([['begin', a]]);
  });
});

describe('a pen', () => {
  const pen = { id: 9, isTouch: false, button: 0 };

  it('goes on with its stroke while the hand that holds it comes down, and is lifted', () => {
    gestures.down({ ...pen, ...a });
    gestures.down({ ...finger(1), ...c });
    gestures.move(finger(1), [a]);
    gestures.move(pen, [b]);
    gestures.up(finger(1));
    gestures.move(pen, [c]);
    gestures.up(pen);
    expect(seen).toEqual([['begin', a], ['extend', [b]], ['extend', [c]], ['end']]);
  });

  it('draws instead of the hand that lay there before it', () => {
    gestures.down({ ...finger(1), ...c });
    gestures.down({ ...pen, ...a });
    gestures.move(finger(1), [b]);
    gestures.move(pen, [b]);
    gestures.up(pen);
    gestures.up(finger(1));
    expect(seen).toEqual([['begin', c], ['abort'], ['begin', a], ['extend', [b]], ['end']]);
  });
});
