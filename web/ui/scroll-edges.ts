/**
 * For the `ref` of a box that scrolls sideways: marks the edges beyond which there is more, and takes the mark away
 * where its end is reached. How that looks, the utility `fade-edges` says.
 */
export function markScrollEdges(box: HTMLElement | null): (() => void) | undefined {
  if (!box) return undefined;
  const mark = () => {
    const { scrollLeft, scrollWidth, clientWidth } = box;
    // Where the page is zoomed, ends are missed by a part of a pixel.
    box.toggleAttribute('data-more-left', scrollLeft > 1);
    box.toggleAttribute('data-more-right', scrollLeft + clientWidth < scrollWidth - 1);
  };
  const observer = new ResizeObserver(mark);
  for (const each of [box, ...box.children]) observer.observe(each);
  box.addEventListener('scroll', mark, { passive: true });
  mark();
  return () => {
    observer.disconnect();
    box.removeEventListener('scroll', mark);
  };
}
