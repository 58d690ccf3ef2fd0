/** A workflow as ComfyUI exports it for its API: where in it the values of a request can go. */

/** One input of one node. */
export interface Place {
  node: string;
  input: string;
}

/** A place that may be marked: one that holds a value and is not linked to another node. */
export interface FreePlace extends Place {
  /** `6 CLIP Text Encode (Prompt): text`. */
  label: string;
  /** What stands in it now, cut. */
  value: string;
}

export type WorkflowReading =
  | { kind: 'workflow'; graph: Graph }
  /** `plain` is the file for the editor of ComfyUI, which its API does not take. */
  | { kind: 'unreadable'; because: 'json' | 'plain' | 'other' };

export type Graph = Readonly<Record<string, GraphNode>>;

interface GraphNode {
  class_type: string;
  inputs: Readonly<Record<string, unknown>>;
  _meta?: { title?: unknown };
}

/** A slot's name, and the places that get its value. */
export type Marks = Readonly<Record<string, readonly Place[]>>;

const valueCharactersMax = 40;

export function readWorkflow(text: string): WorkflowReading {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return { kind: 'unreadable', because: 'json' };
  }
  if (!isObject(parsed)) return { kind: 'unreadable', because: 'other' };
  if (Array.isArray(parsed['nodes']) && Array.isArray(parsed['links'])) {
    return { kind: 'unreadable', because: 'plain' };
  }
  return isGraph(parsed)
    ? { kind: 'workflow', graph: parsed }
    : { kind: 'unreadable', because: 'other' };
}

export function freePlacesOf(graph: Graph): readonly FreePlace[] {
  return Object.entries(graph).flatMap(([node, { class_type: type, inputs, _meta }]) => {
    const title = typeof _meta?.title === 'string' && _meta.title !== '' ? _meta.title : type;
    return Object.entries(inputs).flatMap(([input, value]) =>
      linkedNode(value) === null
        ? [{ node, input, label: `${node} ${title}: ${input}`, value: cut(value) }]
        : [],
    );
  });
}

export function nodesOf(graph: Graph): readonly { node: string; label: string }[] {
  return Object.entries(graph).map(([node, { class_type: type, _meta }]) => ({
    node,
    label: `${node} ${typeof _meta?.title === 'string' && _meta.title !== '' ? _meta.title : type}`,
  }));
}

export function keyOf({ node, input }: Place): string {
  return `${node} ${input}`;
}

/** Whether an input of the workflow says by itself where a value goes: `%prompt%`. */
export function hasPlaceholder(graph: Graph, name: string): boolean {
  return Object.values(graph).some(({ inputs }) => JSON.stringify(inputs).includes(`%${name}%`));
}

/**
 * Marks what the nodes of every installation make plain: the sampler and what is linked to it, the
 * empty latent picture, the loaders of pictures. What is not found is left to the reader.
 */
export function guessMarks(graph: Graph): Marks {
  const found: Record<string, readonly Place[]> = {};
  const mark = (slot: string, node: string | null, input: string) => {
    const inputs = node === null ? undefined : graph[node]?.inputs;
    if (node === null || !inputs || found[slot] || !Object.hasOwn(inputs, input)) return;
    if (linkedNode(inputs[input]) === null) found[slot] = [{ node, input }];
  };
  for (const [node, { class_type: type, inputs }] of Object.entries(graph)) {
    if (type.startsWith('KSampler')) {
      mark('prompt', linkedNode(inputs['positive']), 'text');
      mark('negativePrompt', linkedNode(inputs['negative']), 'text');
      mark('seed', node, 'seed');
      mark('seed', node, 'noise_seed');
      for (const input of ['steps', 'cfg', 'denoise']) mark(input, node, input);
    }
    if (type.startsWith('Empty') && type.includes('Latent')) {
      mark('width', node, 'width');
      mark('height', node, 'height');
      mark('batch', node, 'batch_size');
    }
    if (type === 'LoadImageMask') mark('mask', node, 'image');
  }
  const loaders = Object.entries(graph).filter(([, { class_type: type }]) => type === 'LoadImage');
  for (const [index, [node]] of loaders.entries()) mark(imageSlot(index), node, 'image');
  // Drawn from nothing, the strength of redrawing is of no use.
  if (!found[imageSlot(0)]) delete found['denoise'];
  return found;
}

/** What the place of a reference image is called among the marks. */
export function imageSlot(index: number): string {
  return `images.${index}`;
}

/** The setting `slots`, as marks. */
export function marksOf(slots: unknown): Marks {
  if (!isObject(slots)) return {};
  const { images, ...single } = slots;
  const listed = Array.isArray(images) ? images : [];
  return Object.fromEntries(
    [
      ...Object.entries(single),
      ...listed.map((each, index): [string, unknown] => [imageSlot(index), each]),
    ].flatMap(([name, value]) => {
      const places = [value].flat().filter(isPlace);
      return places.length === 0
        ? []
        : [[name, places.map(({ node, input }) => ({ node: String(node), input }))]];
    }),
  );
}

/** Marks as the setting: one place stands by itself, and reference images close ranks. */
export function slotsOf(marks: Marks): Readonly<Record<string, unknown>> {
  const oneOrMore = (places: readonly Place[]) => (places.length === 1 ? places[0] : places);
  const marked = Object.entries(marks).filter(([, places]) => places.length > 0);
  const isImage = (name: string) => name.startsWith('images.');
  const images = marked
    .filter(([name]) => isImage(name))
    .toSorted(([one], [other]) => numberOf(one) - numberOf(other))
    .map(([, places]) => oneOrMore(places));
  return {
    ...Object.fromEntries(
      marked.filter(([name]) => !isImage(name)).map(([name, places]) => [name, oneOrMore(places)]),
    ),
    ...(images.length > 0 && { images }),
  };
}

function numberOf(imageSlotName: string): number {
  return Number(imageSlotName.slice('images.'.length));
}

/** `["4", 0]` is a link to node 4. */
function linkedNode(value: unknown): string | null {
  if (!Array.isArray(value) || value.length !== 2) return null;
  const [node, output] = value as unknown[];
  return typeof node === 'string' && typeof output === 'number' ? node : null;
}

function cut(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return text.length > valueCharactersMax ? `${text.slice(0, valueCharactersMax)}…` : text;
}

function isGraph(value: Record<string, unknown>): value is Record<string, GraphNode> {
  const nodes = Object.values(value);
  return (
    nodes.length > 0 &&
    nodes.every(
      (node) =>
        isObject(node) && typeof node['class_type'] === 'string' && isObject(node['inputs']),
    )
  );
}

function isPlace(value: unknown): value is { node: string | number; input: string } {
  return isObject(value) && typeof value['input'] === 'string' && 'node' in value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
