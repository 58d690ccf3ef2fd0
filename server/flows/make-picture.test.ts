/** How a picture goes from upstream to upstream: the table of faults. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { pngOfLength } from '../../test/support/pictures.ts';
import type { CatalogKey, Route } from '../catalog/catalog.ts';
import {
  selectionOptionsDefault,
  type UpstreamLimits,
  upstreamLimitsDefault,
} from '../catalog/upstream.ts';
import type { ImageRequest } from '../images/image-request.ts';
import { AdapterPool } from '../upstreams/adapter-pool.ts';
import { LanePool } from '../upstreams/lane-pool.ts';
import {
  defineKind,
  type Fault,
  UpstreamError,
  type UpstreamErrorOptions,
  type UpstreamEvent,
} from '../upstreams/upstream.ts';
import type { AttemptRecord } from './attempt.ts';
import { makePicture, type PictureOutcome } from './make-picture.ts';

/** What an attempt does before it ends with a picture, or with a fault. */
interface WholeStep extends UpstreamErrorOptions {
  fault?: Fault;
  accepted?: true;
  partials?: number;
}

type Step = 'picture' | Fault | WholeStep;

describe('after a fault', () => {
  it.each<Fault>(['unsupported', 'auth', 'quota', 'busy', 'unavailable', 'timeout', 'protocol'])(
    '%s goes on with the next upstream',
    async (fault) => {
      const bench = new Bench({ first: [fault], second: ['picture'] });
      expect((await bench.make()).kind).toBe('made');
      expect(bench.calls).toEqual(['first', 'second']);
    },
  );

  it.each<Fault>(['refused', 'bad_request', 'canceled'])('%s asks nobody else', async (fault) => {
    const bench = new Bench({ first: [fault], second: ['picture'] });
    expect(await bench.make()).toMatchObject({ kind: 'failed', error: { fault } });
    expect(bench.calls).toEqual(['first']);
  });

  it.each<Fault>(['busy', 'unavailable'])('%s tries the last upstream again', async (fault) => {
    const bench = new Bench({ only: [fault, 'picture'] });
    const made = bench.make();
    await bench.clock.untilSleeping();
    bench.clock.advance(500);
    expect((await made).kind).toBe('made');
    expect(bench.calls).toEqual(['only', 'only']);
  });

  it.each<Fault>(['unsupported', 'auth', 'quota', 'timeout', 'protocol'])(
    '%s does not try the last upstream again',
    async (fault) => {
      const bench = new Bench({ only: [fault, 'picture'] });
      expect(await bench.make()).toMatchObject({ kind: 'failed', error: { fault } });
      expect(bench.calls).toEqual(['only']);
    },
  );

  it('waits as long as the upstream asks before it tries it again', async () => {
    const bench = new Bench({ only: [{ fault: 'busy', retryAfterMs: 3_000 }, 'picture'] });
    const made = bench.make();
    await bench.clock.untilSleeping();
    bench.clock.advance(2_999);
    expect(bench.calls).toEqual(['only']);
    bench.clock.advance(1);
    expect((await made).kind).toBe('made');
  });

  it('gives up where the upstream asks for more than five seconds', async () => {
    const bench = new Bench({ only: [{ fault: 'busy', retryAfterMs: 5_001 }, 'picture'] });
    expect(await bench.make()).toMatchObject({ kind: 'failed', error: { fault: 'busy' } });
  });

  it('makes no more attempts than it may', async () => {
    const bench = new Bench({ a: ['timeout'], b: ['timeout'], c: ['timeout'], d: ['picture'] });
    expect((await bench.make()).kind).toBe('failed');
    expect(bench.calls).toEqual(['a', 'b', 'c']);
  });

  it('is not tried elsewhere once nobody waits for it', async () => {
    const bench = new Bench({ first: ['unavailable'], second: ['picture'] });
    bench.stop.abort(new UpstreamError('canceled', 'gone'));
    expect(await bench.make()).toMatchObject({ kind: 'failed', error: { fault: 'canceled' } });
    expect(bench.calls.length).toBeLessThanOrEqual(1);
  });
});

describe('what may have been paid already', () => {
  it('is tried once more, and not twice', async () => {
    const cut: Step = { fault: 'unavailable', possiblyCharged: true };
    const bench = new Bench({ a: [cut], b: [cut], c: ['picture'] });
    expect((await bench.make()).kind).toBe('failed');
    expect(bench.calls).toEqual(['a', 'b']);
    expect(bench.attempts.map((record) => record.possibly_charged)).toEqual([true, true]);
  });

  it('is so where the upstream had taken the job on', async () => {
    const bench = new Bench({ a: [{ fault: 'timeout', accepted: true }], b: ['picture'] });
    await bench.make();
    expect(bench.attempts.map((record) => record.possibly_charged)).toEqual([true, false]);
  });

  it('is not so where it said what was wrong', async () => {
    const bench = new Bench({ a: [{ fault: 'refused', accepted: true }] });
    await bench.make();
    expect(bench.attempts[0]?.possibly_charged).toBe(false);
  });
});

