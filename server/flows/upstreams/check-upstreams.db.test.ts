import { describe, expect, it, onTestFinished } from 'vitest';
import type { TestAdmin } from '../../../test/support/console/test-admin.ts';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { failing } from '../../../test/support/databases/failing-database.ts';
import type { ListingUpstream } from '../../../test/support/upstreams/listing-upstream.ts';
import { addStudio } from '../../../test/support/upstreams/studio.ts';
import { listUpstreamChecks } from '../../catalog/upstream-check-store.ts';
import type { Database } from '../../db/db.ts';
import { createLogger } from '../../lib/logger.ts';
import { UpstreamError } from '../../upstreams/upstream.ts';
import { UpstreamChecks } from './check-upstreams.ts';
import { setEnabledOfUpstream } from './enable-upstream.ts';
import { removeUpstream } from './remove-upstream.ts';

const everyMs = 300_000;

forEachEngine((engine) => {
  describe('a check', () => {
    it('is due at once, and again when its time has passed, not before', async () => {
      const bench = await open();
      await bench.checkDue();
      bench.clock.advance(everyMs - 1);
      await bench.checkDue();
      expect(bench.asked).toBe(1);
      bench.clock.advance(1);
      await bench.checkDue();
      expect(bench.asked).toBe(2);
      // Of what goes on as before, nothing is told.
      expect(bench.log).toEqual([]);
    });

    it('is due when the clock was set back since the last', async () => {
      const bench = await open();
      bench.clock.advance(8 * 3_600_000);
      await bench.checkDue();
      bench.clock.advance(-8 * 3_600_000);
      await bench.checkDue();
      expect(bench.asked).toBe(2);
      await bench.checkDue();
      expect(bench.asked).toBe(2);
    });

    it('is written down with how long it took and how many models were listed', async () => {
      const bench = await open();
      bench.service.answersWith(async () => {
        bench.clock.advance(40);
        return ['a', 'b'].map((upstreamModel) => ({ upstreamModel, description: null }));
      });
      await bench.checkDue();
      expect(await bench.check()).toEqual({
        upstreamId: expect.stringMatching(/^up_/),
        checkedAt: bench.clock.now(),
        tookMs: 40,
        fault: null,
        status: null,
        modelsListed: 2,
        failures: 0,
        failingSince: null,
      });
      expect(bench.log).toEqual([]);
    });

    it('is made by one of two processes', async () => {
      const bench = await open();
      const other = bench.processOn(engine.openAgain(bench.admin.database));
      await Promise.all([bench.checkDue(), other.checkDue()]);
      expect(bench.asked).toBe(1);
      bench.clock.advance(everyMs);
      await Promise.all([bench.checkDue(), other.checkDue()]);
      expect(bench.asked).toBe(2);
    });

    it('is not made of a disabled upstream', async () => {
      const bench = await open();
      const wanted = { upstream: 'studio', enabled: false };
      await setEnabledOfUpstream(bench.admin, bench.service.access, wanted);
      await bench.checkDue();
      expect(bench.asked).toBe(0);
    });

    it.each([
      ['an empty one', []],
      ['one of which nothing can be used', ['', 'a\nb']],
    ])('takes the list for what it is worth: %s is a fault', async (_what, names) => {
      const bench = await open();
      bench.service.lists(...names);
      await bench.checkDue();
      expect(await bench.check()).toMatchObject({ fault: 'protocol', failures: 1 });
    });

    it('counts what of the list can be used', async () => {
      const bench = await open();
      bench.service.lists('paint-1', '');
      await bench.checkDue();
      expect(await bench.check()).toMatchObject({ fault: null, modelsListed: 1 });
    });

    it('gives up after thirty seconds, also where the adapter does not heed it', async () => {
      const bench = await open();
      bench.service.answersWith(() => new Promise(() => {}));
      const checked = bench.checkDue();
      await bench.clock.untilSleeping();
      bench.clock.advance(29_999);
      expect(await bench.check()).toBeNull();
      bench.clock.advance(1);
      await checked;
      expect(await bench.check()).toMatchObject({ fault: 'timeout', tookMs: 30_000 });
      expect(bench.service.open).toBe(0);
    });
  });

  describe('an upstream that does not answer', () => {
    it('is failing since the first of its failed checks, which are counted and told once', async () => {
      const bench = await open();
      const since = bench.clock.now();
      bench.fails(new UpstreamError('unavailable', 'down', { status: 503 }));
      for (let i = 0; i < 3; i++) {
        await bench.checkDue();
        bench.clock.advance(everyMs);
      }
      expect(await bench.check()).toMatchObject({
        fault: 'unavailable',
        status: 503,
        modelsListed: null,
        failures: 3,
        failingSince: since,
      });
      expect(bench.log).toMatchObject([
        {
          level: 'warn',
          msg: 'upstream failed its health check',
          upstream: 'studio',
          fault: 'unavailable',
          status: 503,
        },
      ]);
    });

    it('is told again when it answers, and fails anew after that', async () => {
      const bench = await open();
      bench.fails(new UpstreamError('auth', 'refused', { status: 401 }));
      await bench.checkDue();
      bench.clock.advance(everyMs);
      await bench.checkDue();
      bench.service.lists('paint-1');
      bench.clock.advance(everyMs);
      await bench.checkDue();
      expect(await bench.check()).toMatchObject({ fault: null, failures: 0, failingSince: null });
      expect(bench.log).toMatchObject([
        { level: 'warn' },
        {
          level: 'info',
          msg: 'upstream passed its health check again',
          upstream: 'studio',
          failures: 2,
          failing_since: '2026-01-01T00:00:00.000Z',
        },
      ]);
      bench.fails(new UpstreamError('timeout', 'slow'));
      bench.clock.advance(everyMs);
      await bench.checkDue();
      expect(await bench.check()).toMatchObject({
        fault: 'timeout',
        failures: 1,
        failingSince: bench.clock.now(),
      });
      expect(bench.log).toHaveLength(3);
    });
  });

  describe('an upstream that cannot be asked', () => {
    it('because it was configured for another version is told, and nothing is written', async () => {
      const bench = await open();
      await bench.checkDue();
      const before = await bench.check();
      await bench.admin.database.transaction((trx) =>
        trx.kysely.updateTable('upstreams').set({ settings: '{"wrong":1}' }).execute(),
      );
      bench.clock.advance(everyMs);
      await bench.checkDue();
      expect(await bench.check()).toEqual(before);
      expect(bench.log).toMatchObject([
        { level: 'error', msg: 'upstream could not be checked', upstream: 'studio' },
      ]);
    });

    it('shows no health before its first check has ended', async () => {
      const bench = await open();
      await bench.admin.database.transaction((trx) =>
        trx.kysely.updateTable('upstreams').set({ kind: 'gone' }).execute(),
      );
      await bench.checkDue();
      expect(await bench.check()).toBeNull();
    });

    it('because it was removed meanwhile leaves nothing behind', async () => {
      const bench = await open();
      bench.service.answersWith(async () => {
        const wanted = { upstream: 'studio', enabled: false };
        await setEnabledOfUpstream(bench.admin, bench.service.access, wanted);
        await removeUpstream(bench.admin, 'studio');
        return [{ upstreamModel: 'paint-1', description: null }];
      });
      await bench.checkDue();
      expect(await listUpstreamChecks(bench.admin.database, { upstreamId: null })).toEqual([]);
      expect(bench.log).toEqual([]);
    });
  });

  describe('while the service runs', () => {
    it('checks go on, each when it is due', async () => {
      const bench = await open();
      const checks = bench.process();
      checks.start();
      await bench.clock.untilSleeping();
      expect(bench.asked).toBe(1);
      for (let i = 0; i < 5; i++) {
        bench.clock.advance(everyMs / 5);
        await bench.clock.untilSleeping();
      }
      expect(bench.asked).toBe(2);
      await checks.stop();
      expect(bench.clock.sleeping).toBe(0);
    });

    it('none is made with a pause of 0', async () => {
      const bench = await open();
      const checks = bench.process(0);
      checks.start();
      await checks.stop();
      expect(bench.asked).toBe(0);
    });

    it('a check that hangs does not keep it from stopping', async () => {
      const bench = await open();
      const begun = Promise.withResolvers<void>();
      bench.service.answersWith(() => {
        begun.resolve();
        return new Promise(() => {});
      });
      const checks = bench.process();
      checks.start();
      await begun.promise;
      await checks.stop();
      expect(await bench.check()).toBeNull();
      expect(bench.log).toEqual([]);
      expect(bench.service.open).toBe(0);
    });

    it('a failure of the database leaves one check out and ends nothing', async () => {
      const bench = await open();
      const database = failing(bench.admin.database);
      database.fates = ['is lost'];
      const checks = bench.processOn(database);
      checks.start();
      await bench.clock.untilSleeping();
      expect(bench.log).toMatchObject([{ level: 'error', msg: 'upstream could not be checked' }]);
      expect(bench.asked).toBe(0);
      bench.clock.advance(everyMs / 5);
      await bench.clock.untilSleeping();
      expect(bench.asked).toBe(1);
    });
  });

  async function open() {
    const { admin, service } = await addStudio(await engine.open());
    // Its model list was fetched, which counts as a check.
    await admin.database.transaction((trx) => trx.kysely.deleteFrom('upstream_checks').execute());
    return new Bench(admin, service);
  }
});

