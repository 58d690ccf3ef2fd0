import { Download, Eraser, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useFormats } from '../../i18n/formats.tsx';
import { galleryText } from '../../i18n/gallery-text.ts';
import { useText } from '../../i18n/text.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { icon } from '../../ui/icon.ts';
import { ExportFirst } from '../archive/export-first.tsx';
import { ImportButton } from '../archive/import-button.tsx';
import type { GalleryFacts, UserGallery } from '../gallery.ts';
import type { GalleryActions } from '../use-gallery-actions.ts';
import { FreeSpaceDialog } from './free-space-dialog.tsx';

export interface StorageActionsProps {
  gallery: UserGallery;
  facts: GalleryFacts;
  actions: GalleryActions;
}

/** What can be done with all pictures at once. */
export function StorageActions({ gallery, facts: { runs, bytes }, actions }: StorageActionsProps) {
  const t = useText(galleryText);
  const formats = useFormats();
  const [asking, setAsking] = useState<'free' | 'clear' | null>(null);
  const close = () => setAsking(null);
  return (
    <div className="flex flex-wrap gap-2 pt-1">
      <Button
        icon={<Download {...icon} />}
        disabledReason={runs === 0 ? t.empty : null}
        onClick={() => void actions.exportAll()}
      >
        {t.export}
      </Button>
      <ImportButton label={t.import} onFile={(file) => void actions.importFile(file)} />
      {runs > 0 && (
        <>
          <Button icon={<Eraser {...icon} />} onClick={() => setAsking('free')}>
            {t.free.title}
          </Button>
          <Button icon={<Trash2 {...icon} />} onClick={() => setAsking('clear')}>
            {t.clear}
          </Button>
        </>
      )}
      {asking === 'free' && (
        <FreeSpaceDialog
          gallery={gallery}
          onClose={close}
          onExport={() => void actions.exportAll()}
          onDelete={(ids) => {
            close();
            void actions.deleteRuns(ids);
          }}
        />
      )}
      <ConfirmDialog
        open={asking === 'clear'}
        onClose={close}
        title={t.clearAll.title}
        confirm={t.clearAll.confirm(runs)}
        isDanger
        onConfirm={() => {
          close();
          void gallery.findIds({}).then(actions.deleteRuns);
        }}
      >
        <p>{t.clearAll.text(t.imagesAndBytes(runs, formats.bytes(bytes)))}</p>
        <ExportFirst onExport={actions.exportAll} />
      </ConfirmDialog>
    </div>
  );
}
