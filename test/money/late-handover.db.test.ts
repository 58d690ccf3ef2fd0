/**
 * Answers whose process cannot be sure of its lease any more: others may return their charges, so the delivery
 * is claimed before it begins. Here the way to the database fails meanwhile.
 */
import { describe, expect, it } from 'vitest';
import type { Config } from '../../server/config.ts';
import type { Database } from '../../server/db/db.ts';
import { claimTriesMax } from '../../server/flows/money/end-hold.ts';
import { sweepHolds } from '../../server/flows/money/sweep-holds.ts';
import { must } from '../../server/lib/assert.ts';
import { systemClock } from '../../server/lib/clock.ts';
import { picturesOf } from '../support/callers/answers.ts';
import { errorOf } from '../support/callers/api.ts';
import { expectTryAgain } from '../support/callers/try-again.ts';
import { generation } from '../support/callers/ways-to-ask.ts';
import { forEachEngine } from '../support/databases/databases.ts';
import type { StatementFate } from '../support/databases/faulty-proxy.ts';
import { violationsOf } from '../support/money/spending.ts';
import { patience } from '../support/patience.ts';
import { type FaultyService, startFaultyService } from '../support/processes/faulty-service.ts';

const full = '100.00 balance, 0.00 held, 0 slots';
const charged = '99.96 balance, 0.00 held, 0 slots';
const fates: readonly StatementFate[] = ['is lost', 'happens unheard'];

/** Over at once, and never renewed. */
const lease: Partial<Config> = { leaseMs: 1, leaseRenewMs: 100_000_000 };

const onlyPostgres = {
  meta: { skippedBecause: 'concerns PostgreSQL and the way to it' },
};

