import { useQuery } from '@tanstack/react-query';
import { type MouseEvent, memo, useEffect, useRef, useState } from 'react';
import { beginningOf } from '../../../../shared/beginning.ts';
import type { UserGallery } from '../../../gallery/gallery.ts';
import type { GalleryRun } from '../../../gallery/kept/gallery-store.ts';
import { thumbQuery } from '../../../gallery/use-gallery.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { galleryText } from '../../../i18n/gallery-text.ts';
import { useText } from '../../../i18n/text.ts';
import { useObjectUrl } from '../../../lib/object-url.ts';
import { useSearchState } from '../../../lib/search-state.ts';
import { paths } from '../../../paths.ts';
import { classes } from '../../../ui/classes.ts';
import { Link } from '../../../ui/link.tsx';
import { gallerySearch } from './gallery-state.ts';
import { setLastOpened } from './last-opened.ts';
import { TileBadges } from './tile-badges.tsx';
import { useLongPress } from './use-long-press.ts';
import { whenNear } from './when-near.ts';

export interface GalleryTileProps {
  gallery: UserGallery;
  run: GalleryRun;
  isSelected: boolean;
  /** Others are selected: a click selects instead of opening. */
  isChoosing: boolean;
  onToggle: (id: string) => void;
  onExtend: (id: string) => void;
}

/** Of a prompt, in the names of things. */
const labelCharacters = 80;

export const GalleryTile = memo(function GalleryTile({
  gallery,
  run,
  isSelected,
  isChoosing,
  onToggle,
  onExtend,
}: GalleryTileProps) {
  const t = useText(galleryText);
  const formats = useFormats();
  const [search] = useSearchState(gallerySearch);
  const { id, asked } = run;
  const prompt = beginningOf(asked.prompt, labelCharacters) || t.noPrompt;
  const place = useRef<HTMLLIElement>(null);
  const [isNear, setNear] = useState(false);
  // The tile itself: what is within it has no place before it is in sight.
  useEffect(() => whenNear(place.current, () => setNear(true)), []);
  const longPress = useLongPress(() => onToggle(id));
  const onClick = (event: MouseEvent) => {
    const wantsToggle = isChoosing || event.ctrlKey || event.metaKey;
    if (longPress.wasLong() || event.shiftKey || wantsToggle) {
      event.preventDefault();
      if (event.shiftKey) onExtend(id);
      else if (!longPress.wasLong()) onToggle(id);
      return;
    }
    setLastOpened(id);
  };
  return (
    <li
      ref={place}
      data-run={id}
      data-selected={isSelected || undefined}
      // Nothing is drawn beyond its edges, the ring of the focus neither.
      className="group relative grid min-w-0 gap-1.5 [contain-intrinsic-size:auto_230px] [content-visibility:auto]"
    >
      <Link
        to={paths.galleryImage(id, { ...search })}
        look="plain"
        aria-label={t.open(prompt)}
        onClick={onClick}
        {...longPress.handlers}
        className="relative block aspect-square overflow-hidden rounded-small bg-mat -outline-offset-2 group-data-selected:outline-2 group-data-selected:outline-accent"
      >
        {isNear && <Thumb gallery={gallery} run={run} />}
        <TileBadges run={run} />
      </Link>
      <label
        className={classes(
          'absolute top-1.5 left-1.5 grid size-7 place-items-center rounded-small bg-surface pointer-coarse:size-8',
          !isSelected &&
            !isChoosing &&
            'opacity-0 group-hover:opacity-100 has-focus-visible:opacity-100 pointer-coarse:opacity-100',
        )}
      >
        <input
          type="checkbox"
          className="check"
          aria-label={t.select(prompt)}
          checked={isSelected}
          onChange={() => onToggle(id)}
          onClick={(event) => {
            if (!event.shiftKey) return;
            event.preventDefault();
            onExtend(id);
          }}
        />
      </label>
      <div className="min-w-0 text-label">
        <p className="truncate">{prompt}</p>
        {/* Where both do not fit, the model is cut short: half a date says nothing. */}
        <p className="tabular flex text-caption text-text-3">
          <span className="truncate" translate="no">
            {asked.model}
          </span>
          <span className="shrink-0 whitespace-pre"> · {formats.date(run.createdAt)}</span>
        </p>
      </div>
    </li>
  );
});

function Thumb({ gallery, run }: Pick<GalleryTileProps, 'gallery' | 'run'>) {
  const { data = null } = useQuery(thumbQuery(gallery, run));
  const url = useObjectUrl(data);
  const isTransparent = run.used.background === 'transparent';
  return (
    // One row and column of a given size: to take all of its picture, they would become larger than the tile.
    <span className="absolute inset-3 grid grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)] place-items-center">
      {url && (
        <img
          src={url}
          alt=""
          draggable={false}
          decoding="async"
          className={classes(
            'max-h-full max-w-full object-contain',
            isTransparent && 'checkerboard',
          )}
        />
      )}
    </span>
  );
}
