import { type RefObject, useLayoutEffect, useRef } from 'react';

/**
 * For what goes away by a button of its own, such as a notice or a row: whoever works by keyboard goes on at what comes
 * in its place, as soon as that is there, or else at what stands next to it, and does not begin again at the top of the
 * page.
 */
export function useFocusInPlace<E extends HTMLElement>(): RefObject<E | null> {
  const element = useRef<E>(null);
  useLayoutEffect(() => {
    const { current } = element;
    return () => {
      if (!current || !hasFocus(current)) return;
      // It keeps its place while what is around it changes, and when that goes too.
      const place = document.createRange();
      place.setStartBefore(current);
      goOn(place, current.closest('main, [role="dialog"]') ?? document.body);
    };
  }, []);
  return element;
}

/** Or a dialog over it has, which may be its own and go with it. */
function hasFocus(element: Element): boolean {
  const { activeElement: active } = document;
  return (
    element.contains(active) || active?.closest('[role="dialog"]')?.contains(element) === false
  );
}

const controls = 'a[href], button:enabled, [type=checkbox]:enabled, [type=radio]:enabled';
/** Only for a keyboard that is there: to somebody's finger the screen's would come up. */
const fields = ', input:enabled, textarea:enabled';

function goOn(place: Range, around: Element): void {
  const choices = controls + (document.querySelector(':focus-visible') ? fields : '');
  const isNext = (each: Element) => place.comparePoint(each, 0) > 0;
  const isDone = () => {
    const { activeElement: active, body } = document;
    // A dialog takes the focus that is lost within it.
    const isLost = active === body || active === around || !active?.checkVisibility();
    if (!isLost || !around.isConnected) return true;
    // Its start is among the children of an element.
    const parent = place.startContainer as Element;
    if (visibleIn(parent, '[data-skeleton]').some(isNext)) return false;
    const near = visibleIn(parent, choices);
    const all = near.length > 0 ? near : visibleIn(around, choices);
    (all.find(isNext) ?? all.at(-1))?.focus();
    return true;
  };
  const begin = () => {
    if (isDone()) return;
    const observer = new MutationObserver(() => {
      if (isDone()) observer.disconnect();
    });
    observer.observe(around, { childList: true, subtree: true });
  };
  // By then what was left has gone, and a dialog has taken the focus, which it does in the next frame.
  requestAnimationFrame(() => requestAnimationFrame(begin));
}

function visibleIn(element: Element, selector: string): readonly HTMLElement[] {
  return [...element.querySelectorAll<HTMLElement>(selector)].filter((each) =>
    each.checkVisibility(),
  );
}