forEachEngine((engine) => {
  const start = () => startFaultyService(engine, { config: lease });

  describe('a late answer', { ...onlyPostgres, skip: engine.name !== 'postgres' }, () => {
    it.each(fates)('is given for one charge when its claim %s', async (fate) => {
      const { ask, database, proxy, wallet } = await start();
      const failed = proxy.fail('claim_delivery', fate);
      expect(picturesOf(await ask())).toHaveLength(1);
      await failed;
      expect(await wallet()).toBe(charged);
      expect(await violationsOf(database)).toEqual([]);
    });

    describe.each(fates)('whose claim %s at every try', (fate) => {
      const startFailing = async () => {
        const service = await start();
        void service.proxy.fail('claim_delivery', fate, claimTriesMax);
        return service;
      };

      it('is not given, and its charge is returned', async () => {
        const service = await startFailing();
        expectTryAgain(await service.ask());
        await expect.poll(service.wallet, patience).toBe(full);
        expect(await recordsOf(service)).toEqual([{ status: 'failed', code: 'unavailable' }]);
        expect(picturesOf(await service.ask())).toHaveLength(1);
        expect(await service.wallet()).toBe(charged);
        expect(await violationsOf(service.database)).toEqual([]);
      });

      it('ends a stream with its error, and its charge is returned', async () => {
        const { ask, database, wallet } = await startFailing();
        const { status, text } = await ask({ stream: true, partial_images: 1 });
        expect([status, text.match(/^event: .*$/gm)]).toEqual([
          200,
          ['event: image_generation.partial_image', 'event: error'],
        ]);
        expect(text).toContain('"code":"unavailable"');
        await expect.poll(wallet, patience).toBe(full);
        expect(await violationsOf(database)).toEqual([]);
      });

      it('is given for one charge when its Idempotency-Key is sent again', async () => {
        const { ask, database, wallet } = await startFailing();
        const key = { 'idempotency-key': 'order-1' };
        expectTryAgain(await ask({}, key));
        const repeat = await ask({}, key);
        expect(picturesOf(repeat)).toHaveLength(1);
        expect(repeat.headers.get('idempotent-replayed')).toBe('true');
        expect(await wallet()).toBe(charged);
        expect(await violationsOf(database)).toEqual([]);
      });

      it.each(fates)('is paid back once when that %s too', async (fateOfRefund) => {
        const { ask, database, proxy, wallet } = await start();
        const left = { claim_delivery: claimTriesMax, refund_own: 2 };
        proxy.fateOf = (statement) => {
          if (statement === 'claim_delivery' && left.claim_delivery-- > 0) return fate;
          if (statement === 'refund_own' && left.refund_own-- > 0) return fateOfRefund;
          return 'works';
        };
        expectTryAgain(await ask());
        await expect.poll(() => left.refund_own, patience).toBe(-1);
        await expect.poll(wallet, patience).toBe(full);
        expect(await violationsOf(database)).toEqual([]);
      });
    });

    it('that is claimed is left alone by the sweep of another process', async () => {
      const { ask, database, proxy, wallet } = await start();
      void proxy.fail('claim_delivery', 'happens unheard', claimTriesMax);
      const key = { 'idempotency-key': 'order-1' };
      expectTryAgain(await ask({}, key));
      expect(await sweepHolds(database, systemClock)).toMatchObject({ refunded: 0 });
      expect(picturesOf(await ask({}, key))).toHaveLength(1);
      expect(await wallet()).toBe(charged);
      expect(await violationsOf(database)).toEqual([]);
    });

    it('that another process has returned is not given when its lease is certain again', async () => {
      const { ask, database, proxy, wallet } = await startFaultyService(engine);
      const lost: ReadonlySet<string> = new Set(['renew_lease', 'claim_delivery']);
      proxy.fateOf = (statement) => (lost.has(statement) ? 'is lost' : 'works');
      let orders = 0;
      const order = (number: number) => ask({}, { 'idempotency-key': `order-${number}` });
      await expect.poll(async () => (await order(++orders)).status, patience).toBe(503);
      const before = await wallet();

      await database.kysely.updateTable('processes').set({ lease_until: 0 }).execute();
      expect(await sweepHolds(database, systemClock)).toMatchObject({ refunded: 1 });
      proxy.fateOf = () => 'works';
      await expect.poll(() => hasLease(database), patience).toBe(true);

      // It stands for nothing any more, so that the next one is made anew.
      expect(errorOf(await order(orders)).code).toBe('upstream_error');
      const anew = await order(orders);
      expect(picturesOf(anew)).toHaveLength(1);
      expect(anew.headers.get('idempotent-replayed')).toBeNull();
      expect(await wallet()).toBe(before);
      expect(await violationsOf(database)).toEqual([]);
    });

    it('whose client saw a part, came back and was refused is not paid for', async () => {
      const { app, ask, countLeft, database, proxy, stop, user, wallet } = await start();
      const key = { 'idempotency-key': 'order-1' };
      const client = new AbortController();
      const asked = { prompt: 'a fox [[delay=20s]]', stream: true, partial_images: 1 };
      const { headers, body } = generation.write(asked);
      const stream = await fetch(`${app.baseUrl}${generation.path}`, {
        method: 'POST',
        headers: { ...headers, ...key, authorization: `Bearer ${user.apiKey}` },
        body,
        signal: client.signal,
      });
      let seen = '';
      for await (const text of must(stream.body, 'a stream').pipeThrough(new TextDecoderStream())) {
        seen += text;
        if (seen.includes('partial_image')) break;
      }
      client.abort();
      await expect.poll(countLeft, patience).toBe(1);
      await expect.poll(wallet, patience).toBe(charged);
      void proxy.fail('claim_delivery', 'is lost', claimTriesMax);
      expect((await ask(asked, key)).text).toMatch(/^event: error\ndata: .*"code":"unavailable"/m);
      await stop();
      expect(await wallet()).toBe(full);
      expect(await violationsOf(database)).toEqual([]);
    });

    it('whose service is stopped while it is claimed is not paid for', async () => {
      const config = { ...lease, shutdownLimitMs: 100 };
      const { ask, database, proxy, stop, wallet } = await startFaultyService(engine, { config });
      const claimed = Promise.withResolvers<void>();
      let claims = 0;
      proxy.fateOf = (statement) => {
        if (statement !== 'claim_delivery') return 'works';
        claimed.resolve();
        return ++claims === 1 ? 'happens unheard' : 'is lost';
      };
      const answer = ask().catch(() => 'cut off');
      await claimed.promise;
      await stop();
      await answer;
      expect(await wallet()).toBe(full);
      expect(await violationsOf(database)).toEqual([]);
    });

    it.each<[string, StatementFate]>([
      ['is made', 'works'],
      ['fails', 'is lost'],
    ])('whose client leaves before its claim %s is not paid for', async (_, fate) => {
      const { app, countLeft, database, proxy, user, wallet } = await start();
      const claimed = Promise.withResolvers<void>();
      const gone = Promise.withResolvers<StatementFate>();
      proxy.fateOf = (statement) => {
        if (statement !== 'claim_delivery') return 'works';
        claimed.resolve();
        return gone.promise;
      };
      const client = new AbortController();
      const { headers, body } = generation.write({});
      const answer = fetch(`${app.baseUrl}${generation.path}`, {
        method: 'POST',
        headers: { ...headers, authorization: `Bearer ${user.apiKey}` },
        body,
        signal: client.signal,
      });
      await claimed.promise;
      expect(await wallet()).toBe(charged);
      client.abort();
      await expect(answer).rejects.toThrow('aborted');
      await expect.poll(countLeft, patience).toBe(1);
      gone.resolve(fate);
      await expect.poll(wallet, patience).toBe(full);
      expect(await recordsOf({ database })).toEqual([{ status: 'canceled', code: 'client_gone' }]);
      expect(await violationsOf(database)).toEqual([]);
    });
  });
});

async function hasLease({ kysely }: Database): Promise<boolean> {
  const processes = await kysely.selectFrom('processes').select('lease_until').execute();
  return processes.some(({ lease_until: until }) => until > 0);
}

function recordsOf({ database }: Pick<FaultyService, 'database'>) {
  return database.kysely.selectFrom('usage_records').select(['status', 'code']).execute();
}
