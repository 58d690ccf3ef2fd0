/** Where an adapter goes: to its own service, and nowhere that an answer sends it. */

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { assert, expect } from 'vitest';
import { withBench } from '../contract-bench.ts';
import type { ContractSubject, FakeAnswer, SeenRequest } from '../contract-subject.ts';
import { type Delivery, endless, heldHalfway, whole } from '../deliveries.ts';
import { generationJob, realPicture } from '../jobs.ts';
import { always, expectFault, expectPicture, reply, type Scenario } from '../scenario.ts';
import { webPage } from './faults.ts';

const resultPath = '/contract-result.png';

export const addressScenarios: readonly Scenario[] = [
  always('follows no redirect to another origin', async (subject, options) => {
    await withElsewhere(async (elsewhere) => {
      for (const status of [301, 302, 303, 307, 308]) {
        const location = `${elsewhere.origin}/v1/images`;
        const answer: FakeAnswer = { status, headers: { location }, body: [] };
        await withBench({ subject, main: () => reply(answer), ...options }, async (bench) => {
          expectFault(await bench.run(generationJob(subject)), { faults: ['protocol'] });
        });
      }
      expect(elsewhere.connections(), 'connections to the other origin').toBe(0);
    });
  }),

  {
    name: 'fetches a result from the origin of the service',
    applies: hasResultUrls,
    run: async (subject, options) => {
      const picture = await realPicture();
      const result = { status: 200, headers: { 'content-type': 'image/png' }, body: [picture] };
      await withResult(subject, { result, ...options }, async (bench) => {
        expectPicture(await bench.run(generationJob(subject)), picture);
      });
    },
  },

  {
    name: 'fetches no result from a private address',
    applies: hasResultUrls,
    run: async (subject, options) => {
      await withElsewhere(async (elsewhere) => {
        for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]']) {
          const answer = answerAt(subject, `http://${host}:${elsewhere.port}${resultPath}`);
          await withBench({ subject, main: () => reply(answer), ...options }, async (bench) => {
            const outcome = await bench.run(generationJob(subject));
            expectFault(outcome, { faults: ['protocol'], possiblyCharged: true });
          });
        }
        expect(elsewhere.connections(), 'connections to the private address').toBe(0);
      });
    },
  },

  {
    name: 'follows no redirect of a result to a private address',
    applies: hasResultUrls,
    run: async (subject, options) => {
      await withElsewhere(async (elsewhere) => {
        const location = `${elsewhere.origin}${resultPath}`;
        const result = { status: 302, headers: { location }, body: [] };
        await withResult(subject, { result, ...options }, async (bench) => {
          const outcome = await bench.run(generationJob(subject));
          expectFault(outcome, { faults: ['protocol'], possiblyCharged: true });
        });
        expect(elsewhere.connections(), 'connections to the private address').toBe(0);
      });
    },
  },

  {
    name: 'reads no address that is not one of the web',
    applies: hasResultUrls,
    run: async (subject, options) => {
      for (const url of ['file:///etc/hostname', 'ftp://127.0.0.1/a.png', 'nonsense', '']) {
        const answer = answerAt(subject, url);
        await withBench({ subject, main: () => reply(answer), ...options }, async (bench) => {
          const outcome = await bench.run(generationJob(subject));
          expectFault(outcome, { faults: ['protocol'], possiblyCharged: true });
        });
      }
    },
  },

  {
    name: 'tells a result that is not there',
    applies: hasResultUrls,
    run: async (subject, options) => {
      await withResult(subject, { result: webPage(404), ...options }, async (bench) => {
        const outcome = await bench.run(generationJob(subject));
        expectFault(outcome, { faults: ['protocol'], possiblyCharged: true });
      });
    },
  },

  {
    name: 'fetches a result again that cannot be had for a moment',
    applies: hasResultUrls,
    run: async (subject, options) => {
      const picture = await realPicture();
      const found = { status: 200, headers: { 'content-type': 'image/png' }, body: [picture] };
      for (const status of [429, 500, 503, 504]) {
        let asked = 0;
        const result = () => (asked++ === 0 ? webPage(status) : found);
        await withResult(subject, { result, ...options }, async (bench) => {
          expectPicture(await bench.run(generationJob(subject)), picture);
          expect(bench.fake.mainRequests.length, 'pictures asked for').toBe(1);
        });
      }
    },
  },

  {
    name: 'gives up a result without end',
    applies: hasResultUrls,
    run: async (subject, options) => {
      const deliver = endless(Buffer.alloc(256 * 1024), (body) => body);
      const result = { status: 200, headers: { 'content-type': 'image/png' }, body: [] };
      await withResult(subject, { result, deliver, ...options }, async (bench) => {
        const outcome = await bench.run(generationJob(subject));
        expectFault(outcome, { faults: ['protocol'], possiblyCharged: true });
      });
    },
  },

  {
    name: 'closes the connection to a result when it is told to stop',
    applies: hasResultUrls,
    run: async (subject, options) => {
      const result = {
        status: 200,
        headers: { 'content-type': 'image/png' },
        body: [await realPicture()],
      };
      await withResult(subject, { result, deliver: heldHalfway, ...options }, async (bench) => {
        const stop = new AbortController();
        const running = bench.run(generationJob(subject), { signal: stop.signal });
        await bench.untilFake(({ seen }) => seen.some(isForResult), 'the result is fetched');
        stop.abort();
        expectFault(await running, { faults: ['canceled'] });
      });
    },
  },
];

function hasResultUrls({ fake }: ContractSubject): boolean {
  return fake.pictureAt !== null;
}

function answerAt({ fake }: ContractSubject, url: string): FakeAnswer {
  assert(fake.pictureAt, 'the scenario applies to protocols that answer with addresses');
  return fake.pictureAt(url);
}

function isForResult({ path }: SeenRequest): boolean {
  return path === resultPath;
}

/** A service that answers with an address of its own, where it has the result. */
async function withResult(
  subject: ContractSubject,
  options: {
    result: FakeAnswer | (() => FakeAnswer);
    deliver?: Delivery;
    patienceMs?: number;
  },
  work: Parameters<typeof withBench>[1],
): Promise<void> {
  const { result, deliver = whole, patienceMs } = options;
  await withBench(
    {
      subject,
      main: (_request, origin) => reply(answerAt(subject, `${origin}${resultPath}`)),
      other: (request) => {
        if (!isForResult(request)) return null;
        return reply(typeof result === 'function' ? result() : result, deliver);
      },
      patienceMs,
    },
    work,
  );
}

interface Elsewhere {
  origin: string;
  port: number;
  connections(): number;
}

/** Another service on this machine, which is none of the adapter's business. */
async function withElsewhere(work: (elsewhere: Elsewhere) => Promise<void>): Promise<void> {
  let connections = 0;
  const server: Server = createServer((_request, response) => response.end());
  server.on('connection', () => {
    connections++;
  });
  // On all addresses, so that whatever name leads here would be let in.
  server.listen(0);
  await once(server, 'listening');
  // A listening TCP server's address is never a string.
  const { port } = server.address() as AddressInfo;
  try {
    await work({ origin: `http://127.0.0.1:${port}`, port, connections: () => connections });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
