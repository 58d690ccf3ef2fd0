/** An engine with AUTOMATIC1111's API that does as a test says, and the adapter in front of it. */
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import type { Clock } from '../../server/lib/clock.ts';
import { openGuardedHttp } from '../../server/lib/outgoing/guarded-http.ts';
import { a1111Kind } from '../../server/upstreams/a1111/adapter.ts';
import {
  type Adapter,
  type ImageJob,
  UpstreamError,
  type UpstreamEvent,
} from '../../server/upstreams/upstream.ts';
import { makePicture } from '../support/pictures.ts';
import {
  a1111Subject,
  type FakeProgress,
  type FakeState,
  json,
  progressOfTask,
  stateOfEngine,
} from './a1111.ts';
import { patienceMsDefault } from './contract-bench.ts';
import type { FakeAnswer, SeenRequest } from './contract-subject.ts';
import { type Delivery, whole } from './deliveries.ts';
import { FakeService } from './fake-service.ts';
import { generationJob } from './jobs.ts';

/** One look at a task's progress, as the engine was asked for it. */
export interface Look {
  taskId: string;
  previewId: number;
  wantsPreview: boolean;
  /** From 1. */
  number: number;
}

export interface EngineScript {
  settings?: Record<string, unknown>;
  credential?: string | null;
  /** How the picture's answer goes out. */
  deliver?: Delivery;
  /** Answers the job in place of a picture. */
  answer?: FakeAnswer;
  /** Tells of a task; null answers with status 500. Without it no task is known. */
  progress?: (look: Look) => FakeProgress | null;
  /** What the engine did last; null answers with status 500. */
  state?: FakeState | null;
  /** Answers a request for the model list. */
  models?: FakeAnswer;
}

export async function startEngine(script: EngineScript = {}): Promise<TestEngine> {
  const looks: Look[] = [];
  const picture = await makePicture('png');
  const fake = await FakeService.start({
    protocol: a1111Subject.fake,
    main: (request) => ({
      answer: script.answer ?? a1111Subject.fake.picture(picture, request),
      deliver: script.deliver ?? whole,
    }),
    other: (request) => {
      const answer = otherAnswer(request, script, looks);
      return answer && { answer, deliver: whole };
    },
  });
  const { credential = null, settings = {} } = script;
  const config = { name: 'engine', baseUrl: fake.origin, settings };
  const adapter = a1111Kind.create(config, ({ origins }) =>
    openGuardedHttp({ origins, proxy: null, firstByteMs: 60_000, idleMs: 60_000 }),
  );
  const engine = new TestEngine({ adapter, fake, looks, credential, picture });
  onTestFinished(async () => {
    await fake.stop();
    await adapter.close();
  });
  return engine;
}

const jobBody = z.record(z.string(), z.unknown());

const lookBody = z.object({
  id_task: z.string(),
  id_live_preview: z.int(),
  live_preview: z.boolean(),
});

function otherAnswer(
  request: SeenRequest,
  { progress, state, models }: EngineScript,
  looks: Look[],
): FakeAnswer | null {
  if (request.path === '/internal/progress') {
    const asked = lookBody.parse(JSON.parse(request.body.toString()));
    const look: Look = {
      taskId: asked.id_task,
      previewId: asked.id_live_preview,
      wantsPreview: asked.live_preview,
      number: looks.length + 1,
    };
    looks.push(look);
    const told = progress ? progress(look) : {};
    return told === null ? json(500, {}) : json(200, progressOfTask(told));
  }
  if (request.path.startsWith('/sdapi/v1/progress') && state !== undefined) {
    return state === null ? json(500, {}) : json(200, stateOfEngine(state));
  }
  return request.path === '/sdapi/v1/sd-models' && models ? models : null;
}

export class TestEngine {
  readonly adapter: Adapter;
  readonly fake: FakeService;
  readonly looks: readonly Look[];
  readonly clock = new PassingClock();
  readonly picture: Buffer;
  readonly #credential: string | null;

  constructor(parts: {
    adapter: Adapter;
    fake: FakeService;
    looks: readonly Look[];
    credential: string | null;
    picture: Buffer;
  }) {
    this.adapter = parts.adapter;
    this.fake = parts.fake;
    this.looks = parts.looks;
    this.picture = parts.picture;
    this.#credential = parts.credential;
  }

  get interrupts(): number {
    return this.fake.seen.filter(({ path }) => path === '/sdapi/v1/interrupt').length;
  }

  /** What the jobs that arrived say. */
  get bodies(): Record<string, unknown>[] {
    return this.fake.mainRequests.map(({ body }) => jobBody.parse(JSON.parse(body.toString())));
  }

  start(job: Partial<ImageJob> = {}, signal: AbortSignal = new AbortController().signal) {
    return this.adapter.run(generationJob(a1111Subject, job), this.context(signal));
  }

  async run(job: Partial<ImageJob> = {}, signal?: AbortSignal): Promise<EngineOutcome> {
    const events: UpstreamEvent[] = [];
    try {
      for await (const event of this.start(job, signal)) events.push(event);
    } catch (error) {
      if (error instanceof UpstreamError) return { events, error };
      throw error;
    }
    return { events, error: null };
  }

  /** A job that is stopped as soon as the engine has got it. */
  async runAndStop(job: Partial<ImageJob> = {}): Promise<EngineOutcome> {
    const stop = new AbortController();
    const earlier = this.fake.mainRequests.length;
    const running = this.run(job, stop.signal);
    await this.until(() => this.fake.mainRequests.length > earlier, 'the job arrives');
    stop.abort();
    return await running;
  }

  context(signal: AbortSignal = new AbortController().signal) {
    return { signal, clock: this.clock, credential: this.#credential };
  }

  async until(condition: () => boolean, what: string): Promise<void> {
    await this.fake.until(condition, { what, patienceMs: patienceMsDefault });
  }
}

export interface EngineOutcome {
  events: UpstreamEvent[];
  error: UpstreamError | null;
}

/** The longest time that is waited on purpose; longer ones are limits, and never run out. */
const waitMsMax = 1_000;

/** Time passes while somebody waits on purpose, and then at once. */
class PassingClock implements Clock {
  #passedMs = 0;

  now(): number {
    return this.#passedMs;
  }

  monotonic(): number {
    return this.#passedMs;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (ms <= waitMsMax) {
      this.#passedMs += ms;
      return;
    }
    await new Promise((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
  }
}

/** Sends the answer when the promise is fulfilled. */
export function heldUntil(release: Promise<unknown>): Delivery {
  return async (response, answer) => {
    await release;
    await whole(response, answer);
  };
}