describe('several keys', () => {
  it.each<Fault>(['auth', 'quota', 'busy'])(
    'take over after %s, on the same upstream',
    async (fault) => {
      const bench = new Bench({ a: [fault, 'picture'], b: ['picture'] }, { keys: ['one', 'two'] });
      expect((await bench.make()).kind).toBe('made');
      expect(bench.attempts.map((record) => [record.upstream, record.upstream_key])).toEqual([
        ['a', 'one'],
        ['a', 'two'],
      ]);
    },
  );

  it('are left for the next upstream when none is left', async () => {
    const bench = new Bench({ a: ['auth', 'auth'], b: ['picture'] }, { keys: ['one', 'two'] });
    expect((await bench.make()).kind).toBe('made');
    expect(bench.calls).toEqual(['a', 'a', 'b']);
  });

  it('reach the adapter, each in its turn', async () => {
    const bench = new Bench({ a: ['picture', 'picture'] }, { keys: ['one', 'two'] });
    await bench.make();
    await bench.make();
    expect(bench.credentials).toEqual(['credential of one', 'credential of two']);
  });

  it('are reported dead once they are refused three times in a row', async () => {
    const bench = new Bench({ a: ['auth', 'auth', 'auth'] }, { keys: ['one'] });
    for (let i = 0; i < 3; i++) {
      await bench.make();
      bench.clock.advance(60_000);
    }
    expect(bench.dead).toEqual(['a one auth']);
  });
});

describe('an upstream that has no room', () => {
  it('is passed over for the next that has', async () => {
    const bench = new Bench({ a: ['picture'], b: ['picture'] }, { limits: { concurrencyMax: 1 } });
    bench.laneOf('a').tryEnter();
    await bench.make();
    expect(bench.calls).toEqual(['b']);
  });

  it('is waited for when there is no other', async () => {
    const bench = new Bench({ a: ['picture'] }, { limits: { concurrencyMax: 1 } });
    const leave = bench.laneOf('a').tryEnter();
    const made = bench.make();
    await bench.clock.untilSleeping();
    leave?.();
    expect((await made).kind).toBe('made');
  });

  it('fails the picture when the wait is over, and the record says why', async () => {
    const limits = { concurrencyMax: 1, queueWaitMs: 1_000 };
    const bench = new Bench({ a: ['picture'] }, { limits });
    bench.laneOf('a').tryEnter();
    const made = bench.make();
    await bench.clock.untilSleeping();
    bench.clock.advance(1_000);
    expect(await made).toMatchObject({ kind: 'failed', error: { fault: 'busy' } });
    expect(bench.attempts).toMatchObject([{ upstream: 'a', skipped: 'queue_wait', attempt: 0 }]);
  });

  it('has its place back after a picture and after a failure', async () => {
    const bench = new Bench({ a: ['picture', 'refused'] }, { limits: { concurrencyMax: 1 } });
    await bench.make();
    await bench.make();
    expect(bench.laneOf('a').state.running).toBe(0);
  });
});

describe('an upstream that asked for a pause', () => {
  it('is passed over until it is over', async () => {
    const busy: Step = { fault: 'busy', retryAfterMs: 20_000 };
    const bench = new Bench({ a: [busy, 'picture'], b: ['picture', 'picture', 'picture'] });
    await bench.make();
    await bench.make();
    bench.clock.advance(20_000);
    await bench.make();
    expect(bench.calls).toEqual(['a', 'b', 'b', 'a']);
    expect(bench.attempts.map(({ skipped }) => skipped)).toEqual([
      null,
      null,
      'cooling_down',
      null,
      null,
    ]);
  });

  it('is waited for when the pause is short and there is no other', async () => {
    const bench = new Bench({ a: [{ fault: 'busy', retryAfterMs: 9_000 }, 'picture'] });
    await bench.make();
    bench.clock.advance(4_000);
    const made = bench.make();
    await bench.clock.untilSleeping();
    bench.clock.advance(5_000);
    expect((await made).kind).toBe('made');
  });
});

describe('an upstream whose breaker is open', () => {
  it('is passed over without an attempt, and the record says so', async () => {
    const down: Step[] = Array.from({ length: 5 }, () => 'unavailable');
    const bench = new Bench({ a: down, b: Array.from({ length: 6 }, () => 'picture') });
    for (let i = 0; i < 5; i++) await bench.make();
    bench.attempts.length = 0;
    expect((await bench.make()).kind).toBe('made');
    expect(bench.attempts).toMatchObject([
      { upstream: 'a', skipped: 'breaker_open', attempt: 0 },
      { upstream: 'b', skipped: null, attempt: 1 },
    ]);
  });
});

