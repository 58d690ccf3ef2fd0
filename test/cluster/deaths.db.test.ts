/** Workers and supervisors that are killed, and that are told to stop, with requests under way. */
import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Database } from '../../server/db/db.ts';
import { must } from '../../server/lib/assert.ts';
import { errorOf } from '../support/callers/api.ts';
import type { Fields } from '../support/callers/ways-to-ask.ts';
import { forEachEngine } from '../support/databases/databases.ts';
import { sumOf } from '../support/metrics-text.ts';
import { addSpender, type Caller, violationsOf, walletOf } from '../support/money/spending.ts';
import { patience } from '../support/patience.ts';
import { askService, equip } from '../support/processes/service-process.ts';
import {
  allGone,
  type ServiceWorkers,
  startWorkers,
} from '../support/processes/service-workers.ts';
import { serveCountedModel } from '../support/upstreams/counted-model.ts';

const timeoutMs = 180_000;
const endless = { prompt: 'a fox [[delay=300s]] [[actual=32x32]]' };

forEachEngine((engine) => {
  let database: Database;
  let spender: Caller;

  beforeEach(async () => {
    database = await engine.open();
    await equip(database);
    spender = await addSpender(database, '1.00', 1_000);
  });

  const start = (options: Record<string, string> = {}) =>
    startWorkers(engine, database, { TINTYPE_WORKERS: '2', ...options }, onTestFinished);
  const wallet = () => walletOf(database, spender.userId);
  const total = async (service: ServiceWorkers) =>
    [...(await service.running()).values()].reduce((sum, count) => sum + count, 0);

  /** Requests that a worker runs, and those that it has another one run. */
  const waitedFor = async (service: ServiceWorkers) =>
    sumOf(await service.metrics(), 'tintype_requests_running');

  describe('a worker that is killed', { timeout: timeoutMs }, () => {
    it('costs nobody anything but its own requests, gives its places back and is replaced', async () => {
      const { model, upstream } = await serveCountedModel(database, 2);
      const service = await start();
      const before = await service.pids();
      let done = 0;
      const answers = Array.from({ length: 10 }, () =>
        askService(service, spender, { model }).then(
          ({ status }) => {
            done++;
            return status;
          },
          () => null,
        ),
      );
      await expect.poll(() => total(service), patience).toBe(10);
      await expect.poll(() => upstream.running, patience).toBe(2);
      const [[killed = 0, lost = 0] = []] = await service.running();
      process.kill(killed, 'SIGKILL');
      await expect
        .poll(() => {
          upstream.letGo(2);
          return done;
        }, patience)
        .toBe(10 - lost);
      const statuses = await Promise.all(answers);
      expect(statuses.filter((status) => status === null)).toHaveLength(lost);
      expect(statuses.filter((status) => status === 200)).toHaveLength(10 - lost);
      expect(upstream.most).toBe(2);

      // The next worker clears up after it as soon as it starts.
      await expect.poll(() => service.pids(), { timeout: 60_000 }).toHaveLength(2);
      const others = before.filter((pid) => pid !== killed);
      expect(await service.pids()).toEqual(expect.arrayContaining(others));
      const paid = (1 - 0.1 * (10 - lost)).toFixed(2);
      await expect.poll(wallet, patience).toBe(`${paid} balance, 0.00 held, 0 slots`);
      expect(await violationsOf(database)).toEqual([]);
      expect(service.log).toContainEqual(
        expect.objectContaining({ msg: 'a worker ended', signal: 'SIGKILL' }),
      );
      expect((await fetch(`${service.baseUrl}/readyz`)).status).toBe(200);
    });
  });

  describe('a connection that was handed to a worker', { timeout: timeoutMs }, () => {
    it('is closed when that one dies before it has taken it, and gives back what it had', async () => {
      const { model, upstream } = await serveCountedModel(database, 1);
      const service = await start();
      let answered = 0;
      const ask = (fields: Fields = {}) =>
        askService(service, spender, fields, { headers: { connection: 'close' } }).then(
          ({ status }) => {
            answered++;
            return status;
          },
          () => 'closed',
        );
      const first = ask({ model });
      await expect.poll(() => upstream.running, patience).toBe(1);
      const [[frozen = 0] = []] = await service.running();
      process.kill(frozen, 'SIGSTOP');
      // In turn: one comes to the worker that stands still, and no further one until it has taken that.
      const others = [ask(), ask(), ask()];
      await expect.poll(() => answered, patience).toBe(2);
      process.kill(frozen, 'SIGKILL');
      expect(await first).toBe('closed');
      const ended = await Promise.all(others);
      expect(ended.filter((end) => end === 200)).toHaveLength(2);
      expect(ended).toContain('closed');
      // The dead one's place with the upstream is free.
      const next = ask({ model });
      await expect.poll(() => upstream.asked, patience).toBe(2);
      upstream.letGo(2);
      expect(await next).toBe(200);
    });
  });

  describe('a worker that is told to stop', { timeout: timeoutMs }, () => {
    it('finishes what it does, and is replaced', async () => {
      const service = await start();
      const [first = 0, second = 0] = await service.pids();
      const answers = Array.from({ length: 4 }, () =>
        askService(service, spender, { prompt: 'a fox [[delay=2s]] [[actual=32x32]]' }),
      );
      await expect.poll(() => total(service), patience).toBe(4);
      process.kill(first, 'SIGTERM');
      const statuses = (await Promise.all(answers)).map(({ status }) => status);
      expect(statuses).toEqual([200, 200, 200, 200]);
      await allGone([first]);
      await expect.poll(() => service.pids(), { timeout: 60_000 }).toHaveLength(2);
      expect(await service.pids()).toContain(second);
      expect(await violationsOf(database)).toEqual([]);
    });
  });

  describe('a service that is stopped', { timeout: timeoutMs }, () => {
    it.each(['SIGTERM', 'SIGHUP'] as const)(
      'finishes what runs in every worker at %s, takes no connections, and leaves nothing open',
      async (signal) => {
        const service = await start();
        const pids = await service.pids();
        const answers = Array.from({ length: 4 }, () =>
          askService(service, spender, { prompt: 'a fox [[delay=3s]] [[actual=32x32]]' }),
        );
        await expect.poll(() => total(service), patience).toBe(4);
        expect((await service.running()).size).toBe(2);
        // Of a terminal that is closed, every process is told.
        const told = signal === 'SIGHUP' ? [...pids, service.pid] : [service.pid];
        for (const pid of told) process.kill(pid, signal);
        await expect
          .poll(() => fetch(`${service.baseUrl}/healthz`).then(String, () => 'refused'), patience)
          .toBe('refused');
        const statuses = (await Promise.all(answers)).map(({ status }) => status);
        expect(statuses).toEqual([200, 200, 200, 200]);
        expect(await service.exit).toEqual([0, null]);
        expect(await service.pids()).toEqual([]);
        await allGone(pids);
        expect(await wallet()).toBe('0.84 balance, 0.00 held, 0 slots');
        expect(await violationsOf(database)).toEqual([]);
      },
    );

    it('tells whoever waits for a request that takes too long, at whichever worker', async () => {
      const service = await start({ TINTYPE_SHUTDOWN_LIMIT: '1s' });
      const headers = { connection: 'close', 'idempotency-key': 'one' };
      const answers = Array.from({ length: 2 }, () =>
        askService(service, spender, endless, { headers }),
      );
      await expect.poll(() => waitedFor(service), patience).toBe(2);
      service.kill('SIGTERM');
      for (const answer of await Promise.all(answers)) {
        expect(errorOf(answer)).toMatchObject({ code: 'unavailable' });
        expect(errorOf(answer).message).toContain('stopping');
      }
      expect(await service.exit).toEqual([0, null]);
      expect(await wallet()).toBe('1.00 balance, 0.00 held, 0 slots');
    });

    it('ends at once by a second signal', async () => {
      const service = await start();
      const pids = await service.pids();
      const answers = Array.from({ length: 2 }, () =>
        askService(service, spender, endless).catch(() => null),
      );
      await expect.poll(() => total(service), patience).toBe(2);
      service.kill('SIGTERM');
      await expect.poll(() => service.log.map(({ msg }) => msg), patience).toContain('stopping');
      service.kill('SIGTERM');
      expect(await service.exit).toEqual([1, null]);
      await allGone(pids);
      expect(await Promise.all(answers)).toEqual([null, null]);
    });
  });

  describe('a supervisor that is killed', { timeout: timeoutMs }, () => {
    it('has its workers finish what they do, and end', async () => {
      const service = await start();
      const pids = await service.pids();
      const answers = Array.from({ length: 2 }, () =>
        askService(service, spender, { prompt: 'a fox [[delay=2s]] [[actual=32x32]]' }),
      );
      await expect.poll(() => total(service), patience).toBe(2);
      service.kill('SIGKILL');
      expect(await service.exit).toEqual([null, 'SIGKILL']);
      const statuses = (await Promise.all(answers)).map(({ status }) => status);
      expect(statuses).toEqual([200, 200]);
      await allGone(pids);
      expect(await wallet()).toBe('0.92 balance, 0.00 held, 0 slots');
      expect(await violationsOf(database)).toEqual([]);
    });

    it('breaks off what its workers pass on for each other, and says so', async () => {
      const service = await start();
      const prompt = 'a fox [[delay=6s]] [[actual=32x32]]';
      const headers = { connection: 'close', 'idempotency-key': 'one' };
      const ask = () => askService(service, spender, { prompt }, { headers });
      const first = ask();
      await expect.poll(() => waitedFor(service), patience).toBe(1);
      // One to each worker, which take connections in turn: the other one has to ask for the run.
      const repeats = [ask(), ask()];
      await expect.poll(() => waitedFor(service), patience).toBe(2);
      // It counts as soon as it asks, and the answer comes before what that worker says at another look.
      expect(await waitedFor(service)).toBe(2);
      service.kill('SIGKILL');
      const statuses = (await Promise.all([first, ...repeats])).map(({ status }) => status);
      expect(new Set(statuses)).toEqual(new Set([200, 503]));
      await expect.poll(wallet, patience).toBe('0.96 balance, 0.00 held, 0 slots');
      expect(await violationsOf(database)).toEqual([]);
    });

    it('leaves no worker that waits for its port, which only the supervisor could give it', {
      skip: process.platform !== 'linux',
      meta: { skippedBecause: 'looks for processes in /proc' },
    }, async () => {
      const service = await start();
      const [killed = 0, other = 0] = await service.pids();
      process.kill(killed, 'SIGKILL');
      const next = () => childrenOf(service.pid).find((pid) => pid !== killed && pid !== other);
      await expect.poll(next, { ...patience, interval: 5 }).toBeDefined();
      // It has told the new one what to do when it has handed on a connection.
      await fetch(`${service.baseUrl}/healthz`);
      service.kill('SIGSTOP');
      const started = must(next(), 'the worker that takes its place');
      await expect.poll(() => service.pids(), { timeout: 60_000 }).toContain(started);
      service.kill('SIGKILL');
      await allGone([started, other]);
    });
  });
});

function childrenOf(pid: number): number[] {
  const pids = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return pids.split(' ').filter(Boolean).map(Number);
}
