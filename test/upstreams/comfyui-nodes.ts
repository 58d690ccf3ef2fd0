/** The node classes of the engine, and how it checks a workflow of them. */

export type EngineGraph = Record<string, { class_type: string; inputs: Record<string, unknown> }>;

const checkpoints = ['sd_xl_base_1.0.safetensors'];
const pixelsMax = 16_384;

/** The classes that it has, with the inputs that they cannot do without. */
const classes: Readonly<Record<string, readonly string[]>> = {
  KSampler: ['model', 'seed', 'steps', 'cfg', 'positive', 'negative', 'latent_image'],
  CheckpointLoaderSimple: ['ckpt_name'],
  EmptyLatentImage: ['width', 'height', 'batch_size'],
  CLIPTextEncode: ['text', 'clip'],
  VAEDecode: ['samples', 'vae'],
  VAEEncode: ['pixels', 'vae'],
  SaveImage: ['images', 'filename_prefix'],
  SaveImageWebsocket: ['images'],
  LoadImage: ['image'],
  LoadImageMask: ['image', 'channel'],
  GrowMask: ['mask', 'expand', 'tapered_corners'],
  SetLatentNoiseMask: ['samples', 'mask'],
  TextEncodeQwenImageEditPlus: ['clip', 'prompt'],
  ConditioningSetProperties: ['cond_NEW', 'strength', 'set_cond_area'],
};

/** What the server says of a graph that it cannot run; null when it can. */
export function refusalOf(graph: EngineGraph, hasFile: (file: string) => boolean): unknown {
  for (const { class_type } of Object.values(graph)) {
    if (classes[class_type]) continue;
    const message = `Node '${class_type}' not found. The custom node may not be installed.`;
    return { error: { type: 'missing_node_type', message, extra_info: {} }, node_errors: {} };
  }
  const found = Object.entries(graph).flatMap(([node, { class_type, inputs }]) => {
    const errors = [
      ...(classes[class_type] ?? [])
        .filter((input) => !Object.hasOwn(inputs, input))
        .map((input) => nodeError('required_input_missing', input)),
      ...Object.entries(inputs).flatMap(([input, value]) => errorIn(input, value, hasFile)),
    ];
    return errors.length > 0 ? [[node, { errors, dependent_outputs: ['9'], class_type }]] : [];
  });
  if (found.length === 0) return null;
  const message = 'Prompt outputs failed validation';
  const error = { type: 'prompt_outputs_failed_validation', message, extra_info: {} };
  const nodeErrors = Object.fromEntries(found) as Record<string, unknown>;
  return { error, node_errors: nodeErrors };
}

function errorIn(input: string, value: unknown, hasFile: (file: string) => boolean) {
  if (input === 'ckpt_name' && !checkpoints.includes(String(value))) {
    return [nodeError('value_not_in_list', input)];
  }
  if ((input === 'width' || input === 'height') && Number(value) > pixelsMax) {
    return [nodeError('value_bigger_than_max', input)];
  }
  if (input !== 'image' || Array.isArray(value)) return [];
  const [, name, type = 'input'] = /^(.*?)(?: \[(\w+)\])?$/.exec(String(value)) ?? [];
  return hasFile(`${type}//${name}`) ? [] : [nodeError('custom_validation_failed', input)];
}

function nodeError(type: string, input: string) {
  return { type, message: `Something is wrong with ${input}`, extra_info: { input_name: input } };
}

/** What GET /object_info says of a class; nothing of one that it does not have. */
export function objectInfo(name: string): Readonly<Record<string, unknown>> {
  const inputs = classes[name];
  if (!inputs) return {};
  const required = inputs.map((input) => [
    input,
    input === 'ckpt_name' ? [checkpoints, {}] : ['*'],
  ]);
  const inputsInfo = Object.fromEntries(required) as Record<string, unknown>;
  return { [name]: { input: { required: inputsInfo }, name } };
}
