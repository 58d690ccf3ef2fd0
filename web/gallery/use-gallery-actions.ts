import { useState } from 'react';
import { useFormats } from '../i18n/formats.tsx';
import { galleryText } from '../i18n/gallery-text.ts';
import { useText } from '../i18n/text.ts';
import { saveFile } from '../lib/save-file.ts';
import { useToast } from '../ui/toast.tsx';
import type { UserGallery } from './gallery.ts';
import type { ImportOutcome } from './import-gallery.ts';
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
  const formats = useFormats();
  const toast = useToast();
  const tasks = useGalleryTask();
  const [imported, setImported] = useState<ImportEnd | null>(null);

  const exportAll = async () => {
    const ids = await gallery.findIds({ order: 'oldest' });
    const exportedAt = new Date().toISOString();
    const title = t.exporting(ids.length);
    const file = await tasks.run({ title, total: ids.length }, async (onProgress) => {
      const { exportGallery } = await import('./export-gallery.ts');
      return exportGallery(gallery, { ids, exportedAt, onProgress });
    });
    if (!file) return;
    saveFile(file, `gallery_${exportedAt.slice(0, 10)}.zip`);
    await gallery.markExported(exportedAt);
    toast({ title: t.exported(ids.length, formats.bytes(file.size)) });
  };

  const downloadImages = async (ids: readonly string[]) => {
    const title = t.zipping(ids.length);
    const file = await tasks.run({ title, total: ids.length }, async (onProgress) => {
      const { zipImages } = await import('./export-gallery.ts');
      return zipImages(gallery, { ids, onProgress });
    });
    if (file) saveFile(file, `images_${new Date().toISOString().slice(0, 10)}.zip`);
  };

  const importFile = async (file: Blob) => {
    const outcome = await tasks.run({ title: t.importing, total: null }, async (onProgress) => {
      const { importGallery } = await import('./import-gallery.ts');
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
