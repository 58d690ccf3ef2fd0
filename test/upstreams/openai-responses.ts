/** A fake of OpenAI's Responses API with its image tool, for the contract. */
import { openaiResponsesKind } from '../../server/upstreams/openai-responses/adapter.ts';
import type { ContractSubject, FakeAnswer, FakeProtocol } from './contract-subject.ts';

const responseId = 'resp_68c979db26ac819e8b5a444fad3f0d7f';
const callId = 'ig_68c979f589c0819e9f0fc2d1a27aa1b8';

const imageCall = { id: callId, type: 'image_generation_call', action: 'generate' };

const words = {
  id: 'msg_68c97a0b36f4819ea5906451007f95e2',
  type: 'message',
  status: 'completed',
  role: 'assistant',
  content: [{ type: 'output_text', annotations: [], text: 'A fox lies in the deep white snow.' }],
};

const fake: FakeProtocol = {
  basePath: '/v1',
  isMain: ({ method, path }) => method === 'POST' && path === '/v1/responses',
  answerOther: ({ path }) =>
    path === '/v1/models'
      ? modelList(['gpt-image-2.5-sunburst'])
      : failed(404, { type: 'invalid_request_error', code: 'unknown_url' }),
  picture: (picture) => streamed([], picture),
  streamed,
  // The picture always stands in the stream.
  pictureAt: null,
  refusal: stream(
    ...begun(),
    done({
      ...imageCall,
      status: 'failed',
      result: null,
      error: { type: 'image_generation_user_error', code: 'moderation_blocked', param: null },
    }),
    ended('failed', { error: { code: 'image_content_policy_violation' } }),
  ),
  unauthorized: failed(401, { type: 'invalid_request_error', code: 'invalid_api_key' }),
  outOfQuota: failed(429, { type: 'insufficient_quota', code: 'insufficient_quota' }),
  tooMany: (retryAfterSeconds) =>
    failed(
      429,
      { type: 'input-images', code: 'rate_limit_exceeded' },
      { 'retry-after': String(retryAfterSeconds) },
    ),
  unavailable: failed(503, { type: 'server_error', code: null }),
  errorInside: stream(
    ...begun(),
    { type: 'error', error: { type: 'server_error', code: 'server_error', param: null } },
    ended('failed', { error: { code: 'server_error' } }),
  ),
  empty: stream(...begun(), ended('completed', { output: [] })),
  text: stream(...begun(), done(words), ended('completed', { output: [words] })),
  modelList,
  isCancel: null,
  faults: { errorInside: 'unavailable', empty: 'protocol' },
};

export const openaiResponsesSubject: ContractSubject = {
  kind: openaiResponsesKind,
  // The suite's own names need not look like those of image models.
  settings: { modelList: 'all' },
  credential: 'sk-fake-7d1f0b52c9a84e63',
  upstreamModel: 'gpt-image-2.5-sunburst',
  fake,
};

type Event = Readonly<{ type: string } & Record<string, unknown>>;

function streamed(partials: readonly Buffer[], picture: Buffer): FakeAnswer {
  const made = {
    ...imageCall,
    status: 'completed',
    background: 'opaque',
    output_format: 'png',
    quality: 'low',
    result: picture.toString('base64'),
    revised_prompt: 'A quiet scene, drawn anew',
    size: '1024x1024',
  };
  const shown = partials.map((partial, index) => ({
    type: 'response.image_generation_call.partial_image',
    output_index: 0,
    item_id: callId,
    partial_image_index: index,
    partial_image_b64: partial.toString('base64'),
    output_format: 'png',
  }));
  const drawn = {
    type: 'response.image_generation_call.completed',
    output_index: 0,
    item_id: callId,
  };
  const [first, ...others] = [...shown, drawn, done(made), ended('completed', { output: [made] })];
  return stream(first, ...others);
}

function begun(): Event[] {
  return [
    { type: 'response.created', response: response('in_progress') },
    { type: 'response.in_progress', response: response('in_progress') },
    {
      type: 'response.output_item.added',
      output_index: 0,
      item: { ...imageCall, status: 'in_progress' },
    },
    { type: 'response.image_generation_call.generating', output_index: 0, item_id: callId },
  ];
}

function done(item: Readonly<Record<string, unknown>>): Event {
  return { type: 'response.output_item.done', output_index: 0, item };
}

function ended(status: string, parts: Readonly<Record<string, unknown>>): Event {
  return { type: `response.${status}`, response: response(status, parts) };
}

function response(status: string, parts: Readonly<Record<string, unknown>> = {}) {
  return { id: responseId, object: 'response', status, error: null, output: [], ...parts };
}

/** One piece for each event. */
function stream(...events: readonly Event[]): FakeAnswer {
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'x-request-id': 'req_fake_1' },
    body: events.map((event, sequence) => {
      const data = JSON.stringify({ ...event, sequence_number: sequence });
      return Buffer.from(`event: ${event.type}\ndata: ${data}\n\n`);
    }),
  };
}

function modelList(upstreamModels: readonly string[]): FakeAnswer {
  const data = upstreamModels.map((id) => ({
    id,
    object: 'model',
    created: 1,
    owned_by: 'system',
  }));
  return json(200, { object: 'list', data });
}

function failed(
  status: number,
  error: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = {},
): FakeAnswer {
  const message = 'Something about the account of the operator went amiss.';
  return json(status, { error: { message, param: null, ...error } }, headers);
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
