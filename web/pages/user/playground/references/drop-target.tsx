import { ImagePlus } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { playgroundText } from '../../../../i18n/playground-text.ts';
import { useText } from '../../../../i18n/text.ts';
import { isDialogOpen } from '../../../../lib/shortcuts.ts';
import { icon } from '../../../../ui/icon.ts';

/** The whole page takes files that are dropped on it, and says so as soon as some are over it. */
export function DropTarget({
  onDrop,
  children,
}: {
  onDrop: (files: readonly File[]) => void;
  children: ReactNode;
}) {
  const t = useText(playgroundText);
  const isOver = useFilesOver(onDrop);
  return (
    <>
      {children}
      {isOver && (
        <div className="pointer-events-none fixed inset-0 z-40 grid place-items-center bg-scrim p-8">
          <p className="flex items-center gap-3 rounded-control border border-dashed border-line-strong bg-surface px-8 py-6 text-body shadow-float">
            <ImagePlus {...icon} /> {t.dropHere}
          </p>
        </div>
      )}
    </>
  );
}

function useFilesOver(onDrop: (files: readonly File[]) => void): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      if (isDialogOpen()) refuse(event);
      else setOver(true);
    };
    const leave = (event: DragEvent) => {
      // Into nothing: out of the window.
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(false);
      if (!isDialogOpen()) onDrop([...(event.dataTransfer?.files ?? [])]);
    };
    document.addEventListener('dragover', over);
    document.addEventListener('dragleave', leave);
    document.addEventListener('drop', drop);
    return () => {
      document.removeEventListener('dragover', over);
      document.removeEventListener('dragleave', leave);
      document.removeEventListener('drop', drop);
    };
  }, [onDrop]);
  return isOver;
}

/** Nobody sees what would be attached behind a dialog; left alone, the browser would open the file instead of the page. */
function refuse({ dataTransfer }: DragEvent): void {
  if (dataTransfer) dataTransfer.dropEffect = 'none';
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') ?? false;
}
