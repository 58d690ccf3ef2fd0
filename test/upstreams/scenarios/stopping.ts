/** An adapter that is told to stop: it ends at once, and the service hears of it. */
import { assert, expect } from 'vitest';
import { UpstreamError } from '../../../server/upstreams/upstream.ts';
import { type ContractBench, withBench } from '../contract-bench.ts';
import type { ContractSubject, SeenRequest } from '../contract-subject.ts';
import { heldAfterFirstPiece, heldHalfway, silence, whole } from '../deliveries.ts';
import { generationJob, realPicture } from '../jobs.ts';
import { always, expectFault, reply, type Scenario } from '../scenario.ts';
import { streamed, streamsPartials } from './pictures.ts';

export const stoppingScenarios: readonly Scenario[] = [
  always('sends nothing when it is stopped before it begins', async (subject, options) => {
    const main = (request: SeenRequest) =>
      reply(subject.fake.picture(Buffer.from('none'), request), whole);
    await withBench({ subject, main, ...options }, async (bench) => {
      const outcome = await bench.run(generationJob(subject), { signal: AbortSignal.abort() });
      expectFault(outcome, { faults: ['canceled'], possiblyCharged: false });
      expect(bench.fake.seen.length, 'requests sent').toBe(0);
    });
  }),

  always('stops before the first byte of the answer', async (subject, options) => {
    const picture = await realPicture();
    const main = (request: SeenRequest) => reply(subject.fake.picture(picture, request), silence);
    await withBench({ subject, main, ...options }, (bench) => stopsOnceAsked(subject, bench));
  }),

  always('stops in the middle of the answer', async (subject, options) => {
    const picture = await realPicture();
    const begun = Promise.withResolvers<void>();
    const main = (request: SeenRequest) =>
      reply(subject.fake.picture(picture, request), async (response, answer) => {
        await heldHalfway(response, answer);
        begun.resolve();
      });
    await withBench({ subject, main, ...options }, (bench) =>
      stopsOnceAsked(subject, bench, begun.promise),
    );
  }),

  {
    name: 'stops between two events of a stream',
    applies: streamsPartials,
    run: async (subject, options) => {
      const answer = streamed(subject, [await realPicture(1)], await realPicture());
      const main = () => reply(answer, heldAfterFirstPiece);
      await withBench({ subject, main, ...options }, async (bench) => {
        const stop = new AbortController();
        const outcome = await bench.run(generationJob(subject, { partialImages: 1 }), {
          signal: stop.signal,
          goesOn: ({ kind }) => {
            if (kind === 'partial') stop.abort();
            return true;
          },
        });
        expectFault(outcome, { faults: ['canceled'] });
        await hearsOfTheStop(subject, bench);
      });
    },
  },

  {
    name: 'stops when its events are no longer read',
    applies: (subject) => streamsPartials(subject) || (subject.fake.acceptsEarly ?? false),
    run: async (subject, options) => {
      const picture = await realPicture();
      const streams = streamsPartials(subject);
      const main = (request: SeenRequest) =>
        streams
          ? reply(streamed(subject, [picture], picture), heldAfterFirstPiece)
          : reply(subject.fake.picture(picture, request), silence);
      await withBench({ subject, main, ...options }, async (bench) => {
        const job = generationJob(subject, { partialImages: streams ? 1 : 0 });
        const { final } = await bench.run(job, {
          goesOn: ({ kind }) => streams && kind !== 'partial',
        });
        expect(final).toBeNull();
        await hearsOfTheStop(subject, bench);
      });
    },
  },

  always('leaves nothing open when only the picture was read', async (subject, options) => {
    const picture = await realPicture();
    const main = (request: SeenRequest) => reply(subject.fake.picture(picture, request));
    await withBench({ subject, main, ...options }, async (bench) => {
      const { final } = await bench.run(generationJob(subject), {
        goesOn: ({ kind }) => kind !== 'final',
      });
      expect(final).not.toBeNull();
    });
  }),

  {
    name: 'stops while it fetches the model list',
    applies: ({ fake }) => fake.modelList !== null,
    run: async (subject, options) => {
      const answer = subject.fake.modelList?.([subject.upstreamModel]);
      assert(answer);
      const held = () => reply(answer, silence);
      await withBench({ subject, main: held, other: held, ...options }, async (bench) => {
        const stop = new AbortController();
        const listing = bench
          .listModels({ signal: stop.signal })
          .catch((thrown: unknown) => thrown);
        await bench.untilFake(({ seen }) => seen.length > 0, 'the list is asked for');
        stop.abort();
        const error = await listing;
        assert(error instanceof UpstreamError, 'it rejects with an UpstreamError');
        expect(error.fault).toBe('canceled');
        await bench.untilFake((fake) => fake.openConnections === 0, 'the connection closes');
      });
    },
  },
];

/** Runs a job that is stopped once the main exchange has been asked for, and `ready` holds. */
async function stopsOnceAsked(
  subject: ContractSubject,
  bench: ContractBench,
  ready: Promise<void> = Promise.resolve(),
): Promise<void> {
  const stop = new AbortController();
  const running = bench.run(generationJob(subject), { signal: stop.signal });
  await bench.untilFake(({ mainRequests }) => mainRequests.length > 0, 'the service is asked');
  await ready;
  stop.abort();
  expectFault(await running, { faults: ['canceled'] });
  await hearsOfTheStop(subject, bench);
}

/** Before the adapter is closed: by then the work would have been paid for. */
async function hearsOfTheStop({ fake }: ContractSubject, bench: ContractBench): Promise<void> {
  const { isCancel } = fake;
  await bench.untilFake(
    ({ seen, mainConnectionsClosed }) =>
      isCancel === null ? mainConnectionsClosed : seen.some(isCancel),
    'the service hears of the stop',
  );
}
