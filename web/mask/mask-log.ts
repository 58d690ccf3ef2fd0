/** What was done to a mask, step by step: undoing is replaying fewer steps, so it has no end. */
import type { MaskDocument, MaskShape } from './mask-document.ts';

export type MaskStep =
  | { kind: 'add'; shape: MaskShape }
  /** Instead of everything before. */
  | { kind: 'replace'; shape: MaskShape }
  | { kind: 'invert' }
  | { kind: 'clear' };

export interface MaskLog {
  steps: readonly MaskStep[];
  /** How many of them count; those behind can be redone. */
  done: number;
}

export type MaskContent = Pick<MaskDocument, 'shapes' | 'isInverted'>;

export const emptyLog: MaskLog = { steps: [], done: 0 };

/** The steps by which a mask may have come about, so that it can be undone too. */
export function logOf({ shapes, isInverted }: MaskContent): MaskLog {
  const steps: MaskStep[] = shapes.map((shape) => ({ kind: 'add', shape }));
  if (isInverted) steps.push({ kind: 'invert' });
  return { steps, done: steps.length };
}

/** What had been undone is gone. */
export function withStep({ steps, done }: MaskLog, step: MaskStep): MaskLog {
  return { steps: [...steps.slice(0, done), step], done: done + 1 };
}

export function undo({ steps, done }: MaskLog): MaskLog {
  return { steps, done: Math.max(0, done - 1) };
}

export function redo({ steps, done }: MaskLog): MaskLog {
  return { steps, done: Math.min(steps.length, done + 1) };
}

export function contentOf({ steps, done }: MaskLog): MaskContent {
  let shapes: MaskShape[] = [];
  let isInverted = false;
  for (const step of steps.slice(0, done)) {
    switch (step.kind) {
      case 'add':
        shapes.push(step.shape);
        break;
      case 'replace':
        shapes = [step.shape];
        isInverted = false;
        break;
      case 'invert':
        isInverted = !isInverted;
        break;
      case 'clear':
        shapes = [];
        isInverted = false;
        break;
    }
  }
  return { shapes, isInverted };
}
