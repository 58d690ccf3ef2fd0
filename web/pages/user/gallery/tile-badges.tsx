import { Star } from 'lucide-react';
import type { GalleryRun } from '../../../gallery/kept/gallery-store.ts';
import { galleryText } from '../../../i18n/gallery-text.ts';
import { useText } from '../../../i18n/text.ts';
import { icon } from '../../../ui/icon.ts';
import { Pill } from '../../../ui/pill.tsx';

/** What is special about a picture. On a ground of their own: below is a picture of any colour. */
export function TileBadges({ run: { madeOf, isStarred } }: { run: GalleryRun }) {
  const t = useText(galleryText);
  return (
    <span className="absolute right-1.5 bottom-1.5 flex items-center gap-1">
      {madeOf !== null && (
        <span className="grid rounded-small bg-surface">
          <Pill>{t.composited}</Pill>
        </span>
      )}
      {isStarred && (
        <span className="grid size-6 place-items-center rounded-small bg-surface text-text">
          <Star
            {...icon}
            size={14}
            className="fill-current"
            aria-hidden={false}
            role="img"
            aria-label={t.isStarred}
          />
        </span>
      )}
    </span>
  );
}
