/** Black Forest Labs, the makers of FLUX: a job is submitted, then asked after. */
import { z } from 'zod';
import { type ImageJob, UpstreamError } from '../../upstream.ts';
import type { FailedAnswer } from '../../wire/faults.ts';
import { machineWord } from '../../wire/machine-word.ts';
import { formatFor, modelRow, type SdkOptions } from '../models.ts';
import { aspectOf, ownShape, sidesWithin } from '../shapes.ts';
import { type AnswerNews, placeholderKey, pollingLimits, type Vendor } from '../vendor.ts';
import { withDetailCode } from './error-detail.ts';

const formats = ['png', 'jpeg'] as const;
const options = (job: ImageJob): SdkOptions => ({ outputFormat: formatFor(job, { formats }) });
/** Of a job that goes on, as `Pending` is. */
const newerPending: readonly string[] = ['Reasoning', 'Generating'];
const fluxAspect = aspectOf('1:1', '3:2', '2:3', '4:3', '3:4', '16:9', '9:16', '21:9', '9:21');

export const blackForestLabs: Vendor = {
  title: 'Black Forest Labs',
  credentialForm: 'API key',
  home: () => 'https://api.bfl.ai/v1',
  // A job is asked after at the cluster that it was given to, also where the operator named one of
  // the vendor's own addresses, as for Europe alone. The pictures lie elsewhere.
  moreOrigins: (_settings, baseUrl) => (baseUrl === null || isOwn(baseUrl) ? clusterOrigins : []),
  optionsKey: 'blackForestLabs',
  load: async () => {
    const { createBlackForestLabs } = await import('@ai-sdk/black-forest-labs');
    return ({ model, baseURL, fetch }) =>
      createBlackForestLabs({ apiKey: placeholderKey, baseURL, fetch }).image(model);
  },
  authorize: (_request, { credential }) => ({ 'x-key': credential }),
  models: [
    // The SDK's guide: "white areas indicate regions to be filled".
    modelRow({
      pattern: /^flux-pro-1\.0-fill/,
      generation: false,
      referenceImagesMax: 1,
      mask: 'white',
      shape: ownShape,
      formats,
      options,
    }),
    modelRow({
      pattern: /^flux-kontext/,
      referenceImagesMax: 4,
      shape: fluxAspect,
      formats,
      options,
    }),
    // It refuses every field that it does not know, and takes reference images in one of its own.
    modelRow({
      pattern: /^flux-3-image/,
      shape: aspectOf(
        '21:9',
        '2:1',
        '16:9',
        '3:2',
        '7:5',
        '4:3',
        '5:4',
        '1:1',
        '4:5',
        '3:4',
        '5:7',
        '2:3',
        '9:16',
        '1:2',
        '9:21',
      ),
      formats: ['jpeg'],
    }),
    modelRow({
      pattern: /^flux-2/,
      referenceImagesMax: 8,
      // More than the SDK's 1920 is refused by it, although the models make 2048.
      shape: sidesWithin({ sideMax: 1920, step: 16 }),
      formats,
      options,
    }),
    modelRow({ pattern: /ultra/, shape: fluxAspect, formats, options }),
    modelRow({
      pattern: /^flux-/,
      shape: sidesWithin({ sideMax: 1440, step: 32 }),
      formats,
      options,
    }),
  ],
  patience: {
    pollIntervalMillis: pollingLimits.intervalMs,
    pollTimeoutMillis: pollingLimits.intervalMs * pollingLimits.pollsMax,
  },
  readAnswer,
  rephrase,
  readError: withJobStatus,
  rules: {
    codes: {
      request_moderated: 'refused',
      content_moderated: 'refused',
      error: 'unavailable',
      failed: 'unavailable',
      task_not_found: 'unavailable',
    },
  },
  async listModels(service) {
    await service.askJson('/credits');
    return knownModels;
  },
};

const clusterOrigins = ['eu', 'us'].flatMap((region) =>
  ['', '1', '2', '3', '4'].map((cluster) => `https://api.${region}${cluster}.bfl.ai`),
);

function isOwn(baseUrl: string): boolean {
  return ['https://api.bfl.ai', ...clusterOrigins].includes(new URL(baseUrl).origin);
}

const knownModels = [
  { upstreamModel: 'flux-3-image', description: 'FLUX 3' },
  { upstreamModel: 'flux-2-pro', description: 'FLUX.2 pro' },
  { upstreamModel: 'flux-2-flex', description: 'FLUX.2 flex' },
  { upstreamModel: 'flux-kontext-pro', description: 'FLUX.1 Kontext pro' },
  { upstreamModel: 'flux-kontext-max', description: 'FLUX.1 Kontext max' },
  { upstreamModel: 'flux-pro-1.1', description: 'FLUX 1.1 pro' },
  { upstreamModel: 'flux-pro-1.1-ultra', description: 'FLUX 1.1 pro ultra' },
  { upstreamModel: 'flux-pro-1.0-fill', description: 'FLUX.1 Fill pro: edits by a mask' },
] as const;

const answerSchema = z.object({
  id: z.string().nullish().catch(null),
  polling_url: z.string().nullish().catch(null),
  status: z.string().nullish().catch(null),
  state: z.string().nullish().catch(null),
});

function statusOf(said: unknown): string | null {
  const parsed = answerSchema.safeParse(said).data;
  return parsed?.status ?? parsed?.state ?? null;
}

/** The name of a status as a code. */
function codeOf(status: string): string {
  return status.replaceAll(' ', '_').toLowerCase();
}

/** The SDK polls a moderated request to its time limit, or cannot read that it is one. */
function readAnswer(said: unknown): AnswerNews {
  const parsed = answerSchema.safeParse(said);
  if (!parsed.success) return {};
  const status = statusOf(said);
  switch (status) {
    case 'Request Moderated':
    case 'Content Moderated':
      throw new UpstreamError('refused', 'the content was declined', {
        upstreamCode: codeOf(status),
      });
    case 'Error':
    case 'Failed':
    case 'Task not found':
      throw new UpstreamError('unavailable', 'the service gave the job up');
    default: {
      const isSubmitted = status === null && (parsed.data.polling_url ?? null) !== null;
      const jobId = machineWord(parsed.data.id ?? null) ?? undefined;
      const isPending = ['Pending', ...newerPending].includes(status ?? '');
      return { jobId, isPending: isSubmitted || isPending };
    }
  }
}

/** The SDK knows one word for a job that goes on, and gives up at the others. */
function rephrase(said: unknown): unknown {
  return newerPending.includes(statusOf(said) ?? '') ? { status: 'Pending' } : said;
}

/** What became of a job may come with the status of an error. */
function withJobStatus(answer: FailedAnswer): FailedAnswer {
  const status = statusOf(answer.said);
  if (status === null) return withDetailCode(answer);
  return { ...answer, said: { error: { code: codeOf(status) } } };
}
