import { Download, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useFormats } from '../i18n/formats.tsx';
import { galleryText } from '../i18n/gallery-text.ts';
import { useText } from '../i18n/text.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { icon } from '../ui/icon.ts';
import { Switch } from '../ui/switch.tsx';
import { useToast } from '../ui/toast.tsx';
import { CapForm } from './cap-form.tsx';
import type { GalleryFacts, UserGallery } from './gallery.ts';
import { ImportButton } from './import-button.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { ProtectionLine } from './protection-line.tsx';
import { StorageMeter } from './storage-meter.tsx';
import { TaskDialog } from './task-dialog.tsx';
import { useGallery, useGalleryChanges, useGalleryFacts } from './use-gallery.ts';
import { useGalleryActions } from './use-gallery-actions.ts';

/** Everything about where pictures are kept: for the gallery's own panel, and for the account page. */
export function GalleryStorage() {
  const t = useText(galleryText);
  const formats = useFormats();
  const gallery = useGallery();
  useGalleryChanges(gallery);
  const { data: facts } = useGalleryFacts(gallery);
  const actions = useGalleryActions(gallery);
  const toast = useToast();
  const [asking, setAsking] = useState<'clear' | 'stop' | null>(null);
  if (!facts) return null;
  const { runs, bytes, lastExportAt } = facts;
  const isKept = gallery.isKept();
  const what = t.imagesAndBytes(runs, formats.bytes(bytes));
  const exported =
    lastExportAt === null ? t.neverExported : t.lastExported(formats.date(lastExportAt));
  const changeKept = (wanted: boolean) => {
    if (!wanted && runs > 0) setAsking('stop');
    else gallery.setKept(wanted).catch(() => toast({ title: t.keepFailed }));
  };
  return (
    <div className="grid gap-5">
      <section className="grid gap-2">
        <p className="tabular text-title">{what}</p>
        {isKept && <StorageMeter facts={facts} />}
        <p className="text-label text-text-2">
          {isKept ? `${t.copyWarning} ${exported}` : t.onlyThisVisit}
        </p>
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
            <Button icon={<Trash2 {...icon} />} onClick={() => setAsking('clear')}>
              {t.clear}
            </Button>
          )}
        </div>
      </section>
      {isKept && <KeptSettings gallery={gallery} facts={facts} />}
      <Switch label={t.keep} help={t.keepHelp} checked={isKept} onChange={changeKept} />
      <ConfirmDialog
        open={asking === 'clear'}
        onClose={() => setAsking(null)}
        title={t.clearAll.title}
        confirm={t.clearAll.confirm(runs)}
        isDanger
        onConfirm={() => {
          setAsking(null);
          void gallery.findIds({}).then(actions.deleteRuns);
        }}
      >
        <p>{t.clearAll.text(what)}</p>
        <ExportFirst onExport={actions.exportAll} />
      </ConfirmDialog>
      <ConfirmDialog
        open={asking === 'stop'}
        onClose={() => setAsking(null)}
        title={t.stopKeeping.title}
        confirm={t.stopKeeping.confirm(runs)}
        isDanger
        onConfirm={() => {
          setAsking(null);
          void gallery.setKept(false);
        }}
      >
        <p>{t.stopKeeping.text(what)}</p>
        <ExportFirst onExport={actions.exportAll} />
      </ConfirmDialog>
      <TaskDialog tasks={actions.tasks} />
      <ImportDialog outcome={actions.imported} onClose={actions.dismissImport} />
    </div>
  );
}

function ExportFirst({ onExport }: { onExport: () => Promise<void> }) {
  const t = useText(galleryText);
  return (
    <div>
      <Button icon={<Download {...icon} />} onClick={() => void onExport()}>
        {t.clearAll.exportFirst}
      </Button>
    </div>
  );
}

function KeptSettings({ gallery, facts }: { gallery: UserGallery; facts: GalleryFacts }) {
  return (
    <section className="grid gap-4 border-t border-line pt-5">
      <ProtectionLine />
      <CapForm gallery={gallery} facts={facts} />
    </section>
  );
}
