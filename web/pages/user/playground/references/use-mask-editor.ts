import { type RouterHistory, useRouter } from '@tanstack/react-router';
import { useUser } from '../../../../api/bootstrap.ts';
import { maskText } from '../../../../i18n/mask-text.ts';
import { useOpenPart } from '../../../../parts/use-open-part.ts';
import { withMask } from '../draft/draft.ts';
import type { Reference } from '../draft/draft-content.ts';
import { useChangeDraft } from '../draft/use-change-draft.ts';
import { usePlayground } from '../playground-context.tsx';

/** It fills the page, and there is one of it: a second click comes before it is loaded. */
let isOpen = false;

/** Opens the mask editor with a reference, and puts the mask on it. Null where masks cannot be used. */
export function useMaskEditor(): ((reference: Reference) => Promise<void>) | null {
  const { model } = usePlayground();
  const { preferences } = useUser();
  const { change } = useChangeDraft();
  const openPart = useOpenPart();
  // The type of our router is not registered, and leaves its history open.
  const history = useRouter().history as RouterHistory;
  if (model?.capabilities?.mask === false) return null;
  const edit = async ({ id, image, mask }: Reference) => {
    const openMaskEditor = await openPart(loadEditor);
    const made = await openMaskEditor?.({
      reference: image,
      mask,
      hasShortcuts: preferences.shortcuts,
      holdPage: ({ onBack, isChanged }) =>
        history.block({
          blockerFn: () => {
            onBack();
            return true;
          },
          enableBeforeUnload: isChanged,
        }),
    });
    if (made) change(({ references }) => ({ references: withMask(references, id, made) }));
  };
  return async (reference) => {
    if (isOpen) return;
    isOpen = true;
    try {
      await edit(reference);
    } finally {
      isOpen = false;
    }
  };
}

async function loadEditor() {
  await maskText.preload();
  const { openMaskEditor } = await import('../../../../mask/open-mask-editor.tsx');
  return openMaskEditor;
}
