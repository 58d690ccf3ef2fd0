import { useNavigate } from '@tanstack/react-router';
import { Copy, Download, ImagePlus, Repeat2, Star, Trash2 } from 'lucide-react';
import { useUser } from '../../../api/bootstrap.ts';
import { fileNameOf } from '../../../gallery/archive/file-name.ts';
import type { UserGallery } from '../../../gallery/gallery.ts';
import type { GalleryRun } from '../../../gallery/kept/gallery-store.ts';
import { galleryText } from '../../../i18n/gallery-text.ts';
import { useText } from '../../../i18n/text.ts';
import { copyImage } from '../../../lib/clipboard.ts';
import { saveFile } from '../../../lib/save-file.ts';
import { useShortcuts } from '../../../lib/shortcuts.ts';
import { paths, type Target } from '../../../paths.ts';
import { Button } from '../../../ui/button.tsx';
import { icon } from '../../../ui/icon.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useDeleteRuns } from './use-delete-runs.ts';

export interface ImageActionsProps {
  gallery: UserGallery;
  run: GalleryRun;
  /** Null while it is read. */
  image: Blob | null;
  position: { number: number; total: number } | null;
  onDeleted: () => void;
}

/** The same keys as in the playground. */
export function ImageActions({ gallery, run, image, position, onDeleted }: ImageActionsProps) {
  const t = useText(galleryText);
  const toast = useToast();
  const navigate = useNavigate();
  const { preferences } = useUser();
  const deleteRuns = useDeleteRuns(gallery);
  const { id, createdAt, traceId, asked, isStarred } = run;
  const go = ({ path, search = {} }: Target) => void navigate({ to: path, search });
  const download = () => {
    if (!image) return;
    const { model, prompt } = asked;
    saveFile(image, fileNameOf({ createdAt, model, prompt, traceId, type: image.type }));
  };
  const copy = () => {
    if (!image) return;
    copyImage(image).then(
      () => toast({ title: t.viewer.copied }),
      () => toast({ title: t.viewer.copyFailed }),
    );
  };
  const edit = () => go(paths.playground({ from: id, as: 'edit' }));
  const rerun = () => go(paths.playground({ from: id, as: 'rerun' }));
  const star = () => void gallery.setStarred(id, !isStarred);
  const remove = () => {
    deleteRuns([id]);
    onDeleted();
  };
  useShortcuts(
    { d: download, c: copy, e: edit, r: rerun, '.': star, Delete: remove },
    preferences.shortcuts,
  );
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-1 border-t border-line bg-surface px-4 py-2">
      <Button icon={<Download {...icon} />} onClick={download}>
        {t.viewer.download}
      </Button>
      <Button look="quiet" icon={<Copy {...icon} />} onClick={copy}>
        {t.viewer.copy}
      </Button>
      <Button look="quiet" icon={<ImagePlus {...icon} />} onClick={edit}>
        {t.viewer.useAsReference}
      </Button>
      <Button look="quiet" icon={<Repeat2 {...icon} />} onClick={rerun}>
        {t.viewer.runAgain}
      </Button>
      <IconButton
        label={isStarred ? t.unstar : t.star}
        icon={<Star {...icon} className={isStarred ? 'fill-current' : ''} />}
        onClick={star}
      />
      <IconButton label={t.delete} icon={<Trash2 {...icon} />} onClick={remove} />
      {position && (
        <p className="tabular ml-auto pl-2 text-label text-text-2">
          {t.viewer.position(position.number, position.total)}
        </p>
      )}
    </div>
  );
}
