/** What an adapter makes of a service that says no, or something that is not a picture. */
import { assert, expect } from 'vitest';
import { faults, UpstreamError } from '../../../server/upstreams/upstream.ts';
import { readErrorSaid } from '../../../server/upstreams/wire/error-said.ts';
import { faultOfCode } from '../../../server/upstreams/wire/faults.ts';
import { withBench } from '../contract-bench.ts';
import type { ContractSubject, FakeAnswer } from '../contract-subject.ts';
import { generationJob } from '../jobs.ts';
import { always, type ExpectedError, expectFault, reply, type Scenario } from '../scenario.ts';

const retryAfterSeconds = 7;

export const faultScenarios: readonly Scenario[] = [
  answered('tells content that was declined', ({ refusal }) => refusal, { faults: ['refused'] }),
  answered('tells a credential that was not accepted', ({ unauthorized }) => unauthorized, {
    faults: ['auth'],
    possiblyCharged: false,
  }),
  answered('tells an account without money', ({ outOfQuota }) => outOfQuota, {
    faults: ['quota'],
    possiblyCharged: false,
  }),
  answered('tells a service that is out of order', ({ unavailable }) => unavailable, {
    faults: ['unavailable'],
  }),
  answered('tells a gateway that is out of order by a web page', () => webPage(502), {
    faults: ['unavailable'],
  }),
  answered('tells a gateway that waited in vain', () => webPage(504), {
    faults: ['timeout'],
    possiblyCharged: true,
  }),
  answered('takes no page of a firewall for what is said of the credential', () => webPage(403), {
    faults: ['protocol'],
    possiblyCharged: false,
  }),
  answered('takes no web page for a picture', () => webPage(200), {
    faults: ['protocol'],
    possiblyCharged: true,
  }),
  answered('takes no empty body for a picture', () => bodiless, {
    faults: ['protocol'],
    possiblyCharged: true,
  }),

  always('tells when a busy service is to be asked again', async (subject, options) => {
    const answer = subject.fake.tooMany(retryAfterSeconds);
    await withBench({ subject, main: () => reply(answer), ...options }, async (bench) => {
      const outcome = await bench.run(generationJob(subject));
      expectFault(outcome, { faults: ['busy'], possiblyCharged: isCharged(subject, false) });
      expect(outcome.error?.retryAfterMs, 'when it may be asked again').toBe(
        retryAfterSeconds * 1000,
      );
    });
  }),

  {
    name: 'finds the error in an answer that claims success',
    applies: ({ fake }) => fake.errorInside !== null,
    run: async (subject, options) => {
      const answer = subject.fake.errorInside;
      assert(answer);
      const said = faultOfCode(readErrorSaid(parsed(answer)));
      const fault = subject.fake.faults?.errorInside ?? said;
      await expectAnswer(subject, { answer, faults: fault ? [fault] : faults }, options);
    },
  },

  always('takes no empty result for a picture', async (subject, options) => {
    const fault = subject.fake.faults?.empty;
    const { empty: answer } = subject.fake;
    const allowed = fault ? ([fault] as const) : (['protocol', 'refused'] as const);
    await expectAnswer(subject, { answer, faults: allowed }, options);
  }),

  always('takes no words for a picture', async (subject, options) => {
    const fault = subject.fake.faults?.text ?? 'protocol';
    await expectAnswer(subject, { answer: subject.fake.text, faults: [fault] }, options);
  }),

  always('tells an address at which there is nothing of the kind', async (subject, options) => {
    const nothing = () => reply(webPage(404));
    await withBench({ subject, main: nothing, other: nothing, ...options }, async (bench) => {
      const outcome = await bench.run(generationJob(subject));
      expectFault(outcome, { faults: ['unsupported'], possiblyCharged: false });
    });
  }),

  always('tells a service that nobody can connect to', async (subject, options) => {
    const main = () => reply(webPage(500));
    await withBench({ subject, main, ...options }, async (bench) => {
      await bench.fake.stop();
      const outcome = await bench.run(generationJob(subject));
      expectFault(outcome, { faults: ['unavailable'], possiblyCharged: false });
    });
  }),

  {
    name: 'tells of the model list too that the credential was not accepted',
    applies: ({ fake }) => fake.modelList !== null,
    run: async (subject, options) => {
      const answer = () => reply(subject.fake.unauthorized);
      await withBench({ subject, main: answer, other: answer, ...options }, async (bench) => {
        const error = await bench.listModels().catch((thrown: unknown) => thrown);
        assert(error instanceof UpstreamError, 'it rejects with an UpstreamError');
        expect(error.fault).toBe('auth');
      });
    },
  },

  {
    name: 'takes no web page for a model list',
    applies: ({ fake }) => fake.modelList !== null,
    run: async (subject, options) => {
      const answer = () => reply(webPage(200));
      await withBench({ subject, main: answer, other: answer, ...options }, async (bench) => {
        const error = await bench.listModels().catch((thrown: unknown) => thrown);
        assert(error instanceof UpstreamError, 'it rejects with an UpstreamError');
        expect(error.fault).toBe('protocol');
      });
    },
  },
];

/** A scenario in which one answer, where the protocol has it, leads to one kind of error. */
function answered(
  name: string,
  choose: (fake: ContractSubject['fake']) => FakeAnswer | null,
  expected: ExpectedError,
): Scenario {
  return {
    name,
    applies: ({ fake }) => choose(fake) !== null,
    run: async (subject, options) => {
      const answer = choose(subject.fake);
      assert(answer, 'the scenario applies to protocols that have this answer');
      await expectAnswer(subject, { answer, ...expected }, options);
    },
  };
}

async function expectAnswer(
  subject: ContractSubject,
  { answer, ...expected }: ExpectedError & { answer: FakeAnswer },
  options: { patienceMs?: number } = {},
): Promise<void> {
  await withBench({ subject, main: () => reply(answer), ...options }, async (bench) => {
    const outcome = await bench.run(generationJob(subject));
    const { possiblyCharged, ...others } = expected;
    expectFault(outcome, {
      ...others,
      ...(possiblyCharged !== undefined && {
        possiblyCharged: isCharged(subject, possiblyCharged),
      }),
    });
    // What was answered with success may have been paid for.
    if (answer.status === 200 && outcome.error?.fault === 'protocol') {
      expect(outcome.error.possiblyCharged, 'possiblyCharged').toBe(true);
    }
  });
}

export function webPage(status: number): FakeAnswer {
  const page =
    '<!doctype html><title>Gateway</title><p>Our harbour office is closed for content policy week';
  return { status, headers: { 'content-type': 'text/html' }, body: [Buffer.from(page)] };
}

const bodiless: FakeAnswer = {
  status: 200,
  headers: { 'content-type': 'application/json', 'content-length': '0' },
  body: [],
};

function parsed({ body }: FakeAnswer): unknown {
  try {
    return JSON.parse(Buffer.concat(body).toString());
  } catch {
    // An event stream says it in another way.
    return null;
  }
}

/** Where the picture is made before the main exchange, nothing that becomes of that unmakes it. */
function isCharged({ fake }: ContractSubject, otherwise: boolean): boolean {
  return fake.fetchesMade === true || otherwise;
}
