import { describe, expect, it } from 'vitest';
import type { MaskShape } from './mask-document.ts';
import { contentOf, emptyLog, logOf, type MaskLog, redo, undo, withStep } from './mask-log.ts';

function stroke(size: number): MaskShape {
  return { kind: 'stroke', tool: 'brush', size, points: [size, size] };
}

function painted(count: number): MaskLog {
  let log = emptyLog;
  for (let i = 1; i <= count; i++) log = withStep(log, { kind: 'add', shape: stroke(i) });
  return log;
}

function times(count: number, change: (log: MaskLog) => MaskLog, log: MaskLog): MaskLog {
  return Array.from({ length: count }).reduce<MaskLog>((before) => change(before), log);
}

describe('undo', () => {
  it('goes back to nothing however long it takes, and redo all the way forward again', () => {
    const log = painted(500);
    const back = times(500, undo, log);
    expect(contentOf(back)).toEqual({ shapes: [], isInverted: false });
    expect(contentOf(times(500, redo, back))).toEqual(contentOf(log));
  });

  it('stays at the beginning, and redo at the end', () => {
    expect(undo(emptyLog)).toEqual(emptyLog);
    expect(redo(painted(2))).toEqual(painted(2));
  });

  it('takes back a clear and an inversion', () => {
    const inverted = withStep(painted(2), { kind: 'invert' });
    const cleared = withStep(inverted, { kind: 'clear' });
    expect(contentOf(cleared)).toEqual({ shapes: [], isInverted: false });
    expect(contentOf(undo(cleared))).toEqual({ ...contentOf(painted(2)), isInverted: true });
  });

  it('takes back in one step that a mask was brought along', () => {
    const log = withStep(painted(2), { kind: 'replace', shape: stroke(9) });
    expect(contentOf(log)).toEqual({ shapes: [stroke(9)], isInverted: false });
    expect(undo(log).done).toBe(2);
    expect(contentOf(undo(log))).toEqual(contentOf(painted(2)));
  });

  it('is given up by painting on', () => {
    const log = withStep(undo(painted(3)), { kind: 'add', shape: stroke(9) });
    expect(contentOf(log).shapes).toEqual([stroke(1), stroke(2), stroke(9)]);
    expect(redo(log)).toEqual(log);
  });
});

it('a mask that was saved can be undone like one that was just painted', () => {
  const saved = { shapes: [stroke(1), stroke(2)], isInverted: true };
  const log = logOf(saved);
  expect(contentOf(log)).toEqual(saved);
  expect(contentOf(times(3, undo, log))).toEqual({ shapes: [], isInverted: false });
});

it('an earlier stroke keeps its size when another follows', () => {
  const log = withStep(painted(1), { kind: 'add', shape: stroke(200) });
  expect(contentOf(log).shapes[0]).toEqual(stroke(1));
});
