/** Keys that do something wherever the focus is, except in fields. */
import { useEffect, useRef } from 'react';

/** `g u` for one after the other, `mod+k` with Ctrl or ⌘, `?` for what the key writes. */
export type Shortcuts = Readonly<Record<string, () => void>>;

/** Held, they go on and on. Whatever else a key does is paid for, or done to what came in its place. */
const stepKeys: ReadonlySet<string> = new Set(['ArrowLeft', 'ArrowRight', 'j', 'k']);

const composingKeyCode = 229;

/** Between the keys of a sequence. */
const sequenceMs = 1_200;

/** @param isOn single keys only when the user wants them (WCAG 2.1.4); `mod+…` always. */
export function useShortcuts(shortcuts: Shortcuts, isOn: boolean): void {
  const latest = useRef(shortcuts);
  useEffect(() => {
    latest.current = shortcuts;
  });
  useEffect(() => {
    let before = { key: '', at: 0 };
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isComposing(event)) return;
      const key = keyOf(event);
      if (key === null) return;
      const isSingle = !key.startsWith('mod+');
      if (isSingle && (!isOn || isFor(event.target, key) || isDialogOpen())) return;
      const isSequence = before.key !== '' && event.timeStamp - before.at < sequenceMs;
      const action =
        (isSequence ? latest.current[`${before.key} ${key}`] : undefined) ?? latest.current[key];
      before = { key: action ? '' : key, at: event.timeStamp };
      if (!action) return;
      event.preventDefault();
      if (!event.repeat || stepKeys.has(key)) action();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [isOn]);
}

/** Keys that choose characters are not for us; some browsers only tell by the old code. */
export function isComposing(event: KeyboardEvent): boolean {
  return event.isComposing || event.keyCode === composingKeyCode;
}

function keyOf(event: KeyboardEvent): string | null {
  const { key, ctrlKey, metaKey, altKey } = event;
  if (altKey || key === 'Shift') return null;
  if (ctrlKey || metaKey) return `mod+${key.toLowerCase()}`;
  return key;
}

/** Whether the key means something where the focus is: to a field, to a list, or an arrow to what is moved by it. */
function isFor(target: EventTarget | null, key: string): boolean {
  return isTyping(target) || isInList(target) || (key.startsWith('Arrow') && isField(target));
}

export function isTyping(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !withoutLetters.test(target.type);
  return isField(target) || (target instanceof HTMLElement && target.isContentEditable);
}

const withoutLetters = /^(radio|checkbox|range|file)$/;

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}

/** Letters choose what begins with them, also while the list is closed. */
function isInList(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest('[role="combobox"], [role="listbox"], [role="menu"]') !== null
  );
}

export function isDialogOpen(): boolean {
  return openDialog() !== null;
}

/**
 * The one that was opened last. A toast is a dialog too, but none that keeps from what is below, unless somebody is
 * in it.
 */
export function openDialog(): Element | null {
  const dialogs =
    '[role="dialog"]:not([aria-modal="false"]), [role="dialog"]:focus-within, [role="alertdialog"]';
  return [...document.querySelectorAll(dialogs)].at(-1) ?? null;
}
