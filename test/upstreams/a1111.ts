/** A fake of AUTOMATIC1111's API, for the contract. */
import { a1111Kind } from '../../server/upstreams/a1111/adapter.ts';
import type { ContractSubject, FakeAnswer, FakeProtocol } from './contract-subject.ts';

const jobTimestamp = '20261121170412';

const fake: FakeProtocol = {
  basePath: '',
  isMain: ({ method, path }) => method === 'POST' && /^\/sdapi\/v1\/(txt|img)2img$/.test(path),
  answerOther: ({ path }) => {
    switch (path) {
      case '/internal/progress':
        return json(200, progressOfTask({ active: true }));
      case '/sdapi/v1/progress?skip_current_image=true':
        return json(200, stateOfEngine({}));
      case '/sdapi/v1/interrupt':
        return json(200, {});
      case '/sdapi/v1/sd-models':
        return modelList(['sd_xl_base_1.0']);
      default:
        return json(404, { detail: 'Not Found' });
    }
  },
  picture: (picture) => made([picture.toString('base64')]),
  // Previews come by another way: see the adapter's own tests.
  streamed: null,
  pictureAt: null,
  // Engines refuse nothing.
  refusal: null,
  unauthorized: thrown(401, 'HTTPException', 'Incorrect username or password'),
  outOfQuota: null,
  // Not the engine's own, which has a queue, but of a proxy before it.
  tooMany: (retryAfterSeconds) => ({
    ...json(429, { detail: 'Too Many Requests' }),
    headers: { 'content-type': 'application/json', 'retry-after': String(retryAfterSeconds) },
  }),
  unavailable: thrown(500, 'RuntimeError', ''),
  errorInside: json(200, { error: 'RuntimeError', detail: '', body: '', errors: 'it went wrong' }),
  empty: made([]),
  text: made(['There is no picture of this today']),
  modelList,
  isCancel: ({ path }) => path === '/sdapi/v1/interrupt',
  acceptsEarly: true,
};

export const a1111Subject: ContractSubject = {
  kind: a1111Kind,
  settings: {},
  credential: 'operator:s3cret-of-the-engine',
  upstreamModel: 'sd_xl_base_1.0',
  fake,
};

export interface FakeProgress {
  active?: boolean;
  queued?: boolean;
  completed?: boolean;
  /** A data URL, with the number it is known by. */
  preview?: { id: number; picture: Buffer };
}

/** What `/internal/progress` answers. */
export function progressOfTask(progress: FakeProgress) {
  const { active = false, queued = false, completed = false, preview } = progress;
  return {
    active,
    queued,
    completed,
    progress: active ? 0.4 : null,
    eta: null,
    live_preview: preview ? `data:image/png;base64,${preview.picture.toString('base64')}` : null,
    id_live_preview: preview?.id ?? -1,
    textinfo: active ? null : 'Waiting...',
  };
}

export interface FakeState {
  interrupted?: boolean;
  skipped?: boolean;
  timestamp?: string;
}

/** What `/sdapi/v1/progress` answers. */
export function stateOfEngine({
  interrupted = false,
  skipped = false,
  timestamp = jobTimestamp,
}: FakeState) {
  return {
    progress: 0,
    eta_relative: 0,
    state: {
      skipped,
      interrupted,
      stopping_generation: false,
      job: '',
      job_count: 0,
      job_timestamp: timestamp,
      job_no: 0,
      sampling_step: 0,
      sampling_steps: 20,
    },
    current_image: null,
    textinfo: null,
  };
}

/** What a job is answered with: its parameters and its info repeat the prompt. */
export function made(images: readonly string[]): FakeAnswer {
  const prompt = 'as it was asked for';
  return json(200, {
    images,
    parameters: { prompt, negative_prompt: '', steps: 20, width: 1024, height: 1024 },
    info: JSON.stringify({
      prompt,
      all_prompts: [prompt],
      sd_model_name: 'sd_xl_base_1.0',
      infotexts: [`${prompt}\nSteps: 20, Sampler: Euler`],
      job_timestamp: jobTimestamp,
    }),
  });
}

/** What the engine's own handler makes of something thrown in Python. */
export function thrown(status: number, error: string, detail: string): FakeAnswer {
  return json(status, { error, detail, body: '', errors: 'what Python said of it' });
}

function modelList(upstreamModels: readonly string[]): FakeAnswer {
  const entries = upstreamModels.map((model) => ({
    title: `${model}.safetensors [31e35c80fc]`,
    model_name: model,
    hash: '31e35c80fc',
    filename: `/models/${model}.safetensors`,
    config: null,
  }));
  return json(200, entries);
}

export function json(status: number, value: unknown): FakeAnswer {
  return {
    status,
    headers: { 'content-type': 'application/json' },
    body: [Buffer.from(JSON.stringify(value))],
  };
}
