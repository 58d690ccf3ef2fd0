import type { KeyboardEvent, RefObject } from 'react';
import type { GestureTool } from './gestures.ts';
import type { MaskCanvasHandle } from './mask-canvas.tsx';
import type { MaskHistory } from './use-mask-log.ts';

export interface MaskKeysWish {
  /** Single keys; those with Ctrl or ⌘ always do something. */
  isOn: boolean;
  log: MaskHistory;
  canvas: RefObject<MaskCanvasHandle | null>;
  onTool: (tool: GestureTool) => void;
  onSize: (change: (size: number) => number) => void;
  onHide: (isHidden: boolean) => void;
  onSave: () => void;
}

const toolKeys: Readonly<Record<string, GestureTool>> = {
  b: 'brush',
  e: 'eraser',
  r: 'rectangle',
  h: 'pan',
};

/** Larger steps for larger brushes. */
const sizeFactor = 1.15;

/** For the editor as a whole, but no dialog over it: fields keep their letters, buttons their space. */
export function useMaskKeys(wish: MaskKeysWish) {
  const { isOn, canvas, log } = wish;
  return {
    onKeyDown: (event: KeyboardEvent) => {
      if (event.nativeEvent.isComposing || event.defaultPrevented) return;
      // React hands on what happens in a dialog that is elsewhere on the page.
      if (!(event.target instanceof Node && event.currentTarget.contains(event.target))) return;
      const action = event.ctrlKey || event.metaKey ? commandOf(event) : isOn && singleOf(event);
      if (!action) return;
      event.preventDefault();
      action();
    },
    onKeyUp: (event: KeyboardEvent) => {
      if (event.key === ' ') canvas.current?.setPanning(false);
      if (isOriginal(event.key)) wish.onHide(false);
    },
  };

  function commandOf(event: KeyboardEvent): (() => void) | undefined {
    if (isTextField(event.target)) return undefined;
    const key = event.key.toLowerCase();
    if (key === 'z') return event.shiftKey ? log.redo : log.undo;
    if (key === 'y') return log.redo;
    if (key === 'enter') return wish.onSave;
    return undefined;
  }

  function singleOf(event: KeyboardEvent): (() => void) | undefined {
    const { key, target } = event;
    if (event.altKey || isTextField(target)) return undefined;
    const tool = toolKeys[key.toLowerCase()];
    if (tool) return () => wish.onTool(tool);
    if (isOriginal(key)) return () => wish.onHide(true);
    switch (key) {
      case '[':
      case ',':
        return () => wish.onSize((size) => Math.min(size - 1, size / sizeFactor));
      case ']':
      case '.':
        return () => wish.onSize((size) => Math.max(size + 1, size * sizeFactor));
      case '0':
        return () => canvas.current?.fit();
      case '1':
        return () => canvas.current?.full();
      case ' ':
        return isControl(target) ? undefined : () => canvas.current?.setPanning(true);
      default:
        return undefined;
    }
  }
}

/** As with the size of the brush: the first of them needs AltGr on many a keyboard. */
function isOriginal(key: string): boolean {
  return key === '\\' || key.toLowerCase() === 'm';
}

function isTextField(target: EventTarget): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !/^(radio|checkbox|range|file)$/.test(target.type);
  return target.tagName === 'TEXTAREA' || target.isContentEditable;
}

function isControl(target: EventTarget): boolean {
  return target instanceof HTMLElement && /^(BUTTON|INPUT|SELECT|A|SUMMARY)$/.test(target.tagName);
}
