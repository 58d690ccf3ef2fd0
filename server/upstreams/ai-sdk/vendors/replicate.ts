/** Replicate: many makers' models, each with inputs of its own names. */
import { z } from 'zod';
import { beginningOf } from '../../../../shared/beginning.ts';
import { type ImageJob, UpstreamError } from '../../upstream.ts';
import type { FailedAnswer } from '../../wire/faults.ts';
import { machineWord } from '../../wire/machine-word.ts';
import { wellFormedEntries } from '../../wire/well-formed-entries.ts';
import { formatFor, modelRow, type SdkOptions } from '../models.ts';
import { aspectOf, ownShape } from '../shapes.ts';
import {
  type AnswerNews,
  notAList,
  placeholderKey,
  pollingLimits,
  type Vendor,
} from '../vendor.ts';

const formats = ['png', 'jpeg', 'webp'] as const;
const commonAspects = aspectOf('1:1', '3:2', '2:3', '4:3', '3:4', '16:9', '9:16');
const common = { formats, isCompressing: true, options };

export const replicate: Vendor = {
  title: 'Replicate',
  credentialForm: 'API key',
  home: () => 'https://api.replicate.com/v1',
  optionsKey: 'replicate',
  load: async () => {
    const { createReplicate } = await import('@ai-sdk/replicate');
    return ({ model, baseURL, fetch }) =>
      createReplicate({ apiToken: placeholderKey, baseURL, fetch }).image(model);
  },
  authorize: (_request, { credential }) => ({ authorization: `Bearer ${credential}` }),
  models: [
    // The SDK's guide: "white = inpaint, black = keep".
    modelRow({
      pattern: /\/flux-fill-/,
      generation: false,
      referenceImagesMax: 1,
      mask: 'white',
      shape: ownShape,
      ...common,
    }),
    modelRow({
      pattern: /^black-forest-labs\/flux-2-/,
      referenceImagesMax: 8,
      shape: commonAspects,
      ...common,
    }),
    // The SDK sends a reference image as `image`, which of the other models only these are known
    // to look at; where it goes unread, the picture would silently be made without it.
    modelRow({
      pattern: /\/flux-dev$|\/stable-diffusion-3\.5/,
      referenceImagesMax: 1,
      shape: commonAspects,
      ...common,
    }),
    modelRow({ pattern: /\//, shape: commonAspects, ...common }),
  ],
  patience: {
    // The ID comes with the first answer, and only by that can a job be stopped.
    maxWaitTimeInSeconds: 1,
    pollIntervalMillis: pollingLimits.intervalMs,
    maxPollAttempts: pollingLimits.pollsMax,
  },
  readAnswer,
  readError: withWait,
  growingMember: 'output',
  cancel: (jobId, { baseUrl }) => ({
    method: 'POST',
    url: new URL(`${baseUrl}/predictions/${encodeURIComponent(jobId)}/cancel`),
  }),
  async listModels(service) {
    const list = modelList.safeParse(await service.askJson('/collections/text-to-image'));
    if (!list.success) throw notAList();
    return list.data.models.map(({ owner, name, description }) => ({
      upstreamModel: `${owner}/${name}`,
      description: description ? beginningOf(description, descriptionCharactersMax) : null,
    }));
  },
};

const waitSchema = z.object({ retry_after: z.number().min(0) });

/** How many seconds to wait may stand in the answer alone. */
function withWait(answer: FailedAnswer): FailedAnswer {
  const wait = waitSchema.safeParse(answer.said).data?.retry_after;
  if (wait === undefined) return answer;
  return { ...answer, headers: { 'retry-after': String(wait), ...answer.headers } };
}

const descriptionCharactersMax = 200;

function options(job: ImageJob): SdkOptions {
  const format = formatFor(job, { formats });
  const { compression } = job;
  return {
    output_format: format === 'jpeg' ? 'jpg' : format,
    // The SDK takes none below 1.
    ...(format !== 'png' && compression !== null && { output_quality: Math.max(1, compression) }),
  };
}

const namedModel = z.object({
  owner: z.string(),
  name: z.string(),
  description: z.string().nullish().catch(null),
});
const modelList = z.object({ models: wellFormedEntries(namedModel) });

const answerSchema = z.object({
  id: z.string().nullish().catch(null),
  status: z.string(),
  error: z.string().nullish().catch(null),
});

/**
 * What a declined prompt or picture says: the code that Replicate's official models give, and the
 * sentences of the safety checkers in front of the others, which have no code.
 */
const refusal = /\(E005\)|^NSFW content detected\b|^All generated images contained NSFW content\b/;

function readAnswer(said: unknown): AnswerNews {
  const parsed = answerSchema.safeParse(said);
  if (!parsed.success) return {};
  const { id, status, error } = parsed.data;
  if (status === 'failed') {
    throw refusal.test(error ?? '')
      ? new UpstreamError('refused', 'the content was declined')
      : new UpstreamError('unavailable', 'the model failed');
  }
  if (status === 'canceled') throw new UpstreamError('unavailable', 'somebody canceled the job');
  // The SDK does not know of it.
  if (status === 'aborted') throw new UpstreamError('unavailable', 'the job did not begin in time');
  const jobId = machineWord(id ?? null) ?? undefined;
  return { jobId, isPending: status === 'starting' || status === 'processing' };
}
