/** An adapter and the fake service it speaks to, and what holds of every run of it. */
import { inspect } from 'node:util';
import { assert, expect } from 'vitest';
import { type GuardedHttp, openGuardedHttp } from '../../server/lib/outgoing/guarded-http.ts';
import {
  type Adapter,
  type ImageJob,
  type ListedModel,
  type UpstreamContext,
  UpstreamError,
  type UpstreamEvent,
  type UpstreamFinal,
} from '../../server/upstreams/upstream.ts';
import { hurriedClock } from '../support/hurried-clock.ts';
import { ConsoleWatch } from './console-watch.ts';
import type { ContractSubject } from './contract-subject.ts';
import { type FakeBehaviour, FakeService } from './fake-service.ts';
import { promptCanary } from './jobs.ts';
import { findSecret } from './secrets.ts';

/** How long what must happen may take; only what never happens takes it all. */
export const patienceMsDefault = 20_000;
/** For scenarios that wait for a time limit to pass. */
export const briefLimits = { firstByteMs: 250, idleMs: 250 };
const generousLimits = { firstByteMs: 60_000, idleMs: 60_000 };

export interface BenchOptions {
  subject: ContractSubject;
  main: FakeBehaviour['main'];
  other?: NonNullable<FakeBehaviour['other']>;
  limits?: { firstByteMs: number; idleMs: number };
  patienceMs?: number | undefined;
}

export interface Outcome {
  events: readonly UpstreamEvent[];
  /** Null where the run ended in an error. */
  final: UpstreamFinal | null;
  error: UpstreamError | null;
}

export interface RunOptions {
  signal?: AbortSignal;
  credential?: string | null;
  /** Called after each event; false leaves the loop. */
  goesOn?: (event: UpstreamEvent) => boolean;
}

/** Does the work; then closes the adapter, and nothing may be left of it. */
export async function withBench(
  options: BenchOptions,
  work: (bench: ContractBench) => Promise<void>,
): Promise<void> {
  const bench = await ContractBench.open(options);
  try {
    await work(bench);
    await bench.checkEnd();
  } finally {
    await bench.dispose();
  }
}

/** What the subject's adapter says that its upstream model can do. */
export function capabilitiesOf({ kind, settings, upstreamModel, fake }: ContractSubject) {
  const baseUrl = `http://127.0.0.1:9${fake.basePath}`;
  const opened: GuardedHttp[] = [];
  const adapter = kind.create({ name: 'idle', baseUrl, settings }, ({ origins }) => {
    const http = openGuardedHttp({ origins, proxy: null, ...generousLimits });
    opened.push(http);
    return http;
  });
  const capabilities = adapter.capabilities(upstreamModel);
  // Nothing was asked, so nothing is open.
  void adapter.close();
  return capabilities;
}

export class ContractBench {
  readonly fake: FakeService;
  readonly adapter: Adapter;
  readonly patienceMs: number;
  readonly #subject: ContractSubject;
  readonly #console = new ConsoleWatch();

  static async open(options: BenchOptions): Promise<ContractBench> {
    const { subject, main, other, patienceMs = patienceMsDefault } = options;
    const fake = await FakeService.start({
      protocol: subject.fake,
      main,
      ...(other && { other }),
    });
    const { kind, settings } = subject;
    const baseUrl = `${fake.origin}${subject.fake.basePath}`;
    const limits = options.limits ?? generousLimits;
    const adapter = kind.create({ name: 'contract', baseUrl, settings }, ({ origins }) =>
      openGuardedHttp({ origins, proxy: null, ...limits }),
    );
    return new ContractBench({ subject, fake, adapter, patienceMs });
  }

  private constructor(parts: {
    subject: ContractSubject;
    fake: FakeService;
    adapter: Adapter;
    patienceMs: number;
  }) {
    this.#subject = parts.subject;
    this.fake = parts.fake;
    this.adapter = parts.adapter;
    this.patienceMs = parts.patienceMs;
  }

