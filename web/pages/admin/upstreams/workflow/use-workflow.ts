import { useState } from 'react';
import {
  draftOf,
  problemsOf,
  type SettingControl,
  type Settings,
  settingsOf,
} from '../connection/settings-schema.ts';
import {
  freePlacesOf,
  type Graph,
  guessMarks,
  hasPlaceholder,
  keyOf,
  type Marks,
  marksOf,
  readWorkflow,
  slotsOf,
} from './workflow-graph.ts';

/** One workflow while it is edited: its text, what is marked in it, its own settings. */
export function useWorkflow(
  { own }: Extract<SettingControl, { kind: 'workflows' }>,
  /** As it was stored. */
  initial: Settings,
) {
  const [text, setText] = useState(textOf(initial['workflow']));
  const [marks, setMarks] = useState<Marks>(marksOf(initial['slots']));
  const [draft, setDraft] = useState(draftOf(own, initial));
  const reading = readWorkflow(text);
  const graph = reading.kind === 'workflow' ? reading.graph : null;
  const problems = problemsOf(own, draft);
  const isPromptMissing = graph !== null && !takesPrompt(graph, marks);
  return {
    text,
    reading,
    graph,
    marks,
    draft,
    problems,
    isPromptMissing,
    setMarks,
    setDraft,
    /** What is marked and still there stays; in another workflow, what is plain is marked. */
    change: (next: string) => {
      setText(next);
      const read = readWorkflow(next);
      if (read.kind === 'workflow') setMarks(marksIn(read.graph, marks));
    },
    /** Null while something is missing. */
    value: (): Settings | null =>
      graph === null || isPromptMissing || problems.size > 0
        ? null
        : { workflow: graph, slots: slotsOf(marks), ...settingsOf(own, draft) },
  };
}

function takesPrompt(graph: Graph, marks: Marks): boolean {
  return (marks['prompt'] ?? []).length > 0 || hasPlaceholder(graph, 'prompt');
}

function marksIn(graph: Graph, marks: Marks): Marks {
  const there = new Set(freePlacesOf(graph).map(keyOf));
  const kept = Object.entries(marks).flatMap(([slot, places]): [string, Marks[string]][] => {
    const left = places.filter((place) => there.has(keyOf(place)));
    return left.length === 0 ? [] : [[slot, left]];
  });
  return kept.length === 0 ? guessMarks(graph) : Object.fromEntries(kept);
}

/** Stored as an object, or as the text of one. */
function textOf(workflow: unknown): string {
  if (workflow === undefined) return '';
  return typeof workflow === 'string' ? workflow : JSON.stringify(workflow, null, 2);
}
