/** Two workflows of standard nodes, to begin with: only the name of the checkpoint is to be changed. */
import type { UpstreamPreset } from '../adapter-kind.ts';
import inpaint from './workflows/inpaint.json' with { type: 'json' };
import textToImage from './workflows/text-to-image.json' with { type: 'json' };

const generation = {
  workflow: textToImage,
  slots: {
    prompt: { node: '6', input: 'text' },
    negativePrompt: { node: '7', input: 'text' },
    width: { node: '5', input: 'width' },
    height: { node: '5', input: 'height' },
    batch: { node: '5', input: 'batch_size' },
    seed: { node: '3', input: 'seed' },
    steps: { node: '3', input: 'steps' },
    cfg: { node: '3', input: 'cfg' },
  },
};

const edit = {
  workflow: inpaint,
  slots: {
    prompt: { node: '6', input: 'text' },
    negativePrompt: { node: '7', input: 'text' },
    seed: { node: '3', input: 'seed' },
    steps: { node: '3', input: 'steps' },
    cfg: { node: '3', input: 'cfg' },
    denoise: { node: '3', input: 'denoise' },
    images: [{ node: '10', input: 'image' }],
    mask: { node: '11', input: 'image' },
  },
};

export const comfyuiPresets: readonly UpstreamPreset[] = [
  {
    title: 'ComfyUI with SDXL',
    baseUrl: 'http://127.0.0.1:8188',
    settings: { workflows: { 'sdxl-generate': generation, 'sdxl-edit': edit } },
    upstreamModels: ['sdxl-generate', 'sdxl-edit'],
  },
];
