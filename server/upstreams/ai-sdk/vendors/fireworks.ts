/** Fireworks: most models answer with the picture itself; FLUX Kontext is asked after. */
import { z } from 'zod';
import { type ImageJob, UpstreamError } from '../../upstream.ts';
import { machineWord } from '../../wire/machine-word.ts';
import { formatFor, modelRow, type SdkOptions } from '../models.ts';
import { aspectOf, exactSize } from '../shapes.ts';
import { type AnswerNews, placeholderKey, type Vendor } from '../vendor.ts';

const kontextFormats = ['png', 'jpeg'] as const;
const fluxAspect = aspectOf('1:1', '3:2', '2:3', '4:5', '5:4', '16:9', '9:16', '21:9', '9:21');

export const fireworks: Vendor = {
  title: 'Fireworks',
  credentialForm: 'API key',
  home: () => 'https://api.fireworks.ai/inference/v1',
  optionsKey: 'fireworks',
  load: async () => {
    const { createFireworks } = await import('@ai-sdk/fireworks');
    return ({ model, baseURL, fetch }) =>
      createFireworks({ apiKey: placeholderKey, baseURL, fetch }).image(model);
  },
  authorize: (_request, { credential }) => ({ authorization: `Bearer ${credential}` }),
  models: [
    // The SDK only warns that a mask is left out.
    modelRow({
      pattern: /\/flux-kontext-(?:pro|max)$/,
      referenceImagesMax: 1,
      shape: fluxAspect,
      formats: kontextFormats,
      options: kontextOptions,
    }),
    modelRow({ pattern: /\/flux-/, shape: fluxAspect, formats: ['jpeg'] }),
    modelRow({
      pattern: /\/(?:playground-v2|japanese-stable-diffusion|stable-diffusion-xl|SSD-1B)/,
      shape: exactSize,
    }),
  ],
  readAnswer,
  // With a 412 and PRECONDITION_FAILED, as if the request were wrong.
  rules: { sentences: [[/^account \S+ is suspended\b/i, 'quota']] },
  async listModels(service) {
    // Of all its models; which of them make pictures, it does not say.
    await service.askJson('/models');
    return knownModels;
  },
};

const knownModels = [
  'flux-1-dev-fp8',
  'flux-1-schnell-fp8',
  'flux-kontext-pro',
  'flux-kontext-max',
].map((name) => ({ upstreamModel: `accounts/fireworks/models/${name}`, description: null }));

function kontextOptions(job: ImageJob): SdkOptions {
  return { output_format: formatFor(job, { formats: kontextFormats }) };
}

const answerSchema = z.record(z.string(), z.unknown());

/** The SDK takes every status that it does not know for "not yet". */
function readAnswer(said: unknown, headers: Readonly<Record<string, string>>): AnswerNews {
  if (headers['finish-reason'] === 'CONTENT_FILTERED') throw declined();
  const parsed = answerSchema.safeParse(said);
  if (!parsed.success) return {};
  const { status, id } = parsed.data;
  const submittedId = parsed.data['request_id'];
  switch (status) {
    case 'Request Moderated':
    case 'Content Moderated':
      throw declined();
    case 'Error':
    case 'Failed':
    case 'Task not found':
      throw new UpstreamError('unavailable', 'the service gave the job up');
    default: {
      const name = submittedId ?? id;
      const jobId = machineWord(typeof name === 'string' ? name : null) ?? undefined;
      const isWaiting = typeof status === 'string' && status !== 'Ready';
      return { jobId, isPending: submittedId !== undefined || isWaiting };
    }
  }
}

function declined(): UpstreamError {
  return new UpstreamError('refused', 'the content was declined');
}
