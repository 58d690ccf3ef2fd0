import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { testAccess } from '../../../test/support/console/test-admin.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { pngOfLength } from '../../../test/support/pictures.ts';
import { storedUpstream } from '../../../test/support/upstreams/stored-upstream.ts';
import { selectionOptionsDefault, upstreamLimitsDefault } from '../../catalog/upstream.ts';
import { defineKind } from '../../upstreams/adapter-kind.ts';
import { stoppingMsMax } from '../../upstreams/close-after-runs.ts';
import {
  type Capabilities,
  type ImageJob,
  type UpstreamContext,
  UpstreamError,
  type UpstreamEvent,
} from '../../upstreams/upstream.ts';
import { type ProbeResult, planProbe, probeUpstream } from './probe-upstream.ts';

describe('the plan of a probe', () => {
  it('is a generation and an edit at the lowest quality, and calls nobody', async () => {
    const bench = new Bench();
    expect(await bench.plan()).toEqual({
      operations: ['generation', 'edit'],
      quality: 'low',
      size: { width: 1024, height: 1024 },
    });
    expect(bench.jobs).toEqual([]);
    expect(bench.open).toBe(0);
  });

  it.each<[string, Partial<Capabilities>, string[]]>([
    ['only edits', { generation: false }, ['edit']],
    ['makes no edits', { edit: false }, ['generation']],
    ['makes nothing', { edit: false, generation: false }, []],
  ])('leaves out what the model cannot do: it %s', async (_what, capabilities, operations) => {
    expect(await new Bench({ capabilities }).plan()).toMatchObject({ operations });
  });

  it.each<[Capabilities['qualities'], string]>([
    [['medium', 'high'], 'medium'],
    [['auto', 'low', 'high'], 'low'],
    [[], 'auto'],
  ])('takes of the qualities %j: %s', async (qualities, quality) => {
    expect(await new Bench({ capabilities: { qualities } }).plan()).toMatchObject({ quality });
  });
});

describe('a probe', () => {
  it('makes what was planned, one after the other, and tells how each went', async () => {
    const bench = new Bench({
      run: async function* (_job, { clock }) {
        await clock.sleep(2_500);
        yield { kind: 'accepted', upstreamRequestId: 'theirs-1' };
        yield { ...picture, warnings: ['quality_ignored'] };
      },
    });
    const probed = bench.probe();
    for (let i = 1; i <= 2; i++) {
      // The limit, and what the upstream takes.
      await bench.clock.untilSleeping(2);
      expect(bench.jobs).toHaveLength(i);
      bench.clock.advance(2_500);
      if (i === 1) await expect.poll(() => bench.jobs.length).toBe(2);
    }
    expect(await probed).toMatchObject(
      ['generation', 'edit'].map((operation) => ({
        operation,
        outcome: {
          kind: 'made',
          picture: { width: 1, height: 1, format: 'png' },
          record: {
            duration_ms: 2_500,
            upstream: 'studio',
            upstream_model: 'paint-1',
            upstream_key: 'main',
            upstream_request_id: 'theirs-1',
            warnings: ['quality_ignored', 'size_approximated'],
            fault: null,
          },
        },
      })),
    );
    expect(bench.open).toBe(0);
  });

  it('asks for one plain picture, and gives an edit something to edit', async () => {
    const bench = new Bench();
    await bench.probe();
    const [generation, edit] = bench.jobs;
    expect(generation).toMatchObject({
      upstreamModel: 'paint-1',
      quality: 'low',
      size: { width: 1024, height: 1024 },
      referenceImages: [],
      mask: null,
      partialImages: 0,
      extra: selectionOptionsDefault.extra,
    });
    expect(edit?.referenceImages).toMatchObject([{ width: 1024, height: 1024, format: 'png' }]);
    expect(bench.credentials).toEqual(['the credential', 'the credential']);
    expect(new Set(bench.jobs.map(({ traceId }) => traceId)).size).toBe(2);
  });

  it('gives an edit as many pictures as the model needs', async () => {
    const bench = new Bench({ capabilities: { referenceImagesMin: 3 } });
    await bench.probe();
    expect(bench.jobs.map(({ referenceImages }) => referenceImages.length)).toEqual([0, 3]);
  });

  it('goes on after a failure, which is told with its fault', async () => {
    const bench = new Bench({
      run: async function* (job) {
        if (job.operation === 'edit') return yield picture;
        const told = { status: 401, upstreamCode: 'invalid_api_key', upstreamRequestId: 'theirs' };
        throw new UpstreamError('auth', 'the key was refused', told);
      },
    });
    expect(await bench.probe()).toMatchObject([
      {
        operation: 'generation',
        outcome: {
          kind: 'failed',
          error: { message: 'the key was refused' },
          record: {
            fault: 'auth',
            status: 401,
            upstream_code: 'invalid_api_key',
            upstream_request_id: 'theirs',
            possibly_charged: false,
          },
        },
      },
      { operation: 'edit', outcome: { kind: 'made' } },
    ]);
  });

  it('takes only a whole picture for one', async () => {
    const bytes = Buffer.from('this is no picture');
    const bench = new Bench({
      run: async function* () {
        yield { ...picture, image: { encoding: 'raw', bytes } };
      },
    });
    expect(await bench.probe()).toMatchObject([
      { outcome: { record: { fault: 'protocol', possibly_charged: true } } },
      { outcome: { record: { fault: 'protocol', possibly_charged: true } } },
    ]);
  });

  it('gives a picture two minutes, also where the adapter does not heed it', async () => {
    const bench = new Bench({ capabilities: { edit: false }, run: stalling });
    const probed = bench.probe();
    await expect.poll(() => bench.jobs.length).toBe(1);
    bench.clock.advance(119_999);
    expect(bench.clock.sleeping).toBe(1);
    bench.clock.advance(1);
    // It is waited for a little longer before it is closed; the attempt is over by then.
    await nextTurn();
    expect(bench.clock.sleeping).toBe(1);
    bench.clock.advance(stoppingMsMax);
    expect(await probed).toMatchObject([
      { outcome: { record: { fault: 'timeout', duration_ms: 120_000, possibly_charged: true } } },
    ]);
  });

  it('ends when it is canceled, and the second picture is not begun', async () => {
    const bench = new Bench({ run: untilStopped });
    const probed = bench.probe();
    await expect.poll(() => bench.jobs.length).toBe(1);
    bench.cancel.abort();
    expect(await probed).toMatchObject([
      { operation: 'generation', outcome: { record: { fault: 'canceled' } } },
    ]);
    expect(bench.jobs).toHaveLength(1);
    expect(bench.open).toBe(0);
    expect(bench.clock.sleeping).toBe(0);
  });

  it('of the sandbox gives pictures of the size asked for', async () => {
    const { kinds } = testAccess();
    const sandbox = { ...studio, kind: 'sandbox', limits: upstreamLimitsDefault };
    const results = await collect({ kinds, upstream: sandbox, key: null });
    expect(results).toMatchObject([
      { operation: 'generation', outcome: { picture: { width: 1024, height: 1024 } } },
      { operation: 'edit', outcome: { picture: { width: 1024, height: 1024 } } },
    ]);
  });
});

