import { useState } from 'react';
import { useFormats } from '../../i18n/formats.tsx';
import { galleryText } from '../../i18n/gallery-text.ts';
import { useText } from '../../i18n/text.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Switch } from '../../ui/switch.tsx';
import { useToast } from '../../ui/toast.tsx';
import { ExportFirst } from '../archive/export-first.tsx';
import { ImportDialog } from '../archive/import-dialog.tsx';
import type { GalleryFacts, UserGallery } from '../gallery.ts';
import { TaskDialog } from '../task-dialog.tsx';
import { useGallery, useGalleryChanges, useGalleryFacts } from '../use-gallery.ts';
import { useGalleryActions } from '../use-gallery-actions.ts';
import { CapForm } from './cap-form.tsx';
import { ProtectionLine } from './protection-line.tsx';
import { StorageActions } from './storage-actions.tsx';
import { StorageMeter } from './storage-meter.tsx';

/** Everything about where pictures are kept: for the gallery's own panel, and for the account page. */
export function GalleryStorage() {
  const t = useText(galleryText);
  const formats = useFormats();
  const gallery = useGallery();
  useGalleryChanges(gallery);
  const { data: facts, isError } = useGalleryFacts(gallery);
  const actions = useGalleryActions(gallery);
  const toast = useToast();
  const [isStopping, setStopping] = useState(false);
  if (!facts) return isError ? <EmptyState title={t.failed}>{t.failedText}</EmptyState> : null;
  const { runs, bytes, lastExportAt } = facts;
  const isKept = gallery.isKept();
  const what = t.imagesAndBytes(runs, formats.bytes(bytes));
  const exported =
    lastExportAt === null ? t.neverExported : t.lastExported(formats.date(lastExportAt));
  const changeKept = (wanted: boolean) => {
    if (!wanted && runs > 0) setStopping(true);
    else gallery.setKept(wanted).catch(() => toast({ title: t.keepFailed }));
  };
  return (
    <div className="grid gap-5">
      <section className="grid gap-2">
        <p className="tabular text-title">{what}</p>
        {isKept && <StorageMeter facts={facts} />}
        <p className="text-label text-text-2">{isKept ? t.copyWarning : t.onlyThisVisit}</p>
        {isKept && <p className="text-label text-text-2">{exported}</p>}
        <StorageActions gallery={gallery} facts={facts} actions={actions} />
      </section>
      {isKept && <KeptSettings gallery={gallery} facts={facts} />}
      <Switch label={t.keep} help={t.keepHelp} checked={isKept} onChange={changeKept} />
      <ConfirmDialog
        open={isStopping}
        onClose={() => setStopping(false)}
        title={t.stopKeeping.title}
        confirm={t.stopKeeping.confirm(runs)}
        isDanger
        onConfirm={() => {
          setStopping(false);
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

function KeptSettings({ gallery, facts }: { gallery: UserGallery; facts: GalleryFacts }) {
  return (
    <section className="grid gap-4 border-t border-line pt-5">
      <ProtectionLine />
      <CapForm gallery={gallery} facts={facts} />
    </section>
  );
}
