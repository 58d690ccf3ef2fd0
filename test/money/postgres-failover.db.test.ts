/** Requests under way while their PostgreSQL goes away: for a moment, or for its standby. */
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Database } from '../../server/db/db.ts';
import { openDatabase } from '../../server/db/open.ts';
import { sweepHolds } from '../../server/flows/money/sweep-holds.ts';
import { systemClock } from '../../server/lib/clock.ts';
import { startTestApp, type TestApp, type TestUser } from '../support/app.ts';
import { imagesOf } from '../support/callers/answers.ts';
import { type Answer, answerOf } from '../support/callers/api.ts';
import { expectTryAgain } from '../support/callers/try-again.ts';
import { generation } from '../support/callers/ways-to-ask.ts';
import { forEachEngine } from '../support/databases/databases.ts';
import { FaultyProxy } from '../support/databases/faulty-proxy.ts';
import { startPair, startPostgres } from '../support/databases/postgres-cluster.ts';
import { runSql } from '../support/databases/postgres-server.ts';
import { violationsOf, walletOf } from '../support/money/spending.ts';
import { patience } from '../support/patience.ts';

const onlyPostgres = { meta: { skippedBecause: 'concerns PostgreSQL servers' } };

forEachEngine((engine) => {
  describe('a PostgreSQL', { ...onlyPostgres, skip: engine.name !== 'postgres' }, () => {
    it.each([
      ['is restarted', 'SIGINT', 'url'],
      ['crashes and starts again', 'SIGQUIT', 'url'],
      ['is restarted, and reached by a file of the system,', 'SIGINT', 'socketUrl'],
    ] as const)(
      'that %s under running requests charges each picture once',
      async (_, signal, way) => {
        const server = await startPostgres();
        const app = await startApp(server[way]);
        const database = openDirectly(server.url);
        const user = await app.addUser({ slotsMax: requests });
        const prompt = 'a fox [[delay=1s]] [[actual=32x32]]';
        const answers = Array.from({ length: requests }, () => ask(app, user, { prompt }));
        await expect.poll(() => slotsOf(database, user), patience).toBe(requests);
        await server.stop(signal);
        expectTryAgain(await ask(app, user));
        await server.start();
        for (const answer of await Promise.all(answers)) imagesOf(answer);
        imagesOf(await ask(app, user));
        await app.stop();
        // 13 × 0.04.
        expect(await walletOf(database, user.id)).toBe('99.48 balance, 0.00 held, 0 slots');
        expect(await violationsOf(database)).toEqual([]);
        expect(await refundsOf(database)).toEqual([]);
      },
    );

    it('that is replaced by its standby keeps every charge of a picture that was sent', async () => {
      const { primary, standby } = await startPair();
      const proxy = await FaultyProxy.start(primary.url);
      onTestFinished(() => proxy.stop());
      const app = await startApp(proxy.urlOf(primary.url));
      // An admission that was cut off may keep its slot until the sweep: room for one a client.
      const user = await app.addUser({ slotsMax: 2 * clients });
      const { answers, stop } = keepAsking(app, user);
      const pictures = () => answers.filter(({ status }) => status === 200).length;
      await expect.poll(pictures, patience).toBeGreaterThan(clients * 3);
      await primary.stop('SIGQUIT');
      await runSql(standby.url, 'select pg_promote()');
      proxy.switchTo(standby.url);
      const before = pictures();
      await expect.poll(pictures, patience).toBeGreaterThan(before + clients * 3);
      await stop();
      await app.stop();

      const database = openDirectly(standby.url);
      for (const answer of answers) if (answer.status !== 200) expectTryAgain(answer);
      const sent = answers.filter(({ status }) => status === 200).map(traceIdOf);
      expect((await chargesOf(database)).sort()).toEqual(sent.sort());
      // As the next process does when it starts: an admission that was cut off may have happened unheard.
      await sweepHolds(database, systemClock);
      const left = (100 - 0.04 * sent.length).toFixed(2);
      expect(await walletOf(database, user.id)).toBe(`${left} balance, 0.00 held, 0 slots`);
      expect(await violationsOf(database)).toEqual([]);
    });
  });
});

const requests = 12;
const clients = 8;

async function startApp(url: string): Promise<TestApp> {
  const app = await startTestApp({ url, dataDir: '' });
  let stopped: Promise<void> | null = null;
  const stop = () => (stopped ??= app.stop());
  onTestFinished(stop);
  return { ...app, stop };
}

/** A way for the test itself, which does not break with the service's. */
function openDirectly(url: string): Database {
  const database = openDatabase({
    url,
    dataDir: '',
    connectionsMax: 2,
    connectTimeoutMs: 10_000,
    onBackgroundError: () => {},
  });
  onTestFinished(() => database.close());
  return database;
}

async function ask(app: TestApp, user: TestUser, fields: Record<string, unknown> = {}) {
  const { headers, body } = generation.write(fields);
  return answerOf(
    await fetch(`${app.baseUrl}${generation.path}`, {
      method: 'POST',
      headers: { ...headers, authorization: `Bearer ${user.apiKey}` },
      body,
    }),
  );
}

/** Clients that ask again as soon as they have an answer, whatever it is. */
function keepAsking(app: TestApp, user: TestUser) {
  const answers: Answer[] = [];
  const over = new AbortController();
  const keepOn = async () => {
    while (!over.signal.aborted) {
      answers.push(await ask(app, user, { prompt: 'a fox [[delay=100ms]] [[actual=32x32]]' }));
    }
  };
  const all = Promise.all(Array.from({ length: clients }, keepOn));
  return {
    answers,
    stop: async () => {
      over.abort();
      await all;
    },
  };
}

function traceIdOf({ headers }: Answer): string {
  return headers.get('x-request-id') ?? '';
}

async function slotsOf({ kysely }: Database, { id }: TestUser): Promise<number> {
  const wallet = await kysely
    .selectFrom('wallets')
    .select('in_flight')
    .where('user_id', '=', id)
    .executeTakeFirstOrThrow();
  return wallet.in_flight;
}

/** The trace IDs of charges that stand. */
async function chargesOf(database: Database): Promise<string[]> {
  const refunded = new Set(await refundsOf(database));
  const rows = await tracesOf(database, 'charge');
  return rows.filter((traceId) => !refunded.has(traceId));
}

function refundsOf(database: Database): Promise<string[]> {
  return tracesOf(database, 'refund');
}

async function tracesOf({ kysely }: Database, kind: 'charge' | 'refund'): Promise<string[]> {
  const rows = await kysely
    .selectFrom('wallet_transactions')
    .select('trace_id')
    .where('kind', '=', kind)
    .execute();
  return rows.map(({ trace_id }) => trace_id ?? '');
}
