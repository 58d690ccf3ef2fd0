/** An adapter for ComfyUI and the engine that it speaks to, for tests of their own. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../server/lib/clock.ts';
import { openGuardedHttp } from '../../server/lib/outgoing/guarded-http.ts';
import { comfyuiKind } from '../../server/upstreams/comfyui/adapter.ts';
import { comfyuiPresets } from '../../server/upstreams/comfyui/presets.ts';
import {
  type Adapter,
  type ImageJob,
  UpstreamError,
  type UpstreamEvent,
} from '../../server/upstreams/upstream.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { ComfyuiEngine, type EngineOptions } from './comfyui-engine.ts';
import { type FakeBehaviour, FakeService } from './fake-service.ts';

const limits = { firstByteMs: 60_000, idleMs: 60_000 };
const patienceMs = 20_000;

export interface ComfyuiBench {
  engine: ComfyuiEngine;
  fake: FakeService;
  adapter: Adapter;
  /** Closes the adapter: by then all that it still had to do has been done. */
  close: () => Promise<void>;
  clock: ManualClock;
  run: (
    job: ImageJob,
    options?: { signal?: AbortSignal; clock?: Clock },
  ) => ReturnType<Adapter['run']>;
  /** The calls of the API so far: `POST /prompt`. */
  calls: () => string[];
  untilCalled: (call: string) => Promise<void>;
}

export interface ComfyuiBenchOptions extends EngineOptions {
  /** Beside the workflows of the preset. */
  settings?: Readonly<Record<string, unknown>>;
  credential?: string;
  /** Stands before the engine, as a proxy does; null leaves a request to it. */
  before?: FakeBehaviour['other'];
}

/** Does the work, then closes the adapter. */
export async function withComfyui(
  { settings, credential, before, ...options }: ComfyuiBenchOptions,
  work: (bench: ComfyuiBench) => Promise<void>,
): Promise<void> {
  const engine = new ComfyuiEngine(options);
  const fake = await FakeService.start({
    protocol: {
      isMain: () => false,
      answerOther: (request) => engine.answer(request),
      attach: (server) => engine.attach(server),
    },
    main: () => {
      throw new Error('there is no main exchange');
    },
    ...(before && { other: before }),
  });
  const config = {
    name: 'bench',
    baseUrl: fake.origin,
    settings: { ...comfyuiPresets[0]?.settings, ...settings },
  };
  const adapter = comfyuiKind.create(config, ({ origins }) =>
    openGuardedHttp({ origins, proxy: null, ...limits }),
  );
  const clock = new ManualClock();
  const calls = () => fake.seen.map(({ method, path }) => `${method} ${path.replace(/\?.*/, '')}`);
  let closing: Promise<void> | null = null;
  const close = () => (closing ??= adapter.close());
  const bench: ComfyuiBench = {
    engine,
    fake,
    adapter,
    close,
    clock,
    run: (job, { signal = new AbortController().signal, clock: other } = {}) =>
      adapter.run(job, { signal, clock: other ?? clock, credential: credential ?? null }),
    calls,
    untilCalled: (call) => fake.until(() => calls().includes(call), { what: call, patienceMs }),
  };
  try {
    await work(bench);
    await close();
  } finally {
    engine.dropSockets();
    await fake.stop();
  }
}

/** All events of a run that is to succeed. */
export async function eventsOf(run: ReturnType<Adapter['run']>): Promise<UpstreamEvent[]> {
  return await Array.fromAsync(run);
}

/** The error of a run that is to fail. */
export async function errorOf(run: ReturnType<Adapter['run']>): Promise<UpstreamError> {
  try {
    await Array.fromAsync(run);
  } catch (error) {
    if (error instanceof UpstreamError) return error;
    throw error;
  }
  throw new Error('the run succeeded');
}

/** Lets everything that is on its way arrive, as often as it takes for the condition to hold. */
export async function until(condition: () => boolean): Promise<void> {
  for (let turn = 0; turn < 100_000; turn++) {
    if (condition()) return;
    await nextTurn();
  }
  throw new Error('waited in vain');
}
