import type { OpenMaskEditor } from '../../../mask/mask-document.ts';
import { type Reference, withMask } from './draft.ts';
import { usePlayground } from './playground-context.tsx';
import { useChangeDraft } from './use-change-draft.ts';

/** Opens the mask editor with a reference, and puts the mask on it. Null where masks cannot be used. */
export function useMaskEditor(): ((reference: Reference) => Promise<void>) | null {
  const { model } = usePlayground();
  const { change } = useChangeDraft();
  const load = loadMaskEditor;
  if (model?.capabilities?.mask === false || !load) return null;
  return async ({ id, image, mask }) => {
    const { openMaskEditor } = await load();
    const made = await openMaskEditor({ reference: image, mask });
    if (made) change(({ references }) => ({ references: withMask(references, id, made) }));
  };
}

const [loadMaskEditor] = Object.values(
  import.meta.glob<{ openMaskEditor: OpenMaskEditor }>('../../../mask/open-mask-editor.{ts,tsx}'),
);
