import { type KeyboardEvent, useEffect, useRef } from 'react';
import type { UserGallery } from '../../../gallery/gallery.ts';
import type { GalleryRun } from '../../../gallery/kept/gallery-store.ts';
import { galleryText } from '../../../i18n/gallery-text.ts';
import { useText } from '../../../i18n/text.ts';
import { Button } from '../../../ui/button.tsx';
import { GalleryTile } from './gallery-tile.tsx';
import { takeLastOpened } from './last-opened.ts';
import type { Selection } from './use-selection.ts';
import { whenNear } from './when-near.ts';

export interface GalleryGridProps {
  gallery: UserGallery;
  runs: readonly GalleryRun[];
  selection: Selection;
  /** Some of them are selected: a click selects more instead of opening. */
  isChoosing: boolean;
  hasMore: boolean;
  onMore: () => void;
}

export function GalleryGrid({
  gallery,
  runs,
  selection,
  isChoosing,
  hasMore,
  onMore,
}: GalleryGridProps) {
  const t = useText(galleryText);
  const list = useRef<HTMLUListElement>(null);
  useFocusOnReturn(list);
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it hears what its links are given */}
      <ul
        ref={list}
        aria-label={t.grid}
        onKeyDown={moveFocus}
        className="grid grid-cols-[repeat(auto-fill,minmax(176px,1fr))] gap-x-4 gap-y-5 max-sm:grid-cols-2 max-sm:gap-x-3"
      >
        {runs.map((run) => (
          <GalleryTile
            key={run.id}
            gallery={gallery}
            run={run}
            isSelected={selection.ids.has(run.id)}
            isChoosing={isChoosing}
            onToggle={selection.toggle}
            onExtend={selection.extendTo}
          />
        ))}
      </ul>
      {hasMore && <More key={runs.length} onMore={onMore} />}
    </>
  );
}

/** Comes by itself when the end is near; the button is for whoever gets there without scrolling. */
function More({ onMore }: { onMore: () => void }) {
  const t = useText(galleryText);
  const place = useRef<HTMLDivElement>(null);
  const latest = useRef(onMore);
  useEffect(() => {
    latest.current = onMore;
  });
  useEffect(() => whenNear(place.current, () => latest.current()), []);
  return (
    <div ref={place} className="flex justify-center py-4">
      <Button onClick={onMore}>{t.showMore}</Button>
    </div>
  );
}

/** Whoever comes back from a picture goes on where they left. */
function useFocusOnReturn(list: { current: HTMLUListElement | null }): void {
  useEffect(() => {
    const id = takeLastOpened();
    if (id === null) return undefined;
    // After the page has put the focus on its title.
    const frame = requestAnimationFrame(() => {
      const tile = list.current?.querySelector(`[data-run="${CSS.escape(id)}"] a`);
      if (tile instanceof HTMLElement) tile.focus();
    });
    return () => cancelAnimationFrame(frame);
  }, [list]);
}

/** Arrows go from picture to picture, as they lie. */
function moveFocus(event: KeyboardEvent<HTMLUListElement>): void {
  const { key, currentTarget, target } = event;
  if (!(target instanceof HTMLAnchorElement)) return;
  const links = [...currentTarget.querySelectorAll<HTMLAnchorElement>('[data-run] a')];
  const columns = getComputedStyle(currentTarget).gridTemplateColumns.split(' ').length;
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: -1,
    ArrowRight: 1,
    ArrowUp: -columns,
    ArrowDown: columns,
  };
  const step = steps[key];
  if (step === undefined) return;
  event.preventDefault();
  links[links.indexOf(target) + step]?.focus();
}
