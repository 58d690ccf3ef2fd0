/** fal: many makers' models, each an address of its own; most make either pictures or edits. */
import { z } from 'zod';
import type { ImageJob } from '../../upstream.ts';
import { UpstreamError } from '../../upstream.ts';
import { formatFor, modelRow, type SdkOptions } from '../models.ts';
import { aspectOption, exactSize, ownShape } from '../shapes.ts';
import { type AnswerNews, placeholderKey, type Vendor } from '../vendor.ts';
import { withDetailCode } from './error-detail.ts';

const formats = ['png', 'jpeg'] as const;
const commonAspects = aspectOption('1:1', '3:2', '2:3', '4:3', '3:4', '16:9', '9:16');

/**
 * No masks: neither the SDK nor its guide says which colour is changed, and the models differ.
 * Which of `image_url` and `image_urls` a model takes is in no list, so it is told by its name.
 */
export const fal: Vendor = {
  title: 'fal',
  credentialForm: 'API key',
  home: () => 'https://fal.run',
  optionsKey: 'fal',
  load: async () => {
    const { createFal } = await import('@ai-sdk/fal');
    return ({ model, baseURL, fetch }) =>
      createFal({ apiKey: placeholderKey, baseURL, fetch }).image(model);
  },
  authorize: (_request, { credential }) => ({ authorization: `Key ${credential}` }),
  models: [
    modelRow({
      pattern: /\/kontext(?:\/max)?\/multi$|\/edit(?:-image)?$/,
      generation: false,
      referenceImagesMax: 4,
      shape: ownShape,
      formats,
      options: (job) => ({ ...outputFormat(job), useMultipleImages: true }),
    }),
    modelRow({
      pattern: /\/kontext(?:\/max)?$|\/image-to-image$|\/redux$|\/reframe$/,
      generation: false,
      referenceImagesMax: 1,
      shape: ownShape,
      formats,
      options: outputFormat,
    }),
    // The SDK says proportions in the field for sizes, where these models do not look.
    modelRow({
      pattern: /ultra|imagen|nano-banana|gemini|kontext|ideogram|luma-photon/,
      shape: commonAspects,
      formats,
      options: outputFormat,
    }),
    // What only fills, enlarges or removes has no row: it has no prompt, or needs a mask.
    modelRow({
      pattern: /^(?!.*(?:inpainting|upscaler|esrgan|eraser|remov)).*\//,
      shape: exactSize,
      formats,
      options: outputFormat,
    }),
  ],
  readAnswer,
  readError: withDetailCode,
  rules: {
    codes: {
      downstream_service_error: 'unavailable',
      downstream_service_unavailable: 'unavailable',
      generation_timeout: 'timeout',
      no_media_generated: 'protocol',
    },
    // Who has no money left there gets a 403 with a sentence.
    sentences: [[/^user is locked\b/i, 'quota']],
  },
  // There is no free question that needs a key.
  listModels: async () => knownModels,
};

const knownModels = [
  { upstreamModel: 'fal-ai/flux/dev', description: 'FLUX.1 dev' },
  { upstreamModel: 'fal-ai/flux/schnell', description: 'FLUX.1 schnell' },
  { upstreamModel: 'fal-ai/flux-pro/v1.1', description: 'FLUX 1.1 pro' },
  { upstreamModel: 'fal-ai/flux-pro/v1.1-ultra', description: 'FLUX 1.1 pro ultra' },
  { upstreamModel: 'fal-ai/flux-pro/kontext', description: 'FLUX.1 Kontext pro, edits' },
  { upstreamModel: 'fal-ai/flux-2/edit', description: 'FLUX.2, edits' },
  { upstreamModel: 'fal-ai/qwen-image', description: 'Qwen-Image' },
  { upstreamModel: 'fal-ai/recraft/v3/text-to-image', description: 'Recraft V3' },
] as const;

function outputFormat(job: ImageJob): SdkOptions {
  return { outputFormat: formatFor(job, { formats }) };
}

const answerSchema = z.object({
  has_nsfw_concepts: z.array(z.boolean()).nullish().catch(null),
  nsfw_content_detected: z.array(z.boolean()).nullish().catch(null),
});

/** The safety checker blackens a picture and reports success. */
function readAnswer(said: unknown): AnswerNews {
  const parsed = answerSchema.safeParse(said);
  const { has_nsfw_concepts: found, nsfw_content_detected: detected } = parsed.data ?? {};
  if ((found ?? detected)?.[0] === true) {
    throw new UpstreamError('refused', 'the safety checker declined the picture', {
      upstreamCode: 'nsfw',
    });
  }
  return {};
}
