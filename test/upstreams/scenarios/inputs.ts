/** What an adapter sends: every picture it was given, and only what the service can use. */
import { assert, expect } from 'vitest';
import { encodeBase64 } from '../../../server/lib/pictures/base64.ts';
import type { ImageJob } from '../../../server/upstreams/upstream.ts';
import { paintMask } from '../../../server/upstreams/wire/mask.ts';
import { capabilitiesOf, withBench } from '../contract-bench.ts';
import type { ContractSubject, SeenRequest } from '../contract-subject.ts';
import { editJob, generationJob, promptCanary, realPicture } from '../jobs.ts';
import { always, expectFault, expectPicture, reply, type Scenario } from '../scenario.ts';

const referencesAtOnce = 3;

export const inputScenarios: readonly Scenario[] = [
  {
    name: 'sends every reference image',
    applies: (subject) => capabilitiesOf(subject).edit,
    run: async (subject, options) => {
      const { referenceImagesMax } = capabilitiesOf(subject);
      const references = Math.min(referenceImagesMax, referencesAtOnce);
      await edits(subject, await editJob(subject, { references, withMask: false }), options);
    },
  },

  {
    name: 'sends the mask too, in the form that the service wants',
    applies: (subject) => capabilitiesOf(subject).mask,
    run: async (subject, options) => {
      await edits(subject, await editJob(subject, { references: 1, withMask: true }), options);
    },
  },

  {
    name: 'refuses an edit that the model cannot make, before anything is sent',
    applies: (subject) => !capabilitiesOf(subject).edit,
    run: async (subject, options) => {
      const job = await editJob(subject, { references: 1, withMask: false });
      await isRefused(subject, job, options);
    },
  },

  {
    name: 'refuses a mask that the model cannot use, before anything is sent',
    applies: (subject) => capabilitiesOf(subject).edit && !capabilitiesOf(subject).mask,
    run: async (subject, options) => {
      const job = await editJob(subject, { references: 1, withMask: true });
      await isRefused(subject, job, options);
    },
  },

  {
    name: 'refuses more reference images than the model can use, before anything is sent',
    applies: (subject) => capabilitiesOf(subject).edit,
    run: async (subject, options) => {
      const references = capabilitiesOf(subject).referenceImagesMax + 1;
      await isRefused(subject, await editJob(subject, { references, withMask: false }), options);
    },
  },

  always('says of what type each body is', async (subject, options = {}) => {
    const picture = await realPicture();
    const main = (request: SeenRequest) => reply(subject.fake.picture(picture, request));
    const { edit, referenceImagesMin: references = 1 } = capabilitiesOf(subject);
    await withBench({ subject, main, ...options }, async (bench) => {
      await bench.run(generationJob(subject));
      if (edit) await bench.run(await editJob(subject, { references, withMask: false }));
      const said = bench.fake.seen.filter(({ body }) => body.length > 0);
      expect(said.length, 'requests with a body').toBeGreaterThan(0);
      for (const { headers, body } of said) {
        const type =
          body.toString('latin1', 0, 1) === '{' ? 'application/json' : 'multipart/form-data';
        expect(headers['content-type'], 'the type of a body').toContain(type);
      }
    });
  }),

  always(
    "sends what the administrator adds, which never takes the prompt's place",
    async (subject, options) => {
      const picture = await realPicture();
      const main = (request: SeenRequest) => reply(subject.fake.picture(picture, request));
      const extra = { added_by_admin: 'the words that were added', prompt: 'another prompt' };
      await withBench({ subject, main, ...options }, async (bench) => {
        expectPicture(await bench.run(generationJob(subject, { extra })), picture);
        const sent = bench.fake.seen.map(({ body }) => body.toString()).join('\n');
        expect(sent, 'what is added').toContain(extra.added_by_admin);
        expect(sent, 'the prompt of the job').toContain(promptCanary);
      });
    },
  ),

  {
    name: 'uses the credential of each call',
    applies: ({ credential }) => credential !== null,
    run: async (subject, { patienceMs } = {}) => {
      const picture = await realPicture();
      const { credential } = subject;
      assert(credential !== null);
      const other = `${credential}2`;
      await withBench(
        { subject, main: (request) => reply(subject.fake.picture(picture, request)), patienceMs },
        async (bench) => {
          await bench.run(generationJob(subject));
          const { length } = bench.fake.seen;
          await bench.run(generationJob(subject), { credential: other });
          const [first, second] = [bench.fake.seen.slice(0, length), bench.fake.seen.slice(length)];
          const isShown = first.some((request) => shows(request, credential));
          expect(isShown, 'the credential of the first call is used').toBe(true);
          const isUsed = second.some((request) => shows(request, other));
          expect(isUsed, 'the credential of the second call is used').toBe(true);
        },
      );
    },
  },
];

async function edits(
  subject: ContractSubject,
  job: ImageJob,
  { patienceMs }: { patienceMs?: number } = {},
): Promise<void> {
  const picture = await realPicture();
  await withBench(
    { subject, main: (request) => reply(subject.fake.picture(picture, request)), patienceMs },
    async (bench) => {
      expectPicture(await bench.run(job), picture);
      const { seen } = bench.fake;
      for (const [index, { bytes, format }] of job.referenceImages.entries()) {
        if (subject.fake.reads && !subject.fake.reads.includes(format)) continue;
        expect(carries(seen, bytes), `reference image ${index} is sent`).toBe(true);
      }
      if (job.mask) {
        expect(await carriesMask(subject, seen, job.mask.bytes), 'the mask is sent').toBe(true);
      }
    },
  );
}

async function isRefused(
  subject: ContractSubject,
  job: ImageJob,
  { patienceMs }: { patienceMs?: number } = {},
): Promise<void> {
  const picture = await realPicture();
  await withBench(
    { subject, main: (request) => reply(subject.fake.picture(picture, request)), patienceMs },
    async (bench) => {
      const outcome = await bench.run(job);
      expectFault(outcome, { faults: ['unsupported'], possiblyCharged: false });
      expect(bench.fake.seen.length, 'requests sent').toBe(0);
    },
  );
}

function carries(seen: readonly SeenRequest[], bytes: Buffer): boolean {
  const text = encodeBase64(bytes);
  return seen.some(({ body }) => body.includes(bytes) || body.includes(text));
}

async function carriesMask(
  { fake }: ContractSubject,
  seen: readonly SeenRequest[],
  mask: Buffer,
): Promise<boolean> {
  if (fake.carriesMask) return fake.carriesMask(seen, mask);
  const painted = await Promise.all([
    paintMask({ bytes: mask }, 'white'),
    paintMask({ bytes: mask }, 'black'),
  ]);
  return [mask, ...painted].some((bytes) => carries(seen, bytes));
}

function shows({ headers }: SeenRequest, credential: string): boolean {
  const words = Object.values(headers).flatMap((value) => value.split(' '));
  const text = Buffer.from(credential).toString('base64');
  return words.some((word) => word === credential || word === text);
}
