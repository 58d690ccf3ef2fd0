/** Luma's Photon. Its reference images must be public addresses, so it makes no edits here. */
import { z } from 'zod';
import { UpstreamError } from '../../upstream.ts';
import { machineWord } from '../../wire/machine-word.ts';
import { modelRow } from '../models.ts';
import { aspectOf } from '../shapes.ts';
import { type AnswerNews, placeholderKey, pollingLimits, type Vendor } from '../vendor.ts';
import { withDetailCode } from './error-detail.ts';

/**
 * The same words in the answer to a prompt and in the reason of a failure; there is no code.
 * https://docs.lumalabs.ai/docs/errors, under "Moderation".
 */
const refusalWords = /\bmoderation failed\b|\bcontains blacklisted words\b/i;

export const luma: Vendor = {
  title: 'Luma',
  credentialForm: 'API key',
  home: () => 'https://api.lumalabs.ai',
  optionsKey: 'luma',
  load: async () => {
    const { createLuma } = await import('@ai-sdk/luma');
    return ({ model, baseURL, fetch }) =>
      createLuma({ apiKey: placeholderKey, baseURL, fetch }).image(model);
  },
  authorize: (_request, { credential }) => ({ authorization: `Bearer ${credential}` }),
  models: [
    modelRow({
      pattern: /^photon-/,
      shape: aspectOf('1:1', '4:3', '3:4', '16:9', '9:16', '21:9', '9:21'),
      formats: ['jpeg'],
    }),
  ],
  patience: {
    pollIntervalMillis: pollingLimits.intervalMs,
    maxPollAttempts: pollingLimits.pollsMax,
  },
  readAnswer,
  readError: withDetailCode,
  refusalWords,
  async listModels(service) {
    await service.askJson('/dream-machine/v1/credits');
    return [
      { upstreamModel: 'photon-1', description: 'Photon' },
      { upstreamModel: 'photon-flash-1', description: 'Photon Flash' },
    ];
  },
};

const answerSchema = z.object({
  id: z.string().nullish().catch(null),
  state: z.string(),
  failure_reason: z.string().nullish().catch(null),
});

function readAnswer(said: unknown): AnswerNews {
  const parsed = answerSchema.safeParse(said);
  if (!parsed.success) return {};
  const { id, state, failure_reason: reason } = parsed.data;
  if (state === 'failed') {
    throw refusalWords.test(reason ?? '')
      ? new UpstreamError('refused', 'the content was declined')
      : new UpstreamError('unavailable', 'the service gave the job up');
  }
  const jobId = machineWord(id ?? null) ?? undefined;
  return { jobId, isPending: state === 'queued' || state === 'dreaming' };
}
