import { useRef } from 'react';
import { usePlayground } from '../playground-context.tsx';

const promptsMax = 200;

interface Walk {
  /** The newest first. */
  prompts: readonly string[];
  /** Where the walk is; -1 is the text that was begun before it. */
  at: number;
  begun: string;
}

/** Goes through the prompts of this browser's pictures. */
export function usePromptHistory() {
  const { gallery, jobs } = usePlayground();
  const walk = useRef<Walk>({ prompts: [], at: -1, begun: '' });
  const isLoaded = useRef(false);

  /** Those of earlier visits: once, when somebody first asks. */
  const loadEarlier = async () => {
    if (isLoaded.current) return;
    isLoaded.current = true;
    // Where the gallery cannot be read, there are those of this visit.
    const runs = await gallery.listRuns({ limit: promptsMax }).catch(() => []);
    const { prompts } = walk.current;
    walk.current.prompts = unique([...prompts, ...runs.map(({ asked }) => asked.prompt)]);
  };

  return async (direction: 'older' | 'newer', text: string): Promise<string | null> => {
    const state = walk.current;
    const isWalking = state.at >= 0 && state.prompts[state.at] === text;
    if (!isWalking) {
      const sent = jobs.toReversed().map(({ order }) => order.fields.prompt);
      Object.assign(state, { prompts: unique([...sent, ...state.prompts]), at: -1, begun: text });
    }
    await loadEarlier();
    const next = direction === 'older' ? state.at + 1 : state.at - 1;
    if (next >= state.prompts.length || next < -1) return null;
    state.at = next;
    return next === -1 ? state.begun : (state.prompts[next] ?? null);
  };
}

function unique(prompts: readonly string[]): readonly string[] {
  return [...new Set(prompts)].slice(0, promptsMax);
}
