/** A configured workflow, checked once, so that a job only has to be filled in. */
import { invalidRequest } from '../../lib/service-error.ts';
import { type Graph, graphSchema, linkOf, linksOf, type Place, placeKey } from './graph.ts';
import { comfyuiLimits as limits } from './limits.ts';
import { type MaskForm, maskFormOf } from './mask-form.ts';
import { outputOf } from './output-node.ts';
import { placeholdersIn, type ValueName } from './placeholders.ts';
import type { PlacesSetting, WorkflowSettings } from './settings.ts';

export interface Workflow {
  name: string;
  graph: Graph;
  /** The node whose picture is the result. */
  output: string;
  /** The inputs that get a value whole, by the value's name. */
  places: ReadonlyMap<ValueName, readonly Place[]>;
  /** Every value that goes anywhere, by slot or placeholder. */
  values: ReadonlySet<ValueName>;
  /** How many reference images it has places for, and how many a job must bring. */
  images: { max: number; needed: number };
  /** The nodes that load each reference image. */
  imageNodes: readonly (readonly string[])[];
  mask: { form: MaskForm; nodes: readonly string[] } | null;
  /** Places that nothing but the job fills: see {@link placeKey}. */
  reserved: ReadonlySet<string>;
  settings: WorkflowSettings;
}

const workflowName = /^[\p{L}\p{N}][\p{L}\p{N} ._:/@+-]{0,99}$/u;

/** Throws a ServiceError that names the setting at fault. */
export function checkWorkflow(name: string, settings: WorkflowSettings): Workflow {
  const param = `settings.workflows.${name}`;
  if (!workflowName.test(name)) {
    throw invalidRequest('settings.workflows', 'A workflow’s name has letters, digits and ._:/@+-');
  }
  const graph = readGraph(settings.workflow, `${param}.workflow`);
  const places = placesOf(settings.slots, graph, `${param}.slots`);
  const placeholders = placeholdersByPlace(graph);
  const values = new Set([...places.keys(), ...placeholders.values().flatMap((names) => names)]);
  if (!values.has('prompt')) {
    throw invalidRequest(`${param}.slots.prompt`, `${name} has no place for the prompt`);
  }
  const nodesOf = (name: ValueName) => nodesThatTake(name, places, placeholders);
  const imageNodes = imageNodesOf(values, nodesOf, param);
  const maskNodes = nodesOf('mask');
  if (maskNodes.length > 0 && imageNodes.length === 0) {
    throw invalidRequest(`${param}.slots.mask`, `${name} has a mask but no image that it is for`);
  }
  return {
    name,
    graph,
    output: outputOf(graph, settings.output, `${param}.output`),
    places,
    values,
    images: { max: imageNodes.length, needed: neededImages(settings, imageNodes.length, param) },
    imageNodes,
    mask: maskNodes.length > 0 ? maskOf(settings, graph, maskNodes, param) : null,
    reserved: reservedPlaces(places, placeholders),
    settings,
  };
}

function readGraph(given: WorkflowSettings['workflow'], param: string): Graph {
  const tree = typeof given === 'string' ? parseText(given, param) : given;
  if (typeof tree === 'object' && tree !== null && 'nodes' in tree && 'links' in tree) {
    const message = 'This is the editor’s own format: export the workflow with “Export (API)”';
    throw invalidRequest(param, message);
  }
  const parsed = graphSchema.safeParse(tree);
  if (!parsed.success) {
    const where = parsed.error.issues[0]?.path.join('.') ?? '';
    throw invalidRequest(param, `Not a workflow in ComfyUI’s API format (${where})`);
  }
  const count = Object.keys(parsed.data).length;
  if (count < 1 || count > limits.nodesMax) {
    throw invalidRequest(param, `A workflow has 1 to ${limits.nodesMax} nodes, not ${count}`);
  }
  for (const { node, input, link } of linksOf(parsed.data)) {
    if (Object.hasOwn(parsed.data, link.node)) continue;
    const message = `${input} of node ${node} is linked to node ${link.node}, which is not there`;
    throw invalidRequest(param, message);
  }
  return parsed.data;
}

function parseText(text: string, param: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidRequest(param, 'The workflow is not JSON');
  }
}

/** Their values have the same names; so do those of placeholders. */
const slotNames = [
  'prompt',
  'negativePrompt',
  'width',
  'height',
  'seed',
  'steps',
  'cfg',
  'denoise',
  'batch',
  'mask',
] as const;

