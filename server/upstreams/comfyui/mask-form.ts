import { type Graph, linksOf } from './graph.ts';

/** What marks the area to change: pixels of alpha 0, or white ones. */
export type MaskForm = 'alpha' | 'white';

/**
 * What the standard nodes make of a mask's file; null for nodes that do not say.
 *
 * - LoadImage gives MASK = 1 − alpha, so transparent means change; its IMAGE has no alpha any more,
 *   so what makes a mask of that wants white.
 * - LoadImageMask does the same by its `channel`: alpha is inverted, a colour is not.
 */
export function maskFormOf(node: string, graph: Graph): MaskForm | null {
  switch (graph[node]?.class_type) {
    case 'LoadImageMask':
      return formOfChannel(graph[node].inputs['channel']);
    case 'LoadImage':
      return formOfOutputs(outputsUsed(node, graph));
    default:
      return null;
  }
}

function formOfChannel(channel: unknown): MaskForm | null {
  if (channel === 'alpha') return 'alpha';
  return channel === 'red' || channel === 'green' || channel === 'blue' ? 'white' : null;
}

const imageOutput = 0;
const maskOutput = 1;

function formOfOutputs(used: ReadonlySet<number>): MaskForm | null {
  if (used.has(imageOutput) === used.has(maskOutput)) return null;
  return used.has(maskOutput) ? 'alpha' : 'white';
}

function outputsUsed(node: string, graph: Graph): Set<number> {
  const links = linksOf(graph).filter(({ link }) => link.node === node);
  return new Set(links.map(({ link }) => link.output));
}
