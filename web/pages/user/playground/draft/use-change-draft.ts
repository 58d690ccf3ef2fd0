import { useCallback } from 'react';
import { usePlayground } from '../playground-context.tsx';
import type { Draft } from './draft.ts';
import type { Wanted } from './wanted.ts';

/** Changes of the draft from events, always made to what it is by then. */
export function useChangeDraft() {
  const { drafts } = usePlayground();
  const change = useCallback(
    (by: (draft: Draft) => Partial<Draft>) =>
      drafts.change((draft) => ({ ...draft, ...by(draft) })),
    [drafts],
  );
  const changeWanted = useCallback(
    (by: (wanted: Wanted) => Wanted) => change(({ wanted }) => ({ wanted: by(wanted) })),
    [change],
  );
  return { change, changeWanted };
}
