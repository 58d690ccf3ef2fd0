import { useEffect } from 'react';

/** Pictures on the clipboard, wherever the focus is; text goes to where it is pasted. */
export function usePaste(onFiles: (files: readonly File[]) => void): void {
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])];
      if (files.length === 0) return;
      event.preventDefault();
      onFiles(files);
    };
    document.addEventListener('paste', onPaste);
    return () => document.removeEventListener('paste', onPaste);
  }, [onFiles]);
}
