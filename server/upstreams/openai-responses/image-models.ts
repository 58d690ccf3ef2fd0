/**
 * What is known of the models behind the image tool. Source: the npm package openai 7.55,
 * `resources/responses/responses.d.ts`, interface `Tool.ImageGeneration`.
 */
import {
  extendedQualities,
  type ImageQuality,
  type InputFidelity,
  imageFormats,
  imageQualities,
} from '../../../shared/image-options.ts';
import type { Capabilities } from '../upstream.ts';

/** Its values of `model` that are neither dated nor shut down, the most capable first. */
export const imageModels = [
  'gpt-image-2.5-sunburst',
  'gpt-image-2.5-flare',
  'gpt-image-2.6-sunburst',
  'gpt-image-2.6-flare',
  'gpt-image-2',
  'gpt-image-1.5',
  'gpt-image-1-mini',
  'chatgpt-image-latest',
] as const;

/** As many as the same models take in the Images API: `ImageEditParams.image`. */
const referenceImagesMax = 16;

export function capabilitiesOf(upstreamModel: string): Capabilities {
  return {
    generation: true,
    edit: true,
    referenceImagesMax,
    mask: true,
    partialImages: true,
    sizes: 'exact',
    formats: imageFormats,
    qualities: qualitiesOf(upstreamModel),
    transparentBackground: !isGptImage2(upstreamModel),
  };
}

/**
 * "The GPT image models support `low`, `medium`, and `high`", those from 2.5 on `xhigh` and `max`
 * too. A name that tells no version is a deployment's own: its service refuses what it has not.
 */
function qualitiesOf(upstreamModel: string): readonly ImageQuality[] {
  const version = /gpt-image-(\d+(?:\.\d+)?)/.exec(upstreamModel)?.[1];
  if (version === undefined || Number(version) >= 2.5) return imageQualities;
  return imageQualities.filter((quality) => !extendedQualities.includes(quality));
}

/** "`gpt-image-1-mini` supports only `low`. For `gpt-image-2`, omit this parameter." */
export function takesInputFidelity(upstreamModel: string, fidelity: InputFidelity): boolean {
  if (isGptImage2(upstreamModel)) return false;
  return fidelity === 'low' || !/(^|\/)gpt-image-1-mini/.test(upstreamModel);
}

/** By its name, dated or not; not those of a later version such as 2.5. */
function isGptImage2(upstreamModel: string): boolean {
  return /(^|\/)gpt-image-2(-\d{4}-\d\d-\d\d)?$/.test(upstreamModel);
}

/** Tells `gpt-image-2`, `chatgpt-image-latest` and `openai/gpt-image-2` from language models. */
export function isImageModel(name: string): boolean {
  return /(^|[^a-z])image([^a-z]|$)/i.test(name);
}
