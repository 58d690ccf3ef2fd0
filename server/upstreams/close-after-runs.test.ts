import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { blackForestLabsSubject } from '../../test/upstreams/ai-sdk-black-forest-labs.ts';
import { whole } from '../../test/upstreams/deliveries.ts';
import { FakeService } from '../../test/upstreams/fake-service.ts';
import { generationJob, realPicture } from '../../test/upstreams/jobs.ts';
import { AdapterPool, type PooledUpstream } from './adapter-pool.ts';
import { closeAfterRuns, stoppingMsMax } from './close-after-runs.ts';
import { type Adapter, UpstreamError, type UpstreamEvent } from './upstream.ts';

const accepted: UpstreamEvent = { kind: 'accepted', upstreamRequestId: null };
const job = generationJob(blackForestLabsSubject);

describe('an adapter that is to close', () => {
  it('closes at once when nothing runs', async () => {
    const bench = new Bench();
    await bench.adapter.close();
    expect(bench.isClosed).toBe(true);
  });

  it('waits until what runs has come to its end', async () => {
    const bench = new Bench();
    const run = bench.run();
    await run.next();
    const closing = bench.adapter.close();
    // However long it takes: nobody has told it to stop.
    bench.clock.advance(stoppingMsMax);
    await nextTurn();
    expect(bench.isClosed).toBe(false);
    bench.finish();
    await run.next();
    await closing;
    expect(bench.isClosed).toBe(true);
  });

  it('waits for nothing that is no longer read', async () => {
    const bench = new Bench();
    const run = bench.run();
    await run.next();
    await run.return();
    await bench.adapter.close();
    expect(bench.isClosed).toBe(true);
  });

  it.each(['meanwhile', 'before'])(
    'gives what was told to stop %s some time, and no more, to end',
    async (when) => {
      const bench = new Bench();
      const stop = new AbortController();
      const run = bench.run(stop.signal);
      await run.next();
      void run.next();
      if (when === 'before') stop.abort();
      const closing = bench.adapter.close();
      stop.abort();
      await bench.clock.untilSleeping();
      bench.clock.advance(stoppingMsMax - 1);
      await nextTurn();
      expect(bench.isClosed).toBe(false);
      bench.clock.advance(1);
      await closing;
      expect(bench.isClosed).toBe(true);
    },
  );

  it('closes once, for whoever asks again meanwhile too', async () => {
    const bench = new Bench();
    const run = bench.run();
    await run.next();
    const closing = [bench.adapter.close(), bench.adapter.close()];
    bench.finish();
    await run.next();
    await Promise.all(closing);
    expect(bench.closes).toBe(1);
  });
});

it('a picture that is asked after comes although its upstream is edited meanwhile', async () => {
  const { kind, settings, credential, fake: protocol } = blackForestLabsSubject;
  const picture = await realPicture();
  const service = await FakeService.start({
    protocol,
    main: (request) => ({ answer: protocol.picture(picture, request), deliver: whole }),
  });
  const upstream: PooledUpstream = {
    id: 'up_1',
    name: 'studio',
    kind: kind.kind,
    baseUrl: `${service.origin}${protocol.basePath}`,
    settings,
    proxy: null,
    limits: { firstByteMs: 10_000, idleMs: 10_000 },
    revision: '1',
  };
  const pool = new AdapterPool(new Map([[kind.kind, kind]]), {
    onBroken: (_name, reason) => expect.fail(reason),
    onCloseError: (error) => expect.fail(String(error)),
  });
  try {
    const context = { signal: new AbortController().signal, clock: new ManualClock(), credential };
    const kinds: string[] = [];
    for await (const event of adapterOf(pool, upstream).run(job, context)) {
      kinds.push(event.kind);
      if (event.kind === 'accepted') adapterOf(pool, { ...upstream, revision: '2' });
    }
    expect(kinds).toEqual(['accepted', 'final']);
    await pool.close();
  } finally {
    await service.stop();
  }
});

function adapterOf(pool: AdapterPool, upstream: PooledUpstream): Adapter {
  const pooled = pool.get(upstream);
  if (pooled.kind === 'broken') throw new Error(pooled.reason);
  return pooled.adapter;
}

/** An adapter that ends its run when the test says so, whatever its signal says. */
class Bench {
  readonly clock = new ManualClock();
  readonly adapter: Adapter;
  /** How many times it was closed. */
  closes = 0;
  readonly #end = Promise.withResolvers<void>();

  constructor() {
    const end = this.#end.promise;
    this.adapter = closeAfterRuns({
      capabilities: () => expect.fail('nobody asks'),
      async *run() {
        yield accepted;
        await end;
      },
      listModels: () => Promise.reject(new UpstreamError('unsupported', 'nobody asks')),
      close: async () => {
        this.closes++;
      },
    });
  }

  get isClosed(): boolean {
    return this.closes > 0;
  }

  run(signal: AbortSignal = new AbortController().signal): ReturnType<Adapter['run']> {
    return this.adapter.run(job, { signal, clock: this.clock, credential: null });
  }

  finish(): void {
    this.#end.resolve();
  }
}
