/** Answers that break off, fall silent, never end or are not what they claim. */

import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { inspectImage } from '../../../server/lib/pictures/inspect-image.ts';
import { briefLimits, type Outcome, withBench } from '../contract-bench.ts';
import type { ContractSubject, FakeAnswer, SeenRequest } from '../contract-subject.ts';
import {
  cutAt,
  type Delivery,
  endless,
  falselyGzipped,
  heldHalfway,
  silence,
} from '../deliveries.ts';
import { generationJob, realPicture } from '../jobs.ts';
import { always, expectFault, expectPicture, reply, type Scenario } from '../scenario.ts';
import { streamed, streamsPartials } from './pictures.ts';

const cuts = 20;
const fillingBytes = 256 * 1024;
const unfoldedBytes = 72 * 1024 ** 2;

export const brokenAnswerScenarios: readonly Scenario[] = [
  always(`survives a connection that breaks, at ${cuts} points of the answer`, (subject, options) =>
    breaksEverywhere(
      subject,
      (picture, request) => subject.fake.picture(picture, request),
      options,
    ),
  ),

  {
    name: `survives a connection that breaks, at ${cuts} points of a stream`,
    applies: streamsPartials,
    run: (subject, options) =>
      breaksEverywhere(
        subject,
        (picture) => streamed(subject, [picture.subarray(0, 9_000)], picture),
        options,
      ),
  },

  always('does not pass off a picture that is cut short', async (subject, options) => {
    const picture = await realPicture();
    await expectNoPicture(subject, picture.subarray(0, picture.length / 2), options);
  }),

  always('does not pass off bytes that are no picture', async (subject, options) => {
    const picture = await realPicture();
    const bytes = Buffer.from(picture.map((byte) => byte ^ 0x5a));
    await expectNoPicture(subject, bytes, options);
  }),

  always('gives up an answer without end', async (subject, options) => {
    const filling = Buffer.alloc(fillingBytes, 'A');
    const half = (body: Buffer) => body.subarray(0, body.length / 2);
    const outcome = await outcomeOf(subject, { deliver: endless(filling, half) }, options);
    expectFault(outcome, { faults: ['protocol'], possiblyCharged: true });
  }),

  {
    name: 'gives up a stream without end',
    applies: streamsPartials,
    run: async (subject, { patienceMs } = {}) => {
      const filling = Buffer.from(`: ${'-'.repeat(fillingBytes)}\n\n`);
      const answer = streamed(subject, [], await realPicture());
      const main = () =>
        reply(
          answer,
          endless(filling, () => Buffer.alloc(0)),
        );
      await withBench({ subject, main, patienceMs }, async (bench) => {
        const outcome = await bench.run(generationJob(subject, { partialImages: 1 }));
        expectFault(outcome, { faults: ['protocol'], possiblyCharged: true });
      });
    },
  },

  always('gives up an answer that unfolds without end', async (subject, options) => {
    const deliver: Delivery = (response, { status, headers }) => {
      response.writeHead(status, { ...headers, 'content-encoding': 'gzip' }).end(unfolding());
    };
    const outcome = await outcomeOf(subject, { deliver, isWhole: true }, options);
    expectFault(outcome, { faults: ['protocol'], possiblyCharged: true });
  }),

  always('does not believe a compression that is none', async (subject, options) => {
    const outcome = await outcomeOf(subject, { deliver: falselyGzipped, isWhole: true }, options);
    expectFault(outcome, { faults: ['protocol'], possiblyCharged: true });
  }),

  always('does not wait for ever for an answer to begin', async (subject, options) => {
    const outcome = await outcomeOf(subject, { deliver: silence, limits: briefLimits }, options);
    expectFault(outcome, { faults: ['timeout'], possiblyCharged: true });
  }),

  always('does not wait for ever for an answer to go on', async (subject, options) => {
    const deliver = heldHalfway;
    const outcome = await outcomeOf(subject, { deliver, limits: briefLimits }, options);
    expectFault(outcome, { faults: ['timeout'], possiblyCharged: true });
  }),
];

interface Misdelivery {
  deliver: Delivery;
  /** Whether the answer comes to an end. */
  isWhole?: boolean;
  limits?: typeof briefLimits;
}

/** What comes of a picture that is delivered so. */
async function outcomeOf(
  subject: ContractSubject,
  { deliver, isWhole = false, ...limits }: Misdelivery,
  options: { patienceMs?: number } = {},
): Promise<Outcome> {
  const picture = await realPicture();
  const main = (request: SeenRequest) => reply(subject.fake.picture(picture, request), deliver);
  const outcomes: Outcome[] = [];
  await withBench({ subject, main, ...limits, ...options }, async (bench) => {
    outcomes.push(await bench.run(generationJob(subject)));
    // One that brought its answer whole may be kept for the next request.
    if (!isWhole)
      await bench.untilFake((fake) => fake.mainConnectionsClosed, 'the connection closes');
  });
  const [outcome] = outcomes;
  if (!outcome) throw new Error('a run has an outcome');
  return outcome;
}

async function breaksEverywhere(
  subject: ContractSubject,
  answerWith: (picture: Buffer, request: SeenRequest) => FakeAnswer,
  options: { patienceMs?: number } = {},
): Promise<void> {
  const picture = await realPicture();
  const place = { share: 0, kind: 'ended' as 'ended' | 'reset' };
  const main = (request: SeenRequest) =>
    reply(answerWith(picture, request), cutAt(place.share, place.kind));
  await withBench({ subject, main, ...options }, async (bench) => {
    for (const [index, share] of sharesOfAnswer().entries()) {
      Object.assign(place, { share, kind: index % 2 === 0 ? 'reset' : 'ended' });
      const outcome = await bench.run(generationJob(subject, { partialImages: 1 }));
      // The picture may have come whole before the end of the stream.
      if (outcome.final) expectPicture(outcome, picture);
      else expectFault(outcome, { faults: ['unavailable', 'protocol'], possiblyCharged: true });
      if (share < 0.5) expect(outcome.final).toBeNull();
    }
  });
}

/** Half of them among the first bytes, where the headers are; the last but one byte is the last. */
function sharesOfAnswer(): number[] {
  const early = Array.from({ length: cuts / 2 }, (_, index) => index / 5_000);
  const late = Array.from({ length: cuts / 2 }, (_, index) => (index + 0.9999) / (cuts / 2));
  return [...early, ...late];
}

async function expectNoPicture(
  subject: ContractSubject,
  bytes: Buffer,
  options: { patienceMs?: number } = {},
): Promise<void> {
  const main = (request: SeenRequest) => reply(subject.fake.picture(bytes, request));
  await withBench({ subject, main, ...options }, async (bench) => {
    const outcome = await bench.run(generationJob(subject));
    if (!outcome.final) {
      expectFault(outcome, { faults: ['protocol'], possiblyCharged: true });
      return;
    }
    // What is delivered as it came is looked at by whoever asked for it.
    expect(inspectImage(outcome.final.image)).toBeNull();
  });
}

let folded: Buffer | null = null;

function unfolding(): Buffer {
  folded ??= gzipSync(Buffer.alloc(unfoldedBytes, 'A'), { level: 1 });
  return folded;
}
