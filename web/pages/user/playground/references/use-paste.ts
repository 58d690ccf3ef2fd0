import { useEffect } from 'react';
import { isDialogOpen, isTyping } from '../../../../lib/shortcuts.ts';

/** Pictures on the clipboard, wherever on the page the focus is; text goes to where it is pasted. */
export function usePaste(onFiles: (files: readonly File[]) => void): void {
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])];
      if (files.length === 0 || isText(event) || isDialogOpen()) return;
      event.preventDefault();
      onFiles(files);
    };
    document.addEventListener('paste', onPaste);
    return () => document.removeEventListener('paste', onPaste);
  }, [onFiles]);
}

/**
 * Cells of a table come with a picture of them, and are meant as text in a field. A picture that was
 * copied has no plain text, and a file its name only, which is no rich text.
 */
function isText({ target, clipboardData }: ClipboardEvent): boolean {
  const types = clipboardData?.types ?? [];
  return isTyping(target) && types.includes('text/plain') && types.includes('text/html');
}
