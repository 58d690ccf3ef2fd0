import { galleryText } from '../i18n/gallery-text.ts';
import { useText } from '../i18n/text.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Meter } from '../ui/meter.tsx';
import type { GalleryTasks } from './use-gallery-task.ts';

/** How far something has come that takes a while. */
export function TaskDialog({ tasks: { task, stop } }: { tasks: GalleryTasks }) {
  const t = useText(galleryText);
  if (!task) return null;
  const { title, done, total } = task;
  return (
    <Dialog
      open
      isForced
      width="narrow"
      title={title}
      onClose={stop}
      actions={<Button onClick={stop}>{t.stop}</Button>}
    >
      <Meter label={title} share={total === null ? null : done / Math.max(1, total)} />
      <p className="tabular text-label text-text-2">
        {total === null ? t.reading : t.progress(done, total)}
      </p>
    </Dialog>
  );
}
