import { useState } from 'react';
import { useFormats } from '../i18n/formats.tsx';
import { galleryText } from '../i18n/gallery-text.ts';
import { useText } from '../i18n/text.ts';
import { uiText } from '../i18n/ui-text.ts';
import { saveFile } from '../lib/save-file.ts';
import { useToast } from '../ui/toast.tsx';
import type { PackedGallery } from './archive/export-gallery.ts';
import type { ImportOutcome } from './archive/import-gallery.ts';
import type { UserGallery } from './gallery.ts';
import { type GalleryTasks, useGalleryTask } from './use-gallery-task.ts';

export type ImportEnd = ImportOutcome | { kind: 'failed' };

export interface GalleryActions {
  tasks: GalleryTasks;
  /** What came of the last import, until it was seen. */
  imported: ImportEnd | null;
  dismissImport: () => void;
  exportAll: () => Promise<void>;
  downloadImages: (ids: readonly string[]) => Promise<void>;
  importFile: (file: Blob) => Promise<void>;
  deleteRuns: (ids: readonly string[]) => Promise<void>;
}

/** What is done with many pictures at once. Packing and reading are loaded when they are needed. */
export function useGalleryActions(gallery: UserGallery): GalleryActions {
  const t = useText(galleryText);
  const { sentences } = useText(uiText);
  const formats = useFormats();
  const toast = useToast();
  const tasks = useGalleryTask();
  const [imported, setImported] = useState<ImportEnd | null>(null);

  const wordsOf = ({ file, packed }: PackedGallery) =>
    packed === 0 ? t.exportFailed : t.exported(packed, formats.bytes(file.size));

  /** What is missing is said until somebody has seen it. False when nothing is. */
  const tellMissing = (made: PackedGallery): boolean => {
    const { unreadable, bare } = made;
    const missing = [
      ...(unreadable > 0 ? [t.unreadable(unreadable)] : []),
      ...(bare > 0 ? [t.bare(bare)] : []),
    ];
    if (missing.length === 0) return false;
    toast({ title: wordsOf(made), text: sentences(missing), forMs: 0 });
    return true;
  };

  const exportAll = async () => {
    const ids = await gallery.findIds({ order: 'oldest' });
    const exportedAt = new Date().toISOString();
    const title = t.exporting(ids.length);
    const made = await tasks.run({ title, total: ids.length }, async (onProgress) => {
      const { exportGallery } = await import('./archive/export-gallery.ts');
      return exportGallery(gallery, { ids, exportedAt, onProgress });
    });
    if (!made) return;
    if (made.packed > 0) {
      saveFile(made.file, `gallery_${exportedAt.slice(0, 10)}.zip`);
      await gallery.markExported(exportedAt);
    }
    if (!tellMissing(made)) toast({ title: wordsOf(made) });
  };

  const downloadImages = async (ids: readonly string[]) => {
    const title = t.zipping(ids.length);
    const made = await tasks.run({ title, total: ids.length }, async (onProgress) => {
      const { zipImages } = await import('./archive/export-gallery.ts');
      return zipImages(gallery, { ids, onProgress });
    });
    if (!made) return;
    const name = `images_${new Date().toISOString().slice(0, 10)}.zip`;
    if (made.packed > 0) saveFile(made.file, name);
    tellMissing(made);
  };

  const importFile = async (file: Blob) => {
    const outcome = await tasks.run({ title: t.importing, total: null }, async (onProgress) => {
      const { importGallery } = await import('./archive/import-gallery.ts');
      return importGallery(gallery, { file, onProgress });
    });
    setImported(outcome);
  };

  const deleteRuns = async (ids: readonly string[]) => {
    const title = t.deleting(ids.length);
    await tasks.run({ title, total: ids.length }, (report) => gallery.deleteRuns(ids, report));
  };

  return {
    tasks,
    imported,
    dismissImport: () => setImported(null),
    exportAll: () => exportAll().catch(() => toast({ title: t.exportFailed })),
    downloadImages: (ids) => downloadImages(ids).catch(() => toast({ title: t.exportFailed })),
    importFile: (file) => importFile(file).catch(() => setImported({ kind: 'failed' })),
    deleteRuns,
  };
}
