import { type RefObject, useLayoutEffect, useRef } from 'react';

/** Where something stood: its surroundings, from the closest on. */
interface Level {
  parent: Element;
  /** What stood before it, the closest first. */
  before: readonly Element[];
}

/**
 * For what goes away by a button of its own, such as a notice or a row: whoever works by keyboard goes on at what comes in its
 * place, as soon as that is there, or else at what stands next to it, and does not begin again at the top of the page.
 */
export function useFocusInPlace<E extends HTMLElement>(): RefObject<E | null> {
  const element = useRef<E>(null);
  useLayoutEffect(() => {
    const { current } = element;
    return () => {
      if (!current || !isFocusIn(current)) return;
      const choices = document.querySelector(':focus-visible')
        ? [...controls, ...fields]
        : controls;
      goOn(levelsOf(current), choices.join());
    };
  }, []);
  return element;
}

const controls = ['a[href]', 'button:enabled', 'input:is([type=checkbox], [type=radio]):enabled'];
/** Only for a keyboard that is there: to somebody's finger the screen's would come up. */
const fields = ['input:not([type=hidden], [type=file]):enabled', 'textarea:enabled'];

/** Or in a dialog over it, which may be its own and go with it. */
function isFocusIn(element: Element): boolean {
  const { activeElement: active } = document;
  const dialog = active?.closest('[role="dialog"]');
  return element.contains(active) || (!!dialog && !dialog.contains(element));
}

function levelsOf(element: Element): readonly Level[] {
  const levels: Level[] = [];
  for (let at = element; at.parentElement && !at.matches('main, [role="dialog"]'); ) {
    levels.push({ parent: at.parentElement, before: allBefore(at) });
    at = at.parentElement;
  }
  return levels;
}

function allBefore({ previousElementSibling: before }: Element): readonly Element[] {
  return before ? [before, ...allBefore(before)] : [];
}

function goOn(levels: readonly Level[], choices: string): void {
  const around = levels.at(-1)?.parent;
  if (!around) return;
  const isDone = () => {
    if (!isFocusLost() && document.activeElement !== around) return true;
    const level = levels.find(({ parent }) => parent.isConnected && parent.checkVisibility());
    if (!level) return true;
    if (isAwaited(level)) return false;
    targetAt(level, { around, choices })?.focus({ preventScroll: true });
    return true;
  };
  const begin = () => {
    if (isDone()) return;
    const observer = new MutationObserver(() => {
      if (isDone()) observer.disconnect();
    });
    observer.observe(around, { childList: true, subtree: true });
  };
  // By then what was left has gone. A dialog takes the focus that is lost within it, and does so in the next frame.
  requestAnimationFrame(() => requestAnimationFrame(begin));
}

function isFocusLost(): boolean {
  const { activeElement: active } = document;
  return active === null || active === document.body || !active.checkVisibility();
}

/** The next in the same surroundings, or the one before; elsewhere only where these have none. */
function targetAt(level: Level, { around, choices }: { around: Element; choices: string }) {
  for (const within of [level.parent, around]) {
    const all = [...within.querySelectorAll<HTMLElement>(choices)].filter((each) =>
      each.checkVisibility({ visibilityProperty: true }),
    );
    const target = all.find((each) => comesAfter(level, each)) ?? all.at(-1);
    if (target) return target;
  }
  return undefined;
}

function isAwaited(level: Level): boolean {
  return [...level.parent.querySelectorAll('[data-skeleton]')].some((each) =>
    comesAfter(level, each),
  );
}

function comesAfter({ parent, before }: Level, element: Element): boolean {
  const left = before.find((each) => each.parentElement === parent);
  if (left?.contains(element)) return false;
  const position = (left ?? parent).compareDocumentPosition(element);
  return (position & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
}
