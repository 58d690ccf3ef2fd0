/** Whether a server has what a workflow needs: its nodes, and the files that they load. */
import { z } from 'zod';
import type { Graph } from './graph.ts';
import { placeKey } from './graph.ts';
import type { Workflow } from './workflow.ts';

export interface ClassInfo {
  /** What an input may be, for those that are a choice. */
  choices: ReadonlyMap<string, ReadonlySet<unknown>>;
}

const input = z.array(z.unknown());
const info = z.object({
  input: z.object({
    required: z.record(z.string(), input).nullish().catch(null),
    optional: z.record(z.string(), input).nullish().catch(null),
  }),
});
const newChoice = z.object({ options: z.array(z.unknown()) });

/** Null when the answer has nothing about the class. */
export function readClassInfo(said: unknown, name: string): ClassInfo | null {
  const answer = z.record(z.string(), z.unknown()).safeParse(said);
  if (!answer.success || !Object.hasOwn(answer.data, name)) return null;
  const parsed = info.safeParse(answer.data[name]);
  if (!parsed.success) return { choices: new Map() };
  const { required, optional } = parsed.data.input;
  const choices = Object.entries({ ...required, ...optional }).flatMap(([input, declared]) => {
    const options = optionsOf(declared);
    return options ? [[input, new Set(options)] as const] : [];
  });
  return { choices: new Map(choices) };
}

/** `[["a", "b"], {…}]`, or `["COMBO", {"options": ["a", "b"]}]`. */
function optionsOf([type, more]: readonly unknown[]): readonly unknown[] | null {
  // What Array.isArray lets through is `any`.
  if (Array.isArray(type)) return type as unknown[];
  const parsed = type === 'COMBO' ? newChoice.safeParse(more) : null;
  return parsed?.success ? parsed.data.options : null;
}

export function classesOf(graph: Graph): Set<string> {
  return new Set(Object.values(graph).map((node) => node.class_type));
}

/** What the server lacks for the workflow, in words; null when nothing is known to be missing. */
export function lackOf(
  { graph, reserved, places }: Workflow,
  known: ReadonlyMap<string, ClassInfo | null>,
): string | null {
  const filled = new Set([...reserved, ...[...places.values()].flat().map(placeKey)]);
  for (const [node, { class_type, inputs }] of Object.entries(graph)) {
    const classInfo = known.get(class_type);
    if (classInfo === null) return `the server has no node ${class_type}`;
    for (const [input, options] of classInfo?.choices ?? []) {
      const value = inputs[input];
      const isFilled = filled.has(placeKey({ node, input }));
      if (typeof value !== 'string' || isFilled || options.has(value)) continue;
      return `the server has no ${input} ${value}`;
    }
  }
  return null;
}
