/** Fakes of services that speak the OpenAI Images API, for the contract: OpenAI and three unlike it. */
import { createHash } from 'node:crypto';
import { openaiImagesKind } from '../../server/upstreams/openai-images/adapter.ts';
import type { ContractSubject, FakeAnswer, FakeProtocol, SeenRequest } from './contract-subject.ts';

/** JSON and event streams with the picture as base64, edits as forms. */
export function openaiSubject(): ContractSubject {
  return {
    kind: openaiImagesKind,
    settings: { dialect: 'openai' },
    credential: 'sk-fake-0d2b7c41f6a94e18',
    upstreamModel: 'gpt-image-2.5-sunburst',
    fake: {
      ...fakeAt('/v1', ['/images/generations', '/images/edits']),
      pictureAt: (url) => json(200, { created: 1, data: [{ url }] }),
    },
  };
}

/** The deployment in the path, the credential in `api-key`, errors with inner errors. */
export function azureDeploymentSubject(): ContractSubject {
  const deployment = 'pictures-eu';
  const below = `/openai/deployments/${deployment}/images`;
  return {
    kind: openaiImagesKind,
    settings: { dialect: 'azure-deployment', modelNames: { [deployment]: 'gpt-image-1.5' } },
    credential: 'fake-azure-7c1e44b09a',
    upstreamModel: deployment,
    fake: {
      ...fakeAt('', [`${below}/generations`, `${below}/edits`]),
      pictureAt: (url) => json(200, { created: 1, data: [{ url }] }),
      refusal: json(400, {
        error: {
          code: 'content_policy_violation',
          message: 'Your request was rejected as a result of our safety system.',
          type: 'invalid_request_error',
          inner_error: { code: 'ResponsibleAIPolicyViolation', content_filter_results: {} },
        },
      }),
      // An account that is blocked, which says nothing of the prompt.
      unauthorized: json(403, {
        error: { code: '403', message: 'Your resource is blocked by our content policy.' },
      }),
      outOfQuota: null,
      tooMany: (seconds) => json(429, { error: { code: '429' } }, { 'retry-after': `${seconds}` }),
      // Its list is of base models, not of deployments.
      modelList: null,
    },
  };
}

/** Edits as JSON, no masks, no streams, and a picture that was held back with status 200. */
export function xaiSubject(): ContractSubject {
  return {
    kind: openaiImagesKind,
    settings: { dialect: 'xai' },
    credential: 'xai-fake-51b0e7d28c',
    upstreamModel: 'grok-imagine-image',
    fake: {
      ...fakeAt('/v1', ['/images/generations', '/images/edits'], '/image-generation-models'),
      picture: (picture) =>
        json(200, { data: [{ b64_json: base64(picture), respect_moderation: true }] }),
      streamed: null,
      pictureAt: (url) => json(200, { data: [{ url, revised_prompt: '' }] }),
      refusal: json(200, { data: [{ url: '', respect_moderation: false }] }),
      errorInside: null,
      modelList: (names) => json(200, { models: names.map((id) => ({ id, object: 'model' })) }),
    },
  };
}

/** Every picture by an address of its own, masks on a path of their own. */
export function localaiSubject(): ContractSubject {
  const pictures = new Map<string, Buffer>();
  const paths = ['/images/generations', '/images/inpainting'];
  const plain = fakeAt('/v1', paths);
  const pictureAt = (url: string) => json(200, { id: '0', created: 1, data: [{ url }] });
  return {
    kind: openaiImagesKind,
    settings: { dialect: 'localai' },
    credential: null,
    upstreamModel: 'flux.1-kontext-dev',
    fake: {
      ...plain,
      answerOther: (request, origin) => {
        const picture = pictures.get(request.path);
        if (!picture) return plain.answerOther(request, origin);
        return { status: 200, headers: { 'content-type': 'image/png' }, body: [picture] };
      },
      picture: (picture, { headers }) => {
        const digest = createHash('sha256').update(picture).digest('hex');
        const path = `/generated-images/b64${digest.slice(0, 16)}.png`;
        pictures.set(path, picture);
        return pictureAt(`http://${headers['host']}${path}`);
      },
      streamed: null,
      pictureAt,
      reads: ['png', 'jpeg'],
      refusal: null,
      outOfQuota: null,
      errorInside: json(200, { error: { code: 500, message: 'rpc error', type: '' } }),
      unavailable: json(500, { error: { code: 500, message: 'rpc error', type: '' } }),
      faults: { errorInside: 'unavailable' },
    },
  };
}

