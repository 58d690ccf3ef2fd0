/** So far beyond the edge of the window something is still near. */
const margin = '600px';

const waiting = new Map<Element, () => void>();
let observer: IntersectionObserver | null = null;

/** Calls once, when the element comes near the window. One observer serves the whole page. */
export function whenNear(element: Element | null, call: () => void): () => void {
  if (!element) return () => {};
  observer ??= new IntersectionObserver(onCrossing, { rootMargin: margin });
  const seen = observer;
  waiting.set(element, call);
  seen.observe(element);
  return () => {
    waiting.delete(element);
    seen.unobserve(element);
  };
}

function onCrossing(entries: readonly IntersectionObserverEntry[], by: IntersectionObserver): void {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    const call = waiting.get(target);
    waiting.delete(target);
    by.unobserve(target);
    call?.();
  }
}