function placesOf(
  slots: WorkflowSettings['slots'],
  graph: Graph,
  param: string,
): Map<ValueName, readonly Place[]> {
  const taken = new Set<string>();
  const found = new Map<ValueName, readonly Place[]>();
  const take = (name: ValueName, setting: PlacesSetting, path: string) => {
    const places = [setting].flat().map(({ node, input }) => ({ node: String(node), input }));
    for (const place of places) {
      checkPlace(place, graph, path);
      if (taken.has(placeKey(place))) {
        throw invalidRequest(path, `${placeInWords(place)} is the place of two slots`);
      }
      taken.add(placeKey(place));
    }
    found.set(name, places);
  };
  for (const slot of slotNames) {
    const setting = slots[slot];
    if (setting !== null) take(slot, setting, `${param}.${slot}`);
  }
  for (const [index, setting] of slots.images.entries()) {
    take(`image_${index}`, setting, `${param}.images.${index}`);
  }
  return found;
}

function checkPlace(place: Place, graph: Graph, param: string): void {
  const node = Object.hasOwn(graph, place.node) ? graph[place.node] : undefined;
  if (!node) throw invalidRequest(param, `The workflow has no node ${place.node}`);
  if (!Object.hasOwn(node.inputs, place.input)) {
    const inputs = Object.keys(node.inputs).join(', ');
    throw invalidRequest(param, `${placeInWords(place)} is not there; it has ${inputs}`);
  }
  if (linkOf(node.inputs[place.input])) {
    throw invalidRequest(param, `${placeInWords(place)} is linked to another node`);
  }
}

function placeInWords({ node, input }: Place): string {
  return `input ${input} of node ${node}`;
}

function placeholdersByPlace(graph: Graph): Map<Place, ValueName[]> {
  const found = new Map<Place, ValueName[]>();
  for (const [node, { inputs }] of Object.entries(graph)) {
    for (const [input, value] of Object.entries(inputs)) {
      const names = placeholdersIn(value);
      if (names.size > 0) found.set({ node, input }, [...names]);
    }
  }
  return found;
}

function nodesThatTake(
  name: ValueName,
  places: ReadonlyMap<ValueName, readonly Place[]>,
  placeholders: ReadonlyMap<Place, ValueName[]>,
): string[] {
  const written = [...placeholders].flatMap(([place, names]) =>
    names.includes(name) ? [place] : [],
  );
  return [...(places.get(name) ?? []), ...written].map(({ node }) => node);
}

/** Which nodes take `image_0`, `image_1` and so on; there must be no gap. */
function imageNodesOf(
  values: ReadonlySet<ValueName>,
  nodesOf: (name: ValueName) => string[],
  param: string,
): string[][] {
  const count = [...values].filter((name) => name.startsWith('image_')).length;
  if (count > limits.imagesMax) {
    throw invalidRequest(param, `A workflow takes at most ${limits.imagesMax} images`);
  }
  return Array.from({ length: count }, (_, index) => {
    const nodes = nodesOf(`image_${index}`);
    if (nodes.length > 0) return nodes;
    throw invalidRequest(param, `%image_${index}% is missing: images count from 0`);
  });
}

function neededImages(settings: WorkflowSettings, max: number, param: string): number {
  const needed = settings.imagesNeeded ?? Math.min(max, 1);
  if (needed > max) {
    throw invalidRequest(`${param}.imagesNeeded`, `There are places for ${max} images only`);
  }
  if (needed === 0 && max > 0 && settings.unusedImages === 'first') {
    const message = 'A workflow that works without images must remove unused image slots';
    throw invalidRequest(`${param}.unusedImages`, message);
  }
  return needed;
}

function maskOf(
  { maskForm }: WorkflowSettings,
  graph: Graph,
  nodes: readonly string[],
  param: string,
): { form: MaskForm; nodes: readonly string[] } {
  if (maskForm !== 'auto') return { form: maskForm, nodes };
  const [form, another] = new Set(nodes.map((node) => maskFormOf(node, graph)));
  if (form && another === undefined) return { form, nodes };
  const message = 'Say alpha or white: the node that loads the mask does not tell';
  throw invalidRequest(`${param}.maskForm`, message);
}

/** What the operator's additions to a job may not touch: the prompt and the pictures. */
function reservedPlaces(
  places: ReadonlyMap<ValueName, readonly Place[]>,
  placeholders: ReadonlyMap<Place, ValueName[]>,
): Set<string> {
  const isReserved = (name: ValueName) =>
    name === 'prompt' || name === 'mask' || name.startsWith('image_');
  const slotted = [...places].flatMap(([name, list]) => (isReserved(name) ? list : []));
  const written = [...placeholders].flatMap(([place, names]) =>
    names.some(isReserved) ? [place] : [],
  );
  return new Set([...slotted, ...written].map(placeKey));
}
