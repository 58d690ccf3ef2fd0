/** What the Gemini API and Vertex AI have in common: the models, the answers and the errors. */
import { z } from 'zod';
import { UpstreamError, type UpstreamTokens } from '../../upstream.ts';
import type { ErrorRules, FailedAnswer } from '../../wire/faults.ts';
import { machineWord } from '../../wire/machine-word.ts';
import { modelRow } from '../models.ts';
import { aspectOf } from '../shapes.ts';
import type { AnswerNews } from '../vendor.ts';

const geminiAspect = aspectOf(
  ...(['1:1', '3:2', '2:3', '4:3', '3:4', '5:4', '4:5', '16:9', '9:16', '21:9'] as const),
);

/** A mask makes the SDK throw; so many reference images are what Google's guide promises. */
export const geminiModels = [
  modelRow({ pattern: /^gemini-2\.5-.*image/, referenceImagesMax: 3, shape: geminiAspect }),
  modelRow({ pattern: /^gemini-/, referenceImagesMax: 14, shape: geminiAspect }),
] as const;

/** Those without a date of their end, and one with: https://ai.google.dev/gemini-api/docs/deprecations */
export const knownGeminiModels = [
  { upstreamModel: 'gemini-3-pro-image', description: 'Nano Banana Pro' },
  { upstreamModel: 'gemini-3.1-flash-image', description: 'Nano Banana 2' },
  { upstreamModel: 'gemini-2.5-flash-image', description: 'Nano Banana' },
] as const;

/**
 * Finish reasons by which content is declined. Not among them: NO_IMAGE, OTHER, MAX_TOKENS, a STOP
 * with words only. Those are failures.
 */
const refusals: ReadonlySet<string> = new Set([
  'SAFETY',
  'RECITATION',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'IMAGE_SAFETY',
  'IMAGE_PROHIBITED_CONTENT',
  'IMAGE_RECITATION',
  // A filter of Google Cloud's that a project puts before and behind its models.
  'MODEL_ARMOR',
]);

const answerSchema = z.object({
  responseId: z.string().nullish().catch(null),
  promptFeedback: z.object({ blockReason: z.string().nullish() }).nullish().catch(null),
  candidates: z
    .array(z.object({ finishReason: z.string().nullish() }))
    .nullish()
    .catch(null),
  usageMetadata: z
    .object({
      promptTokenCount: z.number().nullish(),
      candidatesTokenCount: z.number().nullish(),
      promptTokensDetails: z
        .array(z.object({ modality: z.string(), tokenCount: z.number().nullish() }))
        .nullish(),
    })
    .nullish()
    .catch(null),
});
type Usage = z.infer<typeof answerSchema>['usageMetadata'];

export function readGeminiAnswer(said: unknown): AnswerNews {
  const parsed = answerSchema.safeParse(said);
  if (!parsed.success) return {};
  const { promptFeedback, candidates, usageMetadata, responseId } = parsed.data;
  const blocked = promptFeedback?.blockReason ?? null;
  const stopped = candidates?.[0]?.finishReason ?? null;
  const reason = blocked ?? (stopped !== null && refusals.has(stopped) ? stopped : null);
  if (reason !== null && reason !== 'BLOCK_REASON_UNSPECIFIED') throw refusalBy(reason);
  const tokens = tokensOf(usageMetadata);
  return { jobId: machineWord(responseId ?? null) ?? undefined, ...(tokens && { tokens }) };
}

function refusalBy(reason: string): UpstreamError {
  const upstreamCode = machineWord(reason);
  return new UpstreamError('refused', 'the content was declined', {
    ...(upstreamCode !== null && { upstreamCode }),
  });
}

function tokensOf(usage: Usage): UpstreamTokens | null {
  const { promptTokenCount: input, candidatesTokenCount: output } = usage ?? {};
  if (typeof input !== 'number' || typeof output !== 'number') return null;
  const inputImage = (usage?.promptTokensDetails ?? [])
    .filter(({ modality }) => modality === 'IMAGE')
    .reduce((sum, { tokenCount }) => sum + (tokenCount ?? 0), 0);
  return { input, output, inputText: input - inputImage, inputImage };
}

/** Google's codes are names: of a reason where there is one, as for a key that comes with a 400. */
export const geminiRules: ErrorRules = {
  codes: {
    API_KEY_INVALID: 'auth',
    API_KEY_SERVICE_BLOCKED: 'auth',
    UNAUTHENTICATED: 'auth',
    PERMISSION_DENIED: 'auth',
    // Said of a country or a project without billing, never of the prompt.
    FAILED_PRECONDITION: 'quota',
    BILLING_DISABLED: 'quota',
    RESOURCE_EXHAUSTED: 'busy',
    NOT_FOUND: 'unsupported',
    UNAVAILABLE: 'unavailable',
    INTERNAL: 'unavailable',
    DEADLINE_EXCEEDED: 'timeout',
  },
  sentences: [
    // Of Vertex AI: one model alone is kept from the organization, the project or the region.
    [/\bconstraints\/vertexai\.allowedModels\b/i, 'unsupported'],
    [/^publisher model \S{1,300} is not servable\b/i, 'unsupported'],
    [/^project \S{1,100} is not allowed to use publisher model\b/i, 'unsupported'],
    // With the code of too many requests, which it is not.
    [/^your prepayment credits are depleted\b/i, 'quota'],
    [/^your project has exceeded its monthly spending cap\b/i, 'quota'],
    // A project without billing, which has none of the image models, however long it waits.
    [/^you exceeded your current quota\b.*\blimit: 0\b/is, 'quota'],
  ],
};

const errorSchema = z.object({
  error: z.object({
    status: z.string().nullish(),
    message: z.string().nullish(),
    details: z
      .array(
        z.object({
          reason: z.string().nullish().catch(null),
          retryDelay: z.string().nullish().catch(null),
        }),
      )
      .nullish()
      .catch(null),
  }),
});

export function readGoogleError(answer: FailedAnswer): FailedAnswer {
  const parsed = errorSchema.safeParse(answer.said);
  if (!parsed.success) return answer;
  const { status, message, details } = parsed.data.error;
  const reasons = (details ?? []).flatMap(({ reason }) => reason ?? []);
  const code =
    reasons.find((reason) => Object.hasOwn(geminiRules.codes ?? {}, reason)) ??
    status ??
    reasons[0];
  const wait = (details ?? []).map(({ retryDelay }) => secondsOf(retryDelay)).find(Boolean);
  return {
    status: answer.status,
    headers: { ...(wait && { 'retry-after': wait }), ...answer.headers },
    said: { error: { code, message } },
  };
}

/** `37s` and `1.5s`. */
function secondsOf(delay: string | null | undefined): string | undefined {
  return /^(\d{1,6}(?:\.\d{1,9})?)s$/.exec(delay ?? '')?.[1];
}
