/** Amazon Bedrock, with Amazon's own image models. */
import { z } from 'zod';
import { type ImageJob, UpstreamError } from '../../upstream.ts';
import type { FailedAnswer } from '../../wire/faults.ts';
import { wellFormedEntries } from '../../wire/well-formed-entries.ts';
import { type AwsAccess, signAws } from '../aws-signature.ts';
import { modelRow, type SdkOptions } from '../models.ts';
import type { AiSdkSettings } from '../settings.ts';
import { exactSize, oneSizeEach } from '../shapes.ts';
import { type AnswerNews, notAList, placeholderKey, type Vendor } from '../vendor.ts';

const regionDefault = 'us-east-1';

/** Other makers' models on Bedrock want requests of other forms, which the SDK does not write. */
const amazonModel = /^(?:[a-z]{2,6}\.)?amazon\.(?:nova-canvas|titan-image-generator)/;

/** Their seeds are 42 and 12 unless one is sent. */
const common = {
  referenceImagesMax: 5,
  reads: ['png', 'jpeg'],
  qualities: ['auto', 'low', 'medium', 'high'],
  options: qualityOf,
} as const;

export const amazonBedrock: Vendor = {
  title: 'Amazon Bedrock',
  credentialForm: 'API key, or access key ID:secret access key[:session token]',
  home: (settings) => `https://${hostOf('bedrock-runtime', settings)}`,
  moreOrigins: (settings, baseUrl) => [controlOf(baseUrl ?? amazonBedrock.home(settings))],
  optionsKey: 'amazonBedrock',
  load: async () => {
    const { createAmazonBedrock } = await import('@ai-sdk/amazon-bedrock');
    return ({ model, baseURL, fetch }) =>
      createAmazonBedrock({
        apiKey: placeholderKey,
        region: regionDefault,
        baseURL,
        fetch,
      }).image(model);
  },
  authorize(request, { credential, settings, clock }) {
    const access = readAccess(credential);
    if (access === null) return { authorization: `Bearer ${credential}` };
    const region = settings.region ?? regionDefault;
    return signAws(request, access, { region, service: 'bedrock', nowMs: clock.now() });
  },
  models: [
    // No masks: of an inpainting, Amazon's guide says that black is changed and the SDK's that
    // white is. An inverted edit is worse than none, so first somebody has to try it with a key.
    // https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-titan-image.html
    modelRow({
      pattern: /amazon\.titan-image-generator/,
      ...common,
      seedMax: 2_147_483_646,
      shape: oneSizeEach({ '1:1': '1024x1024', '3:2': '1152x768', '2:3': '768x1152' }),
    }),
    // https://docs.aws.amazon.com/nova/latest/userguide/image-gen-req-resp-structure.html
    modelRow({ pattern: amazonModel, ...common, shape: exactSize, seedMax: 858_993_459 }),
  ],
  readAnswer,
  readError: withErrorType,
  rules: {
    codes: {
      AccessDeniedException: 'auth',
      UnrecognizedClientException: 'auth',
      InvalidSignatureException: 'auth',
      ExpiredTokenException: 'auth',
      ServiceQuotaExceededException: 'quota',
      ThrottlingException: 'busy',
      ModelNotReadyException: 'busy',
      ModelTimeoutException: 'timeout',
      ModelErrorException: 'unavailable',
      ResourceNotFoundException: 'unsupported',
    },
    sentences: [
      // Of an account that Amazon, or its own organization, lets use no model at all.
      [/^operation not allowed\b/i, 'auth'],
      // Of a model that is not in this region, or that the account was not given.
      [/\baccess to the model\b/i, 'unsupported'],
      [/\bmodel identifier is invalid\b|\bmodel ID\b.*\bisn.t supported\b/i, 'unsupported'],
    ],
  },
  refusalWords: /\bblocked by our content filters\b/i,
  async listModels(service) {
    const base = controlOf(service.baseUrl);
    const list = modelList.safeParse(
      await service.askJson(`${base}/foundation-models?byOutputModality=IMAGE`),
    );
    if (!list.success) throw notAList();
    return list.data.modelSummaries
      .filter(({ modelId }) => amazonModel.test(modelId))
      .map(({ modelId, modelName }) => ({
        upstreamModel: modelId,
        description: modelName ?? null,
      }));
  },
};

function hostOf(service: string, { region }: AiSdkSettings): string {
  const place = region ?? regionDefault;
  return `${service}.${place}.amazonaws.com${place.startsWith('cn-') ? '.cn' : ''}`;
}

/** Models are listed by another host of Amazon's than they are called at. */
function controlOf(baseUrl: string): string {
  return baseUrl.replace(runtimeHost, 'https://bedrock.');
}

const runtimeHost = /^https:\/\/bedrock-runtime\.(?=[a-z0-9-]+\.amazonaws\.com(?:\.cn)?(?:\/|$))/;

const accessForm = /^([A-Z0-9]{16,128}):([^:\s]{16,128})(?::(\S+))?$/;

/** Null when the credential is an API key, which has no colon. */
function readAccess(credential: string): AwsAccess | null {
  const [, accessKeyId, secretAccessKey, sessionToken] = accessForm.exec(credential) ?? [];
  if (accessKeyId === undefined || secretAccessKey === undefined) return null;
  return { accessKeyId, secretAccessKey, sessionToken: sessionToken ?? null };
}

function qualityOf({ quality }: ImageJob): SdkOptions {
  if (quality === 'auto') return {};
  return { quality: quality === 'low' || quality === 'medium' ? 'standard' : 'premium' };
}

const answerSchema = z.object({
  status: z.string().nullish().catch(null),
  images: z.array(z.unknown()).nullish().catch(null),
  error: z.string().nullish().catch(null),
});

/** The SDK tells a moderated request by words only, and overlooks `error`. */
function readAnswer(said: unknown): AnswerNews {
  const parsed = answerSchema.safeParse(said);
  if (!parsed.success) return {};
  const { status, images, error } = parsed.data;
  const hasImage = (images ?? []).length > 0;
  if (status === 'Request Moderated' || (!hasImage && refusedImage.test(error ?? ''))) {
    throw new UpstreamError('refused', 'the content was declined');
  }
  return {};
}

/** What Nova says in place of a picture that its filter took out; there is no code. */
const refusedImage = /\b(?:content filters|responsible ai policy)\b/i;

/** The code stands in a header, sometimes with an address behind it. */
function withErrorType(answer: FailedAnswer): FailedAnswer {
  const code = answer.headers['x-amzn-errortype']?.split(':')[0];
  if (code === undefined) return answer;
  const parsed = z.object({ message: z.string() }).safeParse(answer.said);
  return { ...answer, said: { error: { code, message: parsed.data?.message } } };
}

const namedModel = z.object({
  modelId: z.string(),
  modelName: z.string().nullish().catch(null),
});
const modelList = z.object({ modelSummaries: wellFormedEntries(namedModel) });
