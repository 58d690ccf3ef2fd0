/** Engines that people run on machines of their own. */
import { type Dialect, plain } from '../dialect.ts';

/**
 * https://docs.vllm.ai/projects/vllm-omni/en/latest/serving/image_generation_api/ and
 * image_edit_api/. A size of `auto` is a 422 in generations; streams carry text, then the picture.
 */
export const vllmOmni: Dialect = {
  ...plain,
  name: 'vllm-omni',
  title: 'vLLM-Omni',
  edit: {
    path: '/images/edits',
    body: { as: 'multipart', image: 'image' },
    referenceImagesMax: 16,
    reads: ['png', 'jpeg', 'webp'],
    mask: { field: 'mask_image', convention: 'white' },
  },
  format: { field: 'output_format', words: { png: 'png', jpeg: 'jpeg', webp: 'webp' } },
  compression: 'output_compression',
  presets: [
    {
      title: 'vLLM-Omni',
      baseUrl: 'http://localhost:8000/v1',
      upstreamModels: ['Qwen/Qwen-Image-Edit-2511', 'Tongyi-MAI/Z-Image-Turbo'],
    },
  ],
};

/**
 * https://docs.sglang.io/diffusion/api/openai_api.html: a `mask` is accepted and then ignored, so
 * it counts as none; the same prompt gives the same picture unless a seed says otherwise.
 */
export const sglang: Dialect = {
  ...plain,
  name: 'sglang',
  title: 'SGLang Diffusion',
  edit: {
    path: '/images/edits',
    body: { as: 'multipart', image: 'image[]' },
    referenceImagesMax: 16,
    reads: ['png', 'jpeg', 'webp'],
    mask: null,
  },
  quality: { field: 'quality', words: { low: 'low', medium: 'medium', high: 'high' } },
  format: { field: 'output_format', words: { png: 'png', jpeg: 'jpeg', webp: 'webp' } },
  compression: 'output_compression',
  // Some models answer with an address unless told.
  responseFormat: 'b64_json',
  seed: { field: 'seed' },
  presets: [
    {
      title: 'SGLang Diffusion',
      baseUrl: 'http://localhost:30000/v1',
      upstreamModels: ['black-forest-labs/FLUX.2-klein-4B', 'Qwen/Qwen-Image'],
    },
  ],
};

/**
 * https://github.com/mudler/LocalAI, core/http/endpoints/openai/{image,inpainting}.go: a missing
 * size is 512x512; pictures to edit are base64 in `ref_images`; a mask has a path of its own, which
 * makes 512x512 and answers with an address. What follows a `|` is a negative prompt.
 */
export const localai: Dialect = {
  ...plain,
  name: 'localai',
  title: 'LocalAI',
  edit: {
    path: '/images/generations',
    body: {
      as: 'json',
      shape: 'base64',
      one: { field: 'ref_images', in: 'array' },
      several: { field: 'ref_images', in: 'array' },
    },
    referenceImagesMax: 16,
    reads: ['png', 'jpeg'],
    mask: null,
  },
  maskedEdit: {
    path: '/images/inpainting',
    body: { as: 'multipart', image: 'image' },
    referenceImagesMax: 1,
    reads: ['png', 'jpeg'],
    mask: { field: 'mask', convention: 'white' },
    size: { as: 'nothing' },
  },
  size: { as: 'pixels', field: 'size', auto: '1024x1024' },
  responseFormat: 'b64_json',
  promptDirectives: [/\|/g],
  presets: [
    {
      title: 'LocalAI',
      baseUrl: 'http://localhost:8080/v1',
      upstreamModels: ['flux.1-kontext-dev', 'stablediffusion'],
    },
  ],
};

/**
 * https://github.com/leejet/stable-diffusion.cpp, examples/server: references that it cannot decode
 * are passed over, a mask's white is what changes, and a tag in the prompt sets steps and batch. Its
 * seed is 42 unless the tag says otherwise, and there is no field for it. Prompt, negative prompt and
 * model files stand in each picture (`embed_image_metadata`).
 */
export const sdServer: Dialect = {
  ...plain,
  name: 'sd-server',
  title: 'stable-diffusion.cpp server',
  edit: {
    path: '/images/edits',
    body: { as: 'multipart', image: 'image[]' },
    referenceImagesMax: 16,
    reads: ['png', 'jpeg'],
    mask: { field: 'mask', convention: 'white' },
  },
  format: { field: 'output_format', words: { png: 'png', jpeg: 'jpeg' } },
  compression: 'output_compression',
  promptDirectives: [
    /<sd_cpp_extra_args>[^]*?(?:<\/sd_cpp_extra_args>|$)/gi,
    /<lora:(?:[^<>]*>)?/gi,
  ],
  seed: { behindPrompt: '<sd_cpp_extra_args>{"seed":{seed}}</sd_cpp_extra_args>' },
  writesText: true,
  presets: [
    {
      title: 'stable-diffusion.cpp server',
      baseUrl: 'http://localhost:1234/v1',
      upstreamModels: ['sd-cpp-local'],
    },
  ],
};

/** https://docs.ollama.com/api/openai-compatibility, `/v1/images/generations` (experimental). */
export const ollama: Dialect = {
  ...plain,
  name: 'ollama',
  title: 'Ollama',
  responseFormat: 'b64_json',
  presets: [
    {
      title: 'Ollama',
      baseUrl: 'http://localhost:11434/v1',
      upstreamModels: ['x/z-image-turbo', 'x/flux2-klein'],
    },
  ],
};
