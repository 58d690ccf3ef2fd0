import { invalidRequest } from '../../lib/service-error.ts';
import type { Graph } from './graph.ts';

/** Sends the picture over the socket and writes no file. */
export const socketOutputClass = 'SaveImageWebsocket';

/** Nodes that give pictures, the ones we prefer first. */
const outputClasses = [socketOutputClass, 'SaveImage', 'PreviewImage'];

/** The configured node, or the only one of the preferred class. */
export function outputOf(graph: Graph, given: string | number | null, param: string): string {
  if (given !== null) {
    if (Object.hasOwn(graph, String(given))) return String(given);
    throw invalidRequest(param, `The workflow has no node ${given}`);
  }
  for (const outputClass of outputClasses) {
    const [node, another] = nodesOf(graph, outputClass);
    if (another !== undefined) {
      const message = `Nodes ${node} and ${another} are both ${outputClass}: say which one it is`;
      throw invalidRequest(param, message);
    }
    if (node !== undefined) return node;
  }
  throw invalidRequest(
    param,
    `The workflow has no node that gives a picture (${outputClasses[0]})`,
  );
}

function nodesOf(graph: Graph, outputClass: string): string[] {
  return Object.keys(graph).filter((node) => graph[node]?.class_type === outputClass);
}
