/** Files that somebody drops on a page, or pastes into it. */
import type { Page } from '@playwright/test';
import type { AttachedFile } from './playground-page.ts';

export async function hand(
  page: Page,
  how: 'drop' | 'paste',
  ...files: readonly AttachedFile[]
): Promise<void> {
  const given = files.map(({ name, mimeType, buffer }) => ({
    name,
    type: mimeType,
    base64: buffer.toString('base64'),
  }));
  await page.evaluate(
    ({ how, given }) => {
      const data = new DataTransfer();
      for (const { name, type, base64 } of given) {
        const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
        data.items.add(new File([bytes], name, { type }));
      }
      if (how === 'paste') {
        document.body.dispatchEvent(
          new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
        );
        return;
      }
      for (const kind of ['dragover', 'drop']) {
        document.body.dispatchEvent(
          new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }),
        );
      }
    },
    { how, given },
  );
}
