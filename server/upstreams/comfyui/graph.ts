/** A workflow as ComfyUI's API takes it: nodes by ID, their inputs values or links. */
import { z } from 'zod';
import { comfyuiLimits } from './limits.ts';

/** Fields that are not named here (titles, for one) are kept. */
const node = z.looseObject({
  class_type: z.string().min(1).max(256),
  inputs: z.record(z.string(), z.unknown()),
});
export const graphSchema = z.record(z.string().min(1).max(64), node);
export type GraphNode = z.infer<typeof node>;
export type Graph = z.infer<typeof graphSchema>;

/** One input of one node. */
export interface Place {
  node: string;
  input: string;
}

/** `["4", 0]`: the input gets the first output of node 4. */
export interface Link {
  node: string;
  output: number;
}

export function linkOf(value: unknown): Link | null {
  if (!Array.isArray(value) || value.length !== 2) return null;
  // What Array.isArray lets through is `any`.
  const [node, output] = value as unknown[];
  return typeof node === 'string' && typeof output === 'number' ? { node, output } : null;
}

/** Every link of the graph, with the place that it is in. */
export function linksOf(graph: Graph): (Place & { link: Link })[] {
  return Object.entries(graph).flatMap(([node, { inputs }]) =>
    Object.entries(inputs).flatMap(([input, value]) => {
      const link = linkOf(value);
      return link ? [{ node, input, link }] : [];
    }),
  );
}

export function placeKey({ node, input }: Place): string {
  return `${node} ${input}`;
}

/** The value with every text in it replaced; what is too deep to look into is left alone. */
export function mapTexts(value: unknown, replace: (text: string) => unknown, depth = 0): unknown {
  if (typeof value === 'string') return replace(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === comfyuiLimits.inputDepthMax) return value;
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, replace, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, mapTexts(member, replace, depth + 1)]),
  );
}
