/** What an adapter delivers when the service does its work. */
import { assert, expect } from 'vitest';
import { inspectImage } from '../../../server/lib/pictures/inspect-image.ts';
import { pngOfLength } from '../../support/pictures.ts';
import { capabilitiesOf, withBench } from '../contract-bench.ts';
import type { ContractSubject } from '../contract-subject.ts';
import { dripped, gzipped } from '../deliveries.ts';
import { generationJob, promptCanary, realPicture, smallPicture } from '../jobs.ts';
import { always, bytesOf, expectPicture, reply, type Scenario } from '../scenario.ts';

const longPictureBytes = 44 * 1024 ** 2;

export const pictureScenarios: readonly Scenario[] = [
  always('delivers the picture', async (subject, { patienceMs } = {}) => {
    const picture = await realPicture();
    const main = (request: Parameters<typeof subject.fake.picture>[1]) =>
      reply(subject.fake.picture(picture, request));
    await withBench({ subject, main, patienceMs }, async (bench) => {
      const outcome = await bench.run(generationJob(subject));
      expectPicture(outcome, picture);
      const image = outcome.final?.image;
      expect(image && inspectImage(image)).toMatchObject({ format: 'png', width: 1024 });
    });
  }),

  always('delivers a picture that came compressed', async (subject, { patienceMs } = {}) => {
    const picture = await realPicture();
    await withBench(
      {
        subject,
        main: (request) => reply(subject.fake.picture(picture, request), gzipped),
        patienceMs,
      },
      async (bench) => expectPicture(await bench.run(generationJob(subject)), picture),
    );
  }),

  always('delivers a picture that came byte by byte', async (subject, { patienceMs } = {}) => {
    const picture = await smallPicture();
    await withBench(
      {
        subject,
        main: (request) => reply(subject.fake.picture(picture, request), dripped),
        patienceMs,
      },
      async (bench) => expectPicture(await bench.run(generationJob(subject)), picture),
    );
  }),

  always('delivers a picture whose base64 has 60 MB', async (subject, { patienceMs } = {}) => {
    const picture = pngOfLength(longPictureBytes);
    await withBench(
      { subject, main: (request) => reply(subject.fake.picture(picture, request)), patienceMs },
      async (bench) => expectPicture(await bench.run(generationJob(subject)), picture),
    );
  }),

  {
    name: 'delivers partial images on the way, in their order',
    applies: streamsPartials,
    run: async (subject, { patienceMs } = {}) => {
      const partials = [pngOfLength(40_000), pngOfLength(2_000)];
      const picture = await realPicture();
      const answer = streamed(subject, partials, picture);
      await withBench({ subject, main: () => reply(answer), patienceMs }, async (bench) => {
        const outcome = await bench.run(generationJob(subject, { partialImages: 2 }));
        expectPicture(outcome, picture);
        const delivered = outcome.events.flatMap((event) =>
          event.kind === 'partial' ? [bytesOf(event.image)] : [],
        );
        expect(delivered.length).toBe(2);
        expect(delivered.every((bytes, index) => partials[index]?.equals(bytes))).toBe(true);
      });
    },
  },

  {
    name: 'delivers no more partial images than were asked for',
    applies: streamsPartials,
    run: async (subject, { patienceMs } = {}) => {
      const partials = [3_000, 2_000, 1_000].map(pngOfLength);
      const picture = await realPicture();
      const answer = streamed(subject, partials, picture);
      await withBench({ subject, main: () => reply(answer), patienceMs }, async (bench) => {
        // How many there are at most is held against every run.
        expectPicture(await bench.run(generationJob(subject, { partialImages: 1 })), picture);
        expectPicture(await bench.run(generationJob(subject)), picture);
      });
    },
  },

  always('does not mix up jobs that run at once', async (subject, { patienceMs } = {}) => {
    const pictures = await Promise.all([0, 1, 2].map(realPicture));
    const prompts = pictures.map((_, index) => `${promptCanary} number ${index}.`);
    let asked = 0;
    const main = (request: Parameters<typeof subject.fake.picture>[1]) => {
      const named = prompts.findIndex((prompt) => request.body.includes(prompt));
      // A protocol whose main exchange does not name the prompt gets them in turn.
      const picture = pictures[named === -1 ? asked % pictures.length : named];
      asked++;
      assert(picture);
      return reply(subject.fake.picture(picture, request));
    };
    await withBench({ subject, main, patienceMs }, async (bench) => {
      const outcomes = await Promise.all(
        prompts.map((prompt) => bench.run(generationJob(subject, { prompt }))),
      );
      const delivered = outcomes.map(({ final }) => final && bytesOf(final.image));
      const namesPrompt = bench.fake.mainRequests.every(({ body }) => body.includes(promptCanary));
      for (const [index, picture] of pictures.entries()) {
        const isIt = (bytes: Buffer | null | undefined) => bytes?.equals(picture) ?? false;
        const isThere = namesPrompt ? isIt(delivered[index]) : delivered.some(isIt);
        expect(isThere, `the picture of job ${index}`).toBe(true);
      }
    });
  }),

  {
    name: 'lists the models of the service',
    applies: ({ fake }) => fake.modelList !== null,
    run: async (subject, { patienceMs } = {}) => {
      const models = [subject.upstreamModel, `${subject.upstreamModel}-2`];
      const answer = subject.fake.modelList?.(models);
      assert(answer);
      const list = () => reply(answer);
      await withBench({ subject, main: list, other: list, patienceMs }, async (bench) => {
        const listed = await bench.listModels();
        expect(listed.map(({ upstreamModel }) => upstreamModel)).toEqual(
          expect.arrayContaining(models),
        );
      });
    },
  },
];

export function streamsPartials(subject: ContractSubject): boolean {
  return subject.fake.streamed !== null && capabilitiesOf(subject).partialImages;
}

export function streamed({ fake }: ContractSubject, partials: readonly Buffer[], picture: Buffer) {
  assert(fake.streamed, 'the scenario applies to protocols that stream');
  return fake.streamed(partials, picture);
}
