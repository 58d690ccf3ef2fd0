import type { UpstreamPreset } from '../adapter-kind.ts';
import type { VendorName } from './settings.ts';

/** Every service as it is without further settings. */
export const presets: readonly UpstreamPreset[] = [
  preset('google', 'Gemini API', [
    'gemini-2.5-flash-image',
    'gemini-3-pro-image',
    'gemini-3.1-flash-image',
  ]),
  preset('google-vertex', 'Vertex AI', ['gemini-2.5-flash-image', 'gemini-3-pro-image']),
  preset('amazon-bedrock', 'Amazon Bedrock', ['amazon.nova-canvas-v1:0']),
  preset('fal', 'fal', [
    'fal-ai/flux/dev',
    'fal-ai/flux-2/edit',
    'fal-ai/flux-pro/kontext',
    'fal-ai/flux-pro/v1.1-ultra',
  ]),
  preset('replicate', 'Replicate', [
    'black-forest-labs/flux-2-pro',
    'black-forest-labs/flux-fill-pro',
    'black-forest-labs/flux-schnell',
  ]),
  preset('black-forest-labs', 'Black Forest Labs', [
    'flux-2-pro',
    'flux-3-image',
    'flux-pro-1.0-fill',
    'flux-kontext-pro',
    'flux-pro-1.1',
  ]),
  preset('luma', 'Luma', ['photon-1', 'photon-flash-1']),
  preset('fireworks', 'Fireworks', [
    'accounts/fireworks/models/flux-kontext-pro',
    'accounts/fireworks/models/flux-1-schnell-fp8',
  ]),
];

function preset(
  provider: VendorName,
  title: string,
  upstreamModels: UpstreamPreset['upstreamModels'],
): UpstreamPreset {
  return { title, baseUrl: null, settings: { provider }, upstreamModels };
}
