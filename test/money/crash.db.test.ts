/** Services that are killed, and services that are stopped, with requests under way. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../server/db/db.ts';
import { errorOf, outcomeOf } from '../support/callers/api.ts';
import { forEachEngine } from '../support/databases/databases.ts';
import { addSpender, type Caller, violationsOf, walletOf } from '../support/money/spending.ts';
import { patience } from '../support/patience.ts';
import {
  askService,
  equip,
  type ServiceProcess,
  startService,
} from '../support/processes/service-process.ts';

/** Longer than any of these tests. */
const endless = { prompt: 'a fox [[delay=300s]] [[actual=32x32]]' };
const untouched = '1.00 balance, 0.00 held, 0 slots';
const charged = '0.96 balance, 0.00 held, 0 slots';
const headers = { 'idempotency-key': 'k' };

forEachEngine((engine) => {
  let database: Database;
  let spender: Caller;

  beforeEach(async () => {
    database = await engine.open();
    await equip(database);
    spender = await addSpender(database, '1.00');
  });

  const start = (options: Record<string, string> = {}) =>
    startService(engine.locationOf(database), options);
  const wallet = () => walletOf(database, spender.userId);

  /** Requests that have their holds; their answers become `null` when they are cut off. */
  async function startEndless(service: ServiceProcess, count: number, signal?: AbortSignal) {
    const answers = Array.from({ length: count }, () =>
      askService(service, spender, endless, signal ? { signal } : {}).catch(() => null),
    );
    await expect.poll(wallet, patience).toContain(`${count} slots`);
    return answers;
  }

  describe('a service that is killed', () => {
    it('has its holds ended by the next one as soon as that starts', async () => {
      const service = await start();
      expect(await askService(service, spender)).toMatchObject({ status: 200 });
      await expect.poll(deliveries, patience).toBe(1);
      const answers = await startEndless(service, 5);
      service.kill('SIGKILL');
      expect(await service.exit).toEqual([null, 'SIGKILL']);
      expect(await Promise.all(answers)).toEqual([null, null, null, null, null]);
      expect(await wallet()).toBe('0.96 balance, 0.20 held, 5 slots');

      const next = await start();
      expect(await wallet()).toBe(charged);
      expect(await recordsOf()).toEqual({
        'succeeded null 40000': 1,
        'failed interrupted 0': 5,
      });
      expect(await violationsOf(database)).toEqual([]);
      expect(await askService(next, spender)).toMatchObject({ status: 200 });
    });

    it('has its holds ended by another one that runs, when its lease is over', async () => {
      const lease = { TINTYPE_LEASE: '1s', TINTYPE_LEASE_RENEW: '100ms' };
      const [service, other] = await Promise.all([start(lease), start(lease)]);
      const answers = await startEndless(service, 3);
      service.kill('SIGKILL');
      expect(await Promise.all(answers)).toEqual([null, null, null]);
      await expect.poll(wallet, patience).toBe(untouched);
      expect(await violationsOf(database)).toEqual([]);
      expect(await askService(other, spender)).toMatchObject({ status: 200 });
    });

    it('gives back a charge whose picture nobody got, and the Idempotency-Key', async () => {
      const service = await start();
      const client = new AbortController();
      const left = askService(
        service,
        spender,
        { prompt: 'a fox [[delay=500ms]] [[actual=32x32]]' },
        { headers, signal: client.signal },
      ).catch(() => 'left');
      await expect.poll(wallet, patience).toContain('1 slots');
      client.abort();
      expect(await left).toBe('left');
      await expect.poll(wallet, patience).toBe(charged);
      service.kill('SIGKILL');
      await service.exit;

      const next = await start();
      expect(await wallet()).toBe(untouched);
      expect(await violationsOf(database)).toEqual([]);
      const answer = await askService(next, spender, {}, { headers });
      expect(answer).toMatchObject({ status: 200 });
      expect(answer.headers.has('idempotent-replayed')).toBe(false);
      expect(await wallet()).toBe(charged);
    });

    it('has the request made by another one that it is repeated at, for one charge', async () => {
      const lease = { TINTYPE_LEASE: '1s', TINTYPE_LEASE_RENEW: '100ms' };
      const [service, other] = await Promise.all([start(lease), start(lease)]);
      const client = new AbortController();
      const fields = { prompt: 'a fox [[delay=500ms]] [[actual=32x32]]' };
      const left = askService(service, spender, fields, { headers, signal: client.signal });
      left.catch(() => 'left');
      await expect.poll(wallet, patience).toContain('1 slots');
      client.abort();
      await expect.poll(wallet, patience).toBe(charged);
      service.kill('SIGKILL');
      const statuses = new Set<number>();
      const repeat = async () => {
        const { status } = await askService(other, spender, fields, { headers });
        statuses.add(status);
        return status;
      };
      await expect.poll(repeat, patience).toBe(200);
      expect([...statuses]).not.toContain(400);
      expect(await wallet()).toBe(charged);
      expect(await violationsOf(database)).toEqual([]);
    });

    it('keeps a charge whose picture was taken, and knows its Idempotency-Key', async () => {
      const service = await start();
      const first = await askService(service, spender, {}, { headers });
      await expect.poll(deliveries, patience).toBe(1);
      service.kill('SIGKILL');
      await service.exit;

      const next = await start();
      const repeat = await askService(next, spender, {}, { headers });
      expect(outcomeOf(repeat)).toEqual({
        status: 400,
        code: 'invalid_request_error',
        param: 'Idempotency-Key',
      });
      expect(errorOf(repeat).message).toContain(first.headers.get('x-request-id'));
      expect(errorOf(repeat).message).toContain('charged once');
      expect(repeat.headers.get('x-should-retry')).toBe('false');
      expect(await wallet()).toBe(charged);
    });
  });

  describe('a service that is stopped', () => {
    it('finishes what runs, takes no connections, and leaves nothing open', async () => {
      const service = await start();
      const running = askService(service, spender, {
        prompt: 'a fox [[delay=2s]] [[actual=32x32]]',
      });
      await expect.poll(wallet, patience).toContain('1 slots');
      service.kill('SIGTERM');
      await expect
        .poll(() => fetch(`${service.baseUrl}/healthz`).then(String, () => 'refused'), patience)
        .toBe('refused');
      expect(await running).toMatchObject({ status: 200 });
      expect(await service.exit).toEqual([0, null]);
      expect(await wallet()).toBe(charged);
      expect(await deliveries()).toBe(1);
      expect(await violationsOf(database)).toEqual([]);
    });

    it('ends what takes too long without a charge, and says so', async () => {
      const service = await start({ TINTYPE_SHUTDOWN_LIMIT: '300ms' });
      const [answer] = await startEndless(service, 1);
      service.kill('SIGTERM');
      expect(await answer).toMatchObject({ status: 503 });
      expect(await service.exit).toEqual([0, null]);
      expect(await wallet()).toBe(untouched);
      expect(await recordsOf()).toEqual({ 'failed interrupted 0': 1 });
    });

    it('does not wait for those who left, and gives back what they did not take', async () => {
      const service = await start();
      const client = new AbortController();
      const [cutOff] = await startEndless(service, 1, client.signal);
      client.abort();
      expect(await cutOff).toBeNull();
      const keyed = new AbortController();
      const soon = { prompt: 'a fox [[delay=500ms]] [[actual=32x32]]' };
      const init = { headers, signal: keyed.signal };
      const left = askService(service, spender, soon, init).catch(() => 'left');
      await expect.poll(wallet, patience).toContain('2 slots');
      keyed.abort();
      await left;
      await expect.poll(wallet, patience).toBe('0.96 balance, 0.04 held, 1 slots');
      service.kill('SIGTERM');
      expect(await service.exit).toEqual([0, null]);
      expect(await wallet()).toBe(untouched);
      expect(await recordsOf()).toEqual({ 'canceled client_gone 0': 2 });
      expect(await violationsOf(database)).toEqual([]);
    });
  });

  /** How many usage records there are of each status, code and cost. */
  async function recordsOf(): Promise<Record<string, number>> {
    const records = await database.kysely
      .selectFrom('usage_records')
      .select(['status', 'code', 'cost'])
      .where('user_id', '=', spender.userId)
      .execute();
    const counts: Record<string, number> = {};
    for (const { status, code, cost } of records) {
      const name = `${status} ${code} ${cost}`;
      counts[name] = (counts[name] ?? 0) + 1;
    }
    return counts;
  }

  /** Charges whose answers are known to have been handed over. */
  async function deliveries(): Promise<number> {
    const rows = await database.kysely
      .selectFrom('holds')
      .select('trace_id')
      .where('delivered_at', 'is not', null)
      .execute();
    return rows.length;
  }
});
