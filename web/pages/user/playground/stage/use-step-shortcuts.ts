import { useUser } from '../../../../api/bootstrap.ts';
import { useShortcuts } from '../../../../lib/shortcuts.ts';
import { useChangeDraft } from '../draft/use-change-draft.ts';
import type { StageItem } from './stage-items.ts';

/** The arrow keys go along the strip. */
export function useStepShortcuts(items: readonly StageItem[], shown: StageItem | null): void {
  const { preferences } = useUser();
  const { change } = useChangeDraft();
  const step = (by: number) => {
    const at = items.findIndex(({ id }) => id === shown?.id);
    const next = items[at + by];
    if (next) change(() => ({ shown: { kind: next.kind, id: next.id } }));
  };
  useShortcuts({ ArrowLeft: () => step(-1), ArrowRight: () => step(1) }, preferences.shortcuts);
}
