import { useMemo, useReducer } from 'react';
import type { MaskDocument, MaskShape } from './mask-document.ts';
import {
  contentOf,
  emptyLog,
  logOf,
  type MaskContent,
  type MaskLog,
  redo,
  undo,
  withStep,
} from './mask-log.ts';

export interface MaskHistory {
  content: MaskContent;
  canUndo: boolean;
  canRedo: boolean;
  /** Since it was opened. */
  isChanged: boolean;
  add: (shape: MaskShape) => void;
  /** Instead of everything that was painted. */
  replaceBy: (shape: MaskShape) => void;
  invert: () => void;
  clear: () => void;
  undo: () => void;
  redo: () => void;
}

type Change = (log: MaskLog) => MaskLog;

export function useMaskLog(saved: MaskDocument | null): MaskHistory {
  const first = useMemo(() => (saved ? logOf(saved) : emptyLog), [saved]);
  const [log, change] = useReducer((before: MaskLog, by: Change) => by(before), first);
  const content = useMemo(() => contentOf(log), [log]);
  const actions = useMemo(
    () => ({
      add: (shape: MaskShape) => change((before) => withStep(before, { kind: 'add', shape })),
      replaceBy: (shape: MaskShape) =>
        change((before) => withStep(before, { kind: 'replace', shape })),
      invert: () => change((before) => withStep(before, { kind: 'invert' })),
      clear: () => change((before) => withStep(before, { kind: 'clear' })),
      undo: () => change(undo),
      redo: () => change(redo),
    }),
    [],
  );
  const { steps, done } = log;
  const isChanged = steps !== first.steps || done !== first.done;
  return { content, canUndo: done > 0, canRedo: done < steps.length, isChanged, ...actions };
}