class Bench {
  readonly admin: TestAdmin;
  readonly service: ListingUpstream;
  readonly log: Record<string, unknown>[] = [];
  readonly #before: number;

  constructor(admin: TestAdmin, service: ListingUpstream) {
    this.admin = admin;
    this.service = service;
    this.#before = service.configs.length;
  }

  get clock() {
    return this.admin.clock;
  }

  /** How often an adapter was built to ask the upstream. */
  get asked(): number {
    return this.service.configs.length - this.#before;
  }

  fails(error: UpstreamError): void {
    this.service.answersWith(async () => {
      throw error;
    });
  }

  checkDue(): Promise<void> {
    return this.process().checkDue();
  }

  process(pauseMs = everyMs): UpstreamChecks {
    return this.processOn(this.admin.database, pauseMs);
  }

  processOn(database: Database, pauseMs = everyMs): UpstreamChecks {
    const checks = new UpstreamChecks({
      database,
      clock: this.clock,
      // The logger writes one JSON object a line.
      log: createLogger('debug', {
        write: (line) => void this.log.push(JSON.parse(line) as Record<string, unknown>),
      }),
      access: this.service.access,
      everyMs: pauseMs,
    });
    onTestFinished(() => checks.stop());
    return checks;
  }

  async check() {
    return (await listUpstreamChecks(this.admin.database, { upstreamId: null }))[0] ?? null;
  }
}