describe('partial images', () => {
  it('go on with their count in a second attempt, up to the number asked for', async () => {
    const bench = new Bench(
      { a: [{ fault: 'unavailable', partials: 2 }], b: [{ partials: 3 }] },
      { partialImages: 3 },
    );
    await bench.make();
    expect(bench.partials).toEqual([0, 1, 2]);
  });
});

class Bench {
  readonly clock = new ManualClock();
  readonly stop = new AbortController();
  readonly attempts: AttemptRecord[] = [];
  readonly calls: string[] = [];
  readonly credentials: (string | null)[] = [];
  readonly partials: number[] = [];
  readonly dead: string[] = [];
  readonly #lanes = new LanePool(this.clock);
  readonly #routes: readonly Route[];
  readonly #adapters: AdapterPool;
  readonly #partialImages: number;

  constructor(
    scripts: Readonly<Record<string, Step[]>>,
    options: { keys?: string[]; limits?: Partial<UpstreamLimits>; partialImages?: number } = {},
  ) {
    const { keys = [], limits = {}, partialImages = 0 } = options;
    this.#partialImages = partialImages;
    this.#routes = Object.keys(scripts).map((name) => routeTo(name, keys, limits));
    this.#adapters = new AdapterPool(new Map([['scripted', this.#kind(scripts)]]), {
      onBroken: (_name, reason) => {
        throw new Error(reason);
      },
      onCloseError: () => {},
    });
  }

  make(): Promise<PictureOutcome> {
    const input = {
      traceId: 'tr_1',
      request: { ...request, partialImages: this.#partialImages },
      routes: this.#routes,
      adapters: this.#adapters,
      lanes: this.#lanes,
      clock: this.clock,
      signal: this.stop.signal,
      attemptsMax: 3,
      onPartial: (index: number) => this.partials.push(index),
      onDeadKey: ({ upstream }: Route, { name }: CatalogKey, fault: string) =>
        this.dead.push(`${upstream.name} ${name} ${fault}`),
    };
    return makePicture(input, 0, this.attempts);
  }

  laneOf(name: string) {
    const route = this.#routes.find(({ upstream }) => upstream.name === name);
    if (!route) throw new Error(`there is no upstream ${name}`);
    return this.#lanes.of(route.upstream);
  }

  #kind(scripts: Readonly<Record<string, Step[]>>) {
    return defineKind({
      kind: 'scripted',
      title: 'Scripted',
      description: 'Does what the test says',
      baseUrl: 'unused',
      credential: 'optional',
      credentialForm: 'anything',
      settings: z.strictObject({}),
      presets: [],
      create: ({ name }) => ({
        capabilities: () => {
          throw new Error('the routes are chosen already');
        },
        run: (_job, { credential }) => {
          this.calls.push(name);
          this.credentials.push(credential);
          return play(scripts[name]?.shift());
        },
        listModels: async () => [],
        close: async () => {},
      }),
    });
  }
}

async function* play(step: Step | undefined): AsyncGenerator<UpstreamEvent, void, void> {
  if (step === undefined) throw new Error('the test expects no such attempt');
  const { fault, accepted, partials = 0, ...told } = wholeStep(step);
  if (accepted) yield { kind: 'accepted', upstreamRequestId: 'their-id' };
  const image = { encoding: 'raw' as const, bytes: pngOfLength(200) };
  for (let index = 0; index < partials; index++) yield { kind: 'partial', index, image };
  if (fault) throw new UpstreamError(fault, 'as the test says', told);
  yield {
    kind: 'final',
    image,
    revisedPrompt: null,
    actual: { quality: null, background: null },
    tokens: null,
    upstreamRequestId: null,
    warnings: [],
  };
}

function wholeStep(step: Step): WholeStep {
  if (typeof step === 'object') return step;
  return step === 'picture' ? {} : { fault: step };
}

function routeTo(name: string, keys: string[], limits: Partial<UpstreamLimits>): Route {
  return {
    upstream: {
      id: `up_${name}`,
      name,
      kind: 'scripted',
      baseUrl: null,
      settings: {},
      limits: { ...upstreamLimitsDefault, ...limits },
      proxy: null,
      keys: keys.map((key) => ({
        id: `upk_${name}_${key}`,
        name: key,
        credential: `credential of ${key}`,
      })),
      priority: 0,
      weight: 1,
      revision: '1',
    },
    upstreamModel: 'scripted-model',
    options: selectionOptionsDefault,
  };
}

const request: ImageRequest = {
  operation: 'generation',
  model: 'gen-image-2',
  prompt: 'a fox',
  n: 1,
  size: 'auto',
  quality: 'auto',
  background: 'auto',
  outputFormat: 'png',
  outputCompression: null,
  moderation: null,
  inputFidelity: null,
  partialImages: 0,
  stream: false,
  responseFormat: 'b64_json',
  referenceImages: [],
  mask: null,
};