function fakeAt(
  basePath: string,
  mainPaths: readonly string[],
  modelPath = '/models',
): FakeProtocol {
  return {
    basePath,
    isMain: ({ method, path }) =>
      method === 'POST' && mainPaths.includes(path.replace(basePath, '').replace(/\?.*/, '')),
    answerOther: ({ path }) =>
      path.startsWith(basePath + modelPath)
        ? modelList(['gpt-image-2.5-sunburst'])
        : failed(404, { code: 'unknown_url' }),
    picture: (picture, request) =>
      json(200, {
        created: 1748372400,
        background: 'opaque',
        output_format: 'png',
        quality: 'medium',
        size: '1024x1024',
        data: [{ b64_json: base64(picture) }],
        usage: usageOf(request),
      }),
    streamed,
    pictureAt: null,
    refusal: failed(400, {
      type: 'image_generation_user_error',
      code: 'moderation_blocked',
    }),
    unauthorized: failed(401, { code: 'invalid_api_key' }),
    outOfQuota: failed(429, { type: 'insufficient_quota', code: 'insufficient_quota' }),
    tooMany: (seconds) =>
      failed(
        429,
        { type: 'input-images', code: 'rate_limit_exceeded' },
        { 'retry-after': `${seconds}` },
      ),
    unavailable: failed(500, { type: 'server_error', code: null }),
    errorInside: json(200, {
      error: { type: 'server_error', code: 'server_error', message: 'gone', param: null },
    }),
    empty: json(200, { created: 1748372400, data: [] }),
    text: json(200, {
      created: 1748372400,
      data: [{ b64_json: 'I am sorry, but I cannot draw that for you.' }],
    }),
    modelList,
    isCancel: null,
  };
}

function streamed(partials: readonly Buffer[], picture: Buffer): FakeAnswer {
  const details = {
    created_at: 1748372400,
    size: '1024x1024',
    quality: 'medium',
    background: 'opaque',
    output_format: 'png',
  };
  const events = [
    ...partials.map((partial, index) => ({
      type: 'image_generation.partial_image',
      ...details,
      b64_json: base64(partial),
      partial_image_index: index,
    })),
    {
      type: 'image_generation.completed',
      ...details,
      b64_json: base64(picture),
      usage: { total_tokens: 9, input_tokens: 3, output_tokens: 6 },
    },
  ];
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'x-request-id': 'req_fake_1' },
    body: events.map((event) =>
      Buffer.from(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`),
    ),
  };
}

function usageOf({ path }: SeenRequest) {
  const image = path.includes('/edits') ? 323 : 0;
  return {
    total_tokens: 1072 + image,
    input_tokens: 16 + image,
    output_tokens: 1056,
    input_tokens_details: { text_tokens: 16, image_tokens: image },
  };
}

function modelList(names: readonly string[]): FakeAnswer {
  const data = names.map((id) => ({ id, object: 'model', created: 1, owned_by: 'system' }));
  return json(200, { object: 'list', data });
}

function failed(
  status: number,
  error: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = {},
): FakeAnswer {
  const message = 'Something about the account of the operator went amiss.';
  return json(
    status,
    { error: { message, type: 'invalid_request_error', param: null, ...error } },
    headers,
  );
}

function json(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): FakeAnswer {
  return {
    status,
    headers: { 'content-type': 'application/json', 'x-request-id': 'req_fake_1', ...headers },
    body: [Buffer.from(JSON.stringify(value))],
  };
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64');
}