type Run = (job: ImageJob, context: UpstreamContext) => AsyncGenerator<UpstreamEvent, void, void>;

const picture = {
  kind: 'final',
  image: { encoding: 'raw', bytes: pngOfLength(200) },
  revisedPrompt: null,
  actual: { quality: null, background: null },
  tokens: null,
  upstreamRequestId: null,
  warnings: [],
} as const;

async function* plainly(): AsyncGenerator<UpstreamEvent, void, void> {
  yield picture;
}

async function* stalling(): AsyncGenerator<UpstreamEvent, void, void> {
  yield { kind: 'accepted', upstreamRequestId: null };
  await new Promise(() => {});
}

async function* untilStopped(
  _job: ImageJob,
  { signal }: UpstreamContext,
): AsyncGenerator<UpstreamEvent, void, void> {
  yield { kind: 'accepted', upstreamRequestId: null };
  await new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason));
  });
}

const studio = storedUpstream({ kind: 'scripted' });

const key = {
  id: 'upk_main',
  upstreamId: studio.id,
  name: 'main',
  sealedCredential: testAccess().secretBox.seal('the credential', studio.id),
  enabled: true,
  disabledReason: null,
  enabledTimes: 0,
  lastFour: null,
  createdAt: 0,
};

class Bench {
  readonly clock = new ManualClock();
  readonly cancel = new AbortController();
  readonly jobs: ImageJob[] = [];
  readonly credentials: (string | null)[] = [];
  /** Adapters that were built and not yet closed. */
  open = 0;
  readonly #kinds: Parameters<typeof collect>[0]['kinds'];

  constructor({
    capabilities = {},
    run = plainly,
  }: { capabilities?: Partial<Capabilities>; run?: Run } = {}) {
    const kind = defineKind({
      kind: 'scripted',
      title: 'Scripted',
      description: 'Does what the test says',
      baseUrl: 'unused',
      credential: 'needed',
      credentialForm: 'anything',
      settings: z.strictObject({}),
      presets: [],
      create: () => {
        this.open++;
        return {
          capabilities: () => ({ ...everything, ...capabilities }),
          run: (job, context) => {
            this.jobs.push(job);
            this.credentials.push(context.credential);
            return run(job, context);
          },
          listModels: async () => [],
          close: async () => {
            this.open--;
          },
        };
      },
    });
    this.#kinds = new Map([['scripted', kind]]);
  }

  plan() {
    const input = { upstream: studio, key, upstreamModel: 'paint-1' };
    const asked = { ...input, clock: this.clock, signal: this.cancel.signal };
    return planProbe({ ...testAccess(), kinds: this.#kinds }, asked);
  }

  probe(): Promise<ProbeResult[]> {
    const { clock, cancel } = this;
    return collect({ kinds: this.#kinds, upstream: studio, key, clock, signal: cancel.signal });
  }
}

async function collect({
  kinds,
  ...asked
}: Pick<ReturnType<typeof testAccess>, 'kinds'> &
  Pick<Parameters<typeof planProbe>[1], 'upstream' | 'key'> &
  Partial<Parameters<typeof planProbe>[1]>): Promise<ProbeResult[]> {
  const access = { ...testAccess(), kinds };
  const input = {
    clock: new ManualClock(),
    signal: new AbortController().signal,
    upstreamModel: 'paint-1',
    ...asked,
  };
  const results: ProbeResult[] = [];
  for await (const result of probeUpstream(access, input, await planProbe(access, input))) {
    results.push(result);
  }
  return results;
}

const everything: Capabilities = {
  generation: true,
  edit: true,
  referenceImagesMax: 16,
  mask: true,
  partialImages: true,
  sizes: 'exact',
  formats: ['png', 'jpeg', 'webp'],
  qualities: ['auto', 'low', 'medium', 'high'],
  transparentBackground: true,
};
