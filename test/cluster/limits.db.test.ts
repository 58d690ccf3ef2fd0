/** Money and limits are as exact with several workers as with one process. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../server/db/db.ts';
import { changeKeyLimits } from '../../server/flows/keys/change-key-limits.ts';
import { revokeKey } from '../../server/flows/keys/revoke-key.ts';
import { setEnabledOfUpstream } from '../../server/flows/upstreams/enable-upstream.ts';
import { type Answer, errorOf } from '../support/callers/api.ts';
import { testAccess, testAdmin } from '../support/console/test-admin.ts';
import { forEachEngine } from '../support/databases/databases.ts';
import { addSpender, refuseWrongBooks, type Spender, walletOf } from '../support/money/spending.ts';
import { patience } from '../support/patience.ts';
import { askService, equip } from '../support/processes/service-process.ts';
import { type ServiceWorkers, startWorkers } from '../support/processes/service-workers.ts';
import { type CountedModel, serveCountedModel } from '../support/upstreams/counted-model.ts';

const workers = 3;
const many = 1_000;
/** Longer than any of these tests. */
const endless = { prompt: 'a fox [[delay=300s]] [[actual=32x32]]' };

forEachEngine((engine) => {
  let database: Database;
  let service: ServiceWorkers;
  const ends: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    database = await engine.open();
    await equip(database);
    // So that whoever goes away is not waited for.
    const options = {
      TINTYPE_WORKERS: String(workers),
      TINTYPE_GRACE: '0s',
    };
    service = await startWorkers(engine, database, options, (end) => ends.push(end));
  }, 120_000);

  afterAll(async () => {
    for (const end of ends) await end();
    await refuseWrongBooks(database);
  });

  describe('a wallet', () => {
    it('with money for 20 pictures pays for 20 of 200 that are asked for at once', async () => {
      const spender = await addSpender(database, '0.80', many);
      const answers: Answer[] = [];
      // Of those that come at once, one worker may take all of the money before the next has looked.
      for (let worker = 0; worker < workers; worker++) {
        answers.push(await askService(service, spender, {}, { headers: { connection: 'close' } }));
      }
      const rest = Array.from({ length: 200 - workers }, () => askService(service, spender));
      answers.push(...(await Promise.all(rest)));
      expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 20, 429: 180 });
      const refusals = answers.filter(({ status }) => status === 429).map(errorOf);
      expect(tally(refusals.map(({ code }) => code))).toEqual({ insufficient_quota: 180 });
      expect(await walletOf(database, spender.userId)).toBe('0.00 balance, 0.00 held, 0 slots');
      expect(await workersThatServed(spender)).toBeGreaterThan(1);
    });
  });

  describe('a key', () => {
    it('with three slots runs three requests at once, whichever workers they come to', async () => {
      const spender = await addSpender(database, '10', many);
      await changeKeyLimits(testAdmin(database), spender.apiKeyId, { slotsMax: 3 });
      const clients = new AbortController();
      const refused: number[] = [];
      const answers = Array.from({ length: 30 }, () =>
        askService(service, spender, endless, { signal: clients.signal }).then(
          ({ status }) => refused.push(status),
          () => null,
        ),
      );
      await expect.poll(() => refused.length, patience).toBe(27);
      expect(tally(refused)).toEqual({ 429: 27 });
      expect(await walletOf(database, spender.userId)).toBe('10.00 balance, 0.12 held, 3 slots');
      clients.abort();
      await Promise.all(answers);
      await expect
        .poll(() => walletOf(database, spender.userId), patience)
        .toBe('10.00 balance, 0.00 held, 0 slots');
    });

    it('that was revoked is refused by every worker from then on', async () => {
      const spender = await addSpender(database, '10', many);
      // Several for each worker, which takes its turn.
      const askAll = async () => {
        const asked = Array.from({ length: 12 }, () => askService(service, spender));
        return tally((await Promise.all(asked)).map(({ status }) => status));
      };
      expect(await askAll()).toEqual({ 200: 12 });
      expect(await workersThatServed(spender)).toBeGreaterThan(1);
      await revokeKey(testAdmin(database), { keyId: spender.apiKeyId, userId: null });
      expect(await askAll()).toEqual({ 401: 12 });
    });
  });

  describe('an upstream', () => {
    it('that takes three calls at once never gets a fourth, and never less while any wait', async () => {
      const counted = await serveCountedModel(database, 3);
      expect(await askByThrees(counted)).toEqual({ 200: 24 });
      expect(counted.upstream.most).toBe(3);
    });

    it('gets no fourth after it was disabled either, which not every worker saw', async () => {
      const counted = await serveCountedModel(database, 3);
      await enable(counted, false);
      const spender = await addSpender(database, '10', many);
      expect((await askService(service, spender, { model: counted.model })).status).toBe(503);
      await enable(counted, true);
      expect(await askByThrees(counted)).toEqual({ 200: 24 });
      expect(counted.upstream.most).toBe(3);
    });

    function enable({ upstreamName: upstream }: CountedModel, enabled: boolean) {
      return setEnabledOfUpstream(testAdmin(database), testAccess(), { upstream, enabled });
    }

    /** Lets three of 24 go whenever as many are under way; answers their statuses. */
    async function askByThrees({ model, upstream }: CountedModel) {
      const spender = await addSpender(database, '10', many);
      const answers = Array.from({ length: 24 }, () => askService(service, spender, { model }));
      for (let asked = 0; asked < 24; asked += 3) {
        await expect.poll(() => upstream.running, patience).toBe(3);
        upstream.letGo(3);
      }
      const statuses = (await Promise.all(answers)).map(({ status }) => status);
      expect(await workersThatServed(spender)).toBeGreaterThan(1);
      return tally(statuses);
    }
  });

  describe('the metrics', () => {
    it('are those of all workers together, whichever is asked', async () => {
      const before = picturesIn(await service.metrics());
      const spender = await addSpender(database, '10', many);
      await Promise.all(Array.from({ length: 12 }, () => askService(service, spender)));
      expect(await workersThatServed(spender)).toBeGreaterThan(1);
      for (let worker = 0; worker < workers; worker++) {
        expect(picturesIn(await service.metrics())).toBe(before + 12);
      }
    });
  });

  async function workersThatServed({ userId }: Spender): Promise<number> {
    const rows = await database.kysely
      .selectFrom('holds')
      .select('process_id')
      .where('user_id', '=', userId)
      .distinct()
      .execute();
    return rows.length;
  }
});

function picturesIn(metrics: string): number {
  const counts = [...metrics.matchAll(/^tintype_pictures_total\{.*\} (\d+)$/gm)];
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}

function tally(values: readonly (string | number)[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[String(value)] = (counts[String(value)] ?? 0) + 1;
  return counts;
}
