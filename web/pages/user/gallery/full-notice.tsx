import { useState } from 'react';
import { type GalleryFacts, galleryLimits, type UserGallery } from '../../../gallery/gallery.ts';
import { FreeSpaceDialog } from '../../../gallery/room/free-space-dialog.tsx';
import type { GalleryActions } from '../../../gallery/use-gallery-actions.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { galleryText } from '../../../i18n/gallery-text.ts';
import { useText } from '../../../i18n/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';

export interface FullNoticeProps {
  gallery: UserGallery;
  facts: GalleryFacts;
  actions: GalleryActions;
}

/** Once, when there is not much room left; always, when there is none. */
export function FullNotice({ gallery, facts, actions }: FullNoticeProps) {
  const t = useText(galleryText);
  const formats = useFormats();
  const [isFreeing, setFreeing] = useState(false);
  const { bytes, capBytes, isFullNoticeDismissed } = facts;
  const share = capBytes === null ? 0 : bytes / capBytes;
  const isShown = share >= galleryLimits.fullShare && !isFullNoticeDismissed;
  return (
    <>
      {isShown && (
        <Notice
          tone="warn"
          title={t.full.title(formats.percent(Math.floor(share * 100) / 100))}
          actions={
            <>
              <Button size="small" onClick={() => setFreeing(true)}>
                {t.free.title}
              </Button>
              <Button size="small" onClick={() => void actions.exportAll()}>
                {t.exportShort}
              </Button>
              <Button size="small" look="quiet" onClick={() => void gallery.dismissFullNotice()}>
                {t.full.dismiss}
              </Button>
            </>
          }
        >
          <p>{t.full.text}</p>
        </Notice>
      )}
      {isFreeing && (
        <FreeSpaceDialog
          gallery={gallery}
          onClose={() => setFreeing(false)}
          onExport={() => void actions.exportAll()}
          onDelete={(ids) => {
            setFreeing(false);
            void actions.deleteRuns(ids);
          }}
        />
      )}
    </>
  );
}
