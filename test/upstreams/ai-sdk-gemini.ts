/** A fake of the Gemini API with an image model, for the contract. */
import { aiSdkKind } from '../../server/upstreams/ai-sdk/adapter.ts';
import { json } from './ai-sdk-answers.ts';
import type { ContractSubject, FakeAnswer, FakeProtocol } from './contract-subject.ts';

const usageMetadata = {
  promptTokenCount: 270,
  candidatesTokenCount: 1290,
  totalTokenCount: 1560,
  promptTokensDetails: [
    { modality: 'TEXT', tokenCount: 12 },
    { modality: 'IMAGE', tokenCount: 258 },
  ],
};

const fake: FakeProtocol = {
  basePath: '/v1beta',
  isMain: ({ method, path }) => method === 'POST' && path.endsWith(':generateContent'),
  answerOther: ({ path }) =>
    path.startsWith('/v1beta/models?')
      ? modelList(['gemini-2.5-flash-image'])
      : failed(404, 'NOT_FOUND'),
  picture: (picture) => answered({ inlineData: inline(picture) }),
  streamed: null,
  // The picture always stands in the answer.
  pictureAt: null,
  refusal: json(200, {
    candidates: [
      {
        finishReason: 'IMAGE_SAFETY',
        finishMessage: 'Unable to show the generated image.',
        index: 0,
      },
    ],
    usageMetadata,
  }),
  // Google says so with status 400.
  unauthorized: failed(400, 'INVALID_ARGUMENT', [
    {
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason: 'API_KEY_INVALID',
      domain: 'googleapis.com',
    },
  ]),
  outOfQuota: failed(400, 'FAILED_PRECONDITION'),
  tooMany: (retryAfterSeconds) =>
    failed(429, 'RESOURCE_EXHAUSTED', [
      { '@type': 'type.googleapis.com/google.rpc.QuotaFailure', violations: [] },
      {
        '@type': 'type.googleapis.com/google.rpc.RetryInfo',
        retryDelay: `${retryAfterSeconds}s`,
      },
    ]),
  unavailable: failed(503, 'UNAVAILABLE'),
  errorInside: failed(503, 'UNAVAILABLE', [], 200),
  empty: json(200, { candidates: [], usageMetadata }),
  text: answered({ text: 'A fox lies in the deep white snow.' }),
  modelList,
  isCancel: null,
  faults: { errorInside: 'unavailable', empty: 'protocol' },
};

export const geminiSubject: ContractSubject = {
  kind: aiSdkKind,
  settings: { provider: 'google' },
  credential: 'AIzaFake-2c7e9d41b6f05a83',
  upstreamModel: 'gemini-2.5-flash-image',
  fake,
};

function answered(part: unknown): FakeAnswer {
  return json(200, {
    candidates: [{ content: { parts: [part], role: 'model' }, finishReason: 'STOP', index: 0 }],
    usageMetadata,
    modelVersion: 'gemini-2.5-flash-image',
    responseId: 'pXkgaZ-fGrKV1MkP7tqE4Ak',
  });
}

function inline(picture: Buffer): { mimeType: string; data: string } {
  return { mimeType: 'image/png', data: picture.toString('base64') };
}

function failed(
  code: number,
  status: string,
  details: readonly unknown[] = [],
  httpStatus = code,
): FakeAnswer {
  const message = 'What the service says of this in its own words.';
  return json(httpStatus, { error: { code, message, status, details } });
}

function modelList(upstreamModels: readonly string[]): FakeAnswer {
  const methods = ['generateContent', 'countTokens'];
  return json(200, {
    models: [
      { name: 'models/gemini-2.5-pro', supportedGenerationMethods: methods },
      ...upstreamModels.map((name) => ({
        name: `models/${name}`,
        displayName: 'Nano Banana',
        supportedGenerationMethods: methods,
      })),
      { name: 'models/imagen-4.0-generate-001', supportedGenerationMethods: ['predict'] },
    ],
  });
}
