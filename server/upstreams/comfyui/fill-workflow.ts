/** The workflow with everything of a job in its places: what POST /prompt takes. */
import { must } from '../../lib/assert.ts';
import type { ImageJob } from '../upstream.ts';
import { type Graph, type GraphNode, linkOf, placeKey } from './graph.ts';
import type { Order } from './order.ts';
import { fillPlaceholders, type ValueName } from './placeholders.ts';
import type { Workflow } from './workflow.ts';

/** The names under which the server knows the uploaded pictures. */
export interface UploadedNames {
  images: readonly string[];
  mask: string | null;
}

export function fillWorkflow(
  workflow: Workflow,
  order: Order,
  uploaded: UploadedNames,
  extra: ImageJob['extra'] = {},
): Graph {
  const values = new Map([...order.values, ...pictureValues(workflow, uploaded)]);
  const graph = withPlaceholders(workflow.graph, values);
  for (const [name, places] of workflow.places) {
    const value = values.get(name);
    if (value === undefined || order.placeholderOnly.has(name)) continue;
    for (const { node, input } of places) setInput(graph, node, input, value);
  }
  addOperatorInputs(graph, extra['nodes'], workflow);
  return withoutNodes(graph, unusedNodes(workflow, uploaded));
}

/**
 * The graph with an input of the output node that no run before had: one that has nothing new in it is
 * answered with the file of the run before, which has been emptied since. Nodes are not told of inputs
 * that they do not declare, but the server's cache counts them.
 */
export function runAnew(graph: Graph, { output }: Workflow, runId: string): Graph {
  const node = must(graph[output], 'the output node');
  return { ...graph, [output]: { ...node, inputs: { ...node.inputs, tintype_run: runId } } };
}

/** Every image place gets a file: those beyond the job's the first one, unless they are removed. */
function pictureValues({ images }: Workflow, uploaded: UploadedNames): [ValueName, string][] {
  const [first] = uploaded.images;
  const values = Array.from({ length: images.max }, (_, index): [ValueName, string | undefined] => [
    `image_${index}`,
    uploaded.images[index] ?? first,
  ]);
  values.push(['mask', uploaded.mask ?? undefined]);
  return values.filter((pair): pair is [ValueName, string] => pair[1] !== undefined);
}

function withPlaceholders(graph: Graph, values: ReadonlyMap<ValueName, string | number>): Graph {
  const fill = (value: unknown) => (linkOf(value) ? value : fillPlaceholders(value, values));
  return Object.fromEntries(
    Object.entries(graph).map(([id, node]) => {
      const inputs: GraphNode['inputs'] = Object.fromEntries(
        Object.entries(node.inputs).map(([input, value]) => [input, fill(value)]),
      );
      return [id, { ...node, inputs }];
    }),
  );
}

function setInput(graph: Graph, node: string, input: string, value: unknown): void {
  const inputs = graph[node]?.inputs;
  if (inputs && Object.hasOwn(inputs, input)) inputs[input] = value;
}

/** `{"nodes": {"4": {"ckpt_name": "other.safetensors"}}}`: inputs that the operator sets himself. */
function addOperatorInputs(graph: Graph, nodes: unknown, { reserved }: Workflow): void {
  for (const [node, inputs] of membersOf(nodes)) {
    for (const [input, value] of membersOf(inputs)) {
      if (!reserved.has(placeKey({ node, input }))) setInput(graph, node, input, value);
    }
  }
}

function membersOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

function unusedNodes(workflow: Workflow, { images, mask }: UploadedNames): Set<string> {
  if (workflow.settings.unusedImages === 'first') return new Set();
  const used = new Set(workflow.imageNodes.slice(0, images.length).flat());
  const unused = workflow.imageNodes.slice(images.length).flat();
  // Without a picture there is nothing to mask.
  if (mask === null) unused.push(...(workflow.mask?.nodes ?? []));
  return new Set(unused.filter((node) => !used.has(node)));
}

/** Without these nodes and every input that is linked to one of them. */
function withoutNodes(graph: Graph, nodes: ReadonlySet<string>): Graph {
  if (nodes.size === 0) return graph;
  const kept = Object.entries(graph).filter(([id]) => !nodes.has(id));
  const isKept = ([, value]: [string, unknown]) => !nodes.has(linkOf(value)?.node ?? '');
  return Object.fromEntries(
    kept.map(([id, node]) => {
      const inputs: GraphNode['inputs'] = Object.fromEntries(
        Object.entries(node.inputs).filter(isKept),
      );
      return [id, { ...node, inputs }];
    }),
  );
}
