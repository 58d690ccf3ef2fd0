import { useUser } from '../../../api/bootstrap.ts';
import { type Reference, withMask } from './draft.ts';
import { usePlayground } from './playground-context.tsx';
import { useChangeDraft } from './use-change-draft.ts';

/** Opens the mask editor with a reference, and puts the mask on it. Null where masks cannot be used. */
export function useMaskEditor(): ((reference: Reference) => Promise<void>) | null {
  const { model } = usePlayground();
  const { preferences } = useUser();
  const { change } = useChangeDraft();
  if (model?.capabilities?.mask === false) return null;
  return async ({ id, image, mask }) => {
    const { openMaskEditor } = await import('../../../mask/open-mask-editor.tsx');
    const made = await openMaskEditor({
      reference: image,
      mask,
      hasShortcuts: preferences.shortcuts,
    });
    if (made) change(({ references }) => ({ references: withMask(references, id, made) }));
  };
}
