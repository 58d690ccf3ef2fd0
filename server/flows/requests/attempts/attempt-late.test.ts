/** A picture that is there when its time is over, but not yet in the asked form. */
import { setImmediate } from 'node:timers';
import { expect, it } from 'vitest';
import { ManualClock } from '../../../../test/support/manual-clock.ts';
import { makePicture } from '../../../../test/support/pictures.ts';
import { generationJob } from '../../../../test/upstreams/jobs.ts';
import { trivialKind } from '../../../../test/upstreams/trivial-adapter.ts';
import { trivialSubject } from '../../../../test/upstreams/trivial-service.ts';
import { type Adapter, UpstreamError, type UpstreamEvent } from '../../../upstreams/upstream.ts';
import { attempt, finishMsMax } from './attempt.ts';

const job = generationJob(trivialSubject(trivialKind()), { format: 'webp', size: 'auto' });
const late = new UpstreamError('timeout', 'the request took too long');
const left = new UpstreamError('canceled', 'nobody waits any more');

it('is put into it all the same', async () => {
  const { outcome } = await convertedLate(() => {});
  expect(outcome).toMatchObject({ kind: 'made', picture: { format: 'webp' } });
});

it('and needs nothing any more when it is', async () => {
  const { clock } = await convertedLate(() => {});
  expect(clock.sleeping).toBe(0);
});

it('is given up after some seconds', async () => {
  const { outcome } = await convertedLate(async ({ clock }) => {
    await clock.untilSleepingFor(finishMsMax);
    clock.advance(finishMsMax);
  });
  expect(outcome).toMatchObject({
    kind: 'failed',
    error: late,
    record: { fault: 'timeout', possibly_charged: true },
  });
});

it('is given up at once when nobody wants it', async () => {
  const { outcome } = await convertedLate(({ leave }) => leave());
  expect(outcome).toMatchObject({ kind: 'failed', record: { possibly_charged: true } });
});

it('is not waited for before it is there', async () => {
  const stop = new AbortController();
  const outcome = attemptOf(silentAdapter(), { stop, unwanted: new AbortController() });
  stop.abort(late);
  expect(await outcome).toMatchObject({ kind: 'failed', error: late });
});

interface Meanwhile {
  clock: ManualClock;
  leave: () => void;
}

/** Time is over in the moment in which the picture is given, and `then` happens before it is converted. */
async function convertedLate(then: (means: Meanwhile) => unknown) {
  const clock = new ManualClock();
  const stop = new AbortController();
  const unwanted = new AbortController();
  const bytes = await makePicture('png', { width: 1_024, height: 1_024 });
  const adapter = adapterThat(async function* () {
    // Before anything that the conversion waits for: it has not begun yet.
    setImmediate(() => {
      stop.abort(late);
      void then({ clock, leave: () => unwanted.abort(left) });
    });
    yield {
      kind: 'final',
      image: { encoding: 'raw', bytes },
      revisedPrompt: null,
      actual: { quality: null, background: null },
      tokens: null,
      upstreamRequestId: null,
      warnings: [],
    };
  });
  return { clock, outcome: await attemptOf(adapter, { stop, unwanted, clock }) };
}

function attemptOf(
  adapter: Adapter,
  {
    stop,
    unwanted,
    clock = new ManualClock(),
  }: { stop: AbortController; unwanted: AbortController; clock?: ManualClock },
) {
  return attempt({
    adapter,
    upstreamName: 'studio',
    key: null,
    strictMask: false,
    job,
    clock,
    signal: stop.signal,
    unwanted: unwanted.signal,
    onPartial: async () => {},
  });
}

function adapterThat(run: () => AsyncGenerator<UpstreamEvent, void, void>): Adapter {
  return {
    capabilities: () => expect.fail('nobody asks'),
    run,
    listModels: async () => [],
    close: async () => {},
  };
}

function silentAdapter(): Adapter {
  return adapterThat(async function* () {
    yield await new Promise<never>(() => {});
  });
}
