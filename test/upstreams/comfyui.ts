/** ComfyUI for the contract: its pictures are fetched from the server's disk, over HTTP. */
import { comfyuiKind } from '../../server/upstreams/comfyui/adapter.ts';
import { ComfyuiEngine } from './comfyui-engine.ts';
import type { ContractSubject, FakeAnswer, FakeProtocol } from './contract-subject.ts';

/** Edits up to three images, and generates without any: unused images are removed. */
const graph = {
  '1': {
    class_type: 'CheckpointLoaderSimple',
    inputs: { ckpt_name: 'sd_xl_base_1.0.safetensors' },
  },
  '2': {
    class_type: 'TextEncodeQwenImageEditPlus',
    inputs: {
      clip: ['1', 1],
      prompt: '%prompt%',
      image1: ['11', 0],
      image2: ['12', 0],
      image3: ['13', 0],
    },
  },
  '3': { class_type: 'CLIPTextEncode', inputs: { clip: ['1', 1], text: '' } },
  '4': {
    class_type: 'ConditioningSetProperties',
    inputs: { cond_NEW: ['2', 0], strength: 1, set_cond_area: 'default', mask: ['14', 0] },
  },
  '5': {
    class_type: 'EmptyLatentImage',
    inputs: { width: '%width%', height: '%height%', batch_size: 1 },
  },
  '6': {
    class_type: 'KSampler',
    inputs: {
      model: ['1', 0],
      seed: '%seed%',
      steps: '%steps%',
      cfg: 4,
      sampler_name: 'euler',
      scheduler: 'simple',
      positive: ['4', 0],
      negative: ['3', 0],
      latent_image: ['5', 0],
      denoise: 1,
    },
  },
  '7': { class_type: 'VAEDecode', inputs: { samples: ['6', 0], vae: ['1', 2] } },
  '8': { class_type: 'SaveImage', inputs: { images: ['7', 0], filename_prefix: 'contract' } },
  '11': { class_type: 'LoadImage', inputs: { image: '%image_0%' } },
  '12': { class_type: 'LoadImage', inputs: { image: '%image_1%' } },
  '13': { class_type: 'LoadImage', inputs: { image: '%image_2%' } },
  '14': { class_type: 'LoadImageMask', inputs: { image: '%mask%', channel: 'alpha' } },
};

const upstreamModel = 'qwen-edit';

export function comfyuiSubject(): ContractSubject {
  return {
    kind: comfyuiKind,
    settings: {
      workflows: {
        [upstreamModel]: { workflow: graph, imagesNeeded: 0, unusedImages: 'remove' },
      },
    },
    credential: 'operator:fake-9d2c71e05b684a3f',
    upstreamModel,
    fake: protocol(),
  };
}

function protocol(): FakeProtocol {
  const engine = new ComfyuiEngine({
    work: (run) => {
      run.execute('8');
      run.save('8', Buffer.from('fetched from where the suite answers'));
      run.succeed();
    },
  });
  return {
    basePath: '',
    isMain: ({ path }) => path.startsWith('/view?'),
    answerOther: (request) => engine.answer(request),
    attach: (server) => engine.attach(server),
    acceptsEarly: true,
    fetchesMade: true,
    picture: (picture) => view(200, picture, 'image/png'),
    // Previews come over the socket: see the adapter's own tests.
    streamed: null,
    pictureAt: null,
    // The workflow is over when its picture is fetched, so there is nothing left to cancel.
    isCancel: null,
    refusal: null,
    unauthorized: view(401, Buffer.from('Unauthorized'), 'text/plain'),
    outOfQuota: null,
    tooMany: (seconds) => ({
      ...view(429, Buffer.from('Too many requests'), 'text/plain'),
      headers: { 'retry-after': String(seconds) },
    }),
    unavailable: view(503, Buffer.from('Service Unavailable'), 'text/plain'),
    errorInside: view(
      200,
      Buffer.from('{"error": "the file has gone astray"}'),
      'application/json',
    ),
    empty: view(200, Buffer.alloc(0), 'image/png'),
    text: view(200, Buffer.from('The picture could not be found anywhere'), 'text/plain'),
    // The list is of the operator's own workflows.
    modelList: null,
    faults: { errorInside: 'protocol', empty: 'protocol' },
  };
}

function view(status: number, body: Buffer, type: string): FakeAnswer {
  return { status, headers: { 'content-type': type }, body: [body] };
}