  /** Runs a job to its end, and holds what comes of it against the interface. */
  async run(job: ImageJob, options: RunOptions = {}): Promise<Outcome> {
    const outcome = await this.#inTime(this.#collect(job, options), 'the run ends');
    expectEventsInOrder(outcome.events, job);
    if (outcome.error) this.#expectDiscreet(outcome.error);
    return outcome;
  }

  async listModels(options: { signal?: AbortSignal } = {}): Promise<readonly ListedModel[]> {
    try {
      const list = this.adapter.listModels(this.#context(options));
      return await this.#inTime(list, 'the model list ends');
    } catch (error) {
      if (error instanceof UpstreamError) this.#expectDiscreet(error);
      throw error;
    }
  }

  async untilFake(condition: (fake: FakeService) => boolean, what: string): Promise<void> {
    const { fake, patienceMs } = this;
    await fake.until(() => condition(fake), { what, patienceMs });
  }

  /** Closes the adapter; nothing of it may be left, and nothing may have been told. */
  async checkEnd(): Promise<void> {
    await this.#inTime(this.adapter.close(), 'close() ends');
    await this.untilFake(({ openConnections }) => openConnections === 0, 'all connections close');
    expect(this.fake.troubles, 'the fake service itself works').toEqual([]);
    const { credential } = this.#subject;
    for (const { path } of this.fake.seen) {
      const secret = findSecret(path, { credential, prompt: null, answers: [] });
      expect(secret, 'no URL contains a secret').toBeNull();
    }
    const written = this.#console.text();
    const secret = findSecret(written, { credential, prompt: promptCanary, answers: [] });
    expect(secret, 'the console is told no secret').toBeNull();
  }

  async dispose(): Promise<void> {
    this.#console.end();
    await this.fake.stop();
    void this.adapter.close().catch(() => {});
  }

  async #collect(job: ImageJob, { goesOn, ...options }: RunOptions): Promise<Outcome> {
    const events: UpstreamEvent[] = [];
    const final = () => events.find((event) => event.kind === 'final') ?? null;
    try {
      for await (const event of this.adapter.run(job, this.#context(options))) {
        events.push(event);
        if (goesOn?.(event) === false) return { events, final: final(), error: null };
      }
    } catch (error) {
      assert(error instanceof UpstreamError, `it throws an UpstreamError, not ${inspect(error)}`);
      expect(final(), 'no error after the final').toBeNull();
      return { events, final: null, error };
    }
    if (final()) return { events, final: final(), error: null };
    const silent = new UpstreamError('protocol', 'ended without a final', {
      possiblyCharged: true,
    });
    return { events, final: null, error: silent };
  }

  #context({ signal, credential = this.#subject.credential }: RunOptions): UpstreamContext {
    return {
      signal: signal ?? new AbortController().signal,
      // An adapter that asks again and again waits on this clock in between.
      clock: hurriedClock(50),
      credential,
    };
  }

  #expectDiscreet(error: UpstreamError): void {
    const secret = findSecret(inspect(error, { depth: 8 }), {
      credential: this.#subject.credential,
      prompt: promptCanary,
      answers: this.fake.answered,
    });
    expect(secret, 'the error tells no secret').toBeNull();
  }

  async #inTime<T>(work: Promise<T>, what: string): Promise<T> {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => late.reject(new Error(`waited in vain: ${what}`)),
      this.patienceMs,
    );
    try {
      return await Promise.race([work, late.promise]);
    } finally {
      clearTimeout(timer);
    }
  }
}

function expectEventsInOrder(events: readonly UpstreamEvent[], job: ImageJob): void {
  const kinds = events.map(({ kind }) => kind);
  expect(kinds.join(' '), 'accepted?, partial*, final').toMatch(
    /^(?:accepted ?)?(?:partial ?)*(?:final)?$/,
  );
  const indexes = events.flatMap((event) => (event.kind === 'partial' ? [event.index] : []));
  expect(indexes, 'indexes rise from 0').toEqual(indexes.map((_, place) => place));
  expect(indexes.length, 'not more than asked for').toBeLessThanOrEqual(job.partialImages);
}
