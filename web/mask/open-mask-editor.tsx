import { createRoot } from 'react-dom/client';
import { maskText } from '../i18n/mask-text.ts';
import { paintedBitmap } from './mask-bitmaps.ts';
import type { MaskDocument, OpenMaskEditor } from './mask-document.ts';
import { MaskEditor } from './mask-editor.tsx';
import { openWorkPicture } from './mask-surface.ts';
import type { Bitmaps } from './paint-mask.ts';

/** Over the page, and beside it: nothing of the page has to know that the editor exists. */
export const openMaskEditor: OpenMaskEditor = async (wish) => {
  const { reference, mask, hasShortcuts = true, holdPage } = wish;
  const picture = await openWorkPicture(reference);
  // A mask of another picture's size is not of this picture.
  const own = mask?.width === picture.width && mask.height === picture.height ? mask : null;
  const bitmaps = await openBitmaps(own);
  await maskText.preload();
  const place = document.createElement('div');
  document.body.append(place);
  const root = createRoot(place);
  const saved = await new Promise<MaskDocument | null>((resolve) => {
    root.render(
      <MaskEditor
        picture={picture}
        mask={own}
        savedBitmaps={bitmaps}
        hasShortcuts={hasShortcuts}
        holdPage={holdPage}
        onDone={resolve}
      />,
    );
  });
  root.unmount();
  place.remove();
  picture.bitmap.close();
  return saved;
};

async function openBitmaps(mask: MaskDocument | null): Promise<Bitmaps> {
  const opened = new Map<Blob, ImageBitmap>();
  for (const shape of mask?.shapes ?? []) {
    if (shape.kind === 'bitmap') opened.set(shape.png, await paintedBitmap(shape.png));
  }
  return opened;
}
