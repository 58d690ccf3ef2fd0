/** How a process finds out that a PostgreSQL which let nobody else in has connections again. */
import type pg from 'pg';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { databaseUrl, runSql } from '../../../test/support/databases/postgres-server.ts';
import { must } from '../../lib/assert.ts';
import { openCrowdedPool } from './crowded-pool.ts';
import { postgresDriver } from './driver.ts';

const waitMs = 60_000;
const probeMs = 1_000;

forEachEngine((engine) => {
  const options = {
    skip: engine.name !== 'postgres',
    meta: { skippedBecause: 'SQLite has no connections to open' },
  };

  describe('while some wait for a connection', options, () => {
    let adminUrl: string;
    let ownUrl: string;
    let role: string;
    /** Tries to open one. */
    let tries: number;

    beforeEach(async () => {
      const own = new URL(must(engine.locationOf(await engine.open()).url, 'an address'));
      adminUrl = databaseUrl(own.href, 'postgres');
      // What limits connections does not limit those of a superuser.
      role = `${own.pathname.slice(1)}_role`;
      await runSql(adminUrl, `create role ${role} login password 'x' connection limit 1`);
      onTestFinished(() => runSql(adminUrl, `drop role ${role}`));
      own.username = role;
      own.password = 'x';
      ownUrl = own.href;
      tries = 0;
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      onTestFinished(() => void vi.useRealTimers());
    });

    function allow(connections: number): Promise<void> {
      return runSql(adminUrl, `alter role ${role} connection limit ${connections}`);
    }

    function openPool(max: number): pg.Pool {
      const { Client } = postgresDriver();
      class CountedClient extends Client {
        constructor(config?: pg.ClientConfig) {
          super(config);
          tries++;
        }
      }
      const pool = openCrowdedPool({
        connectionString: ownUrl,
        connectionTimeoutMillis: waitMs,
        max,
        Client: CountedClient,
      });
      onTestFinished(() => pool.end());
      return pool;
    }

    /** Asks for so many connections, none of which can be had. */
    async function standInLine(pool: pg.Pool, count: number): Promise<Promise<pg.PoolClient>[]> {
      const asked = Array.from({ length: count }, () => pool.connect());
      await vi.waitUntil(() => pool.waitingCount === count, waitMs);
      return asked;
    }

    /** Until a probe has been refused. */
    async function probeInVain(pool: pg.Pool): Promise<void> {
      const before = tries;
      vi.advanceTimersByTime(probeMs);
      await vi.waitUntil(() => tries > before && pool.totalCount === 1, waitMs);
      await new Promise(setImmediate);
    }

    /** Each as soon as it is had. */
    async function giveBackAll(asked: readonly Promise<pg.PoolClient>[]): Promise<void> {
      await Promise.all(asked.map(async (one) => (await one).release()));
    }

    it('one more is tried at a time, and again later', async () => {
      const pool = openPool(10);
      const kept = await pool.connect();
      const asked = await standInLine(pool, 3);
      const before = tries;
      await probeInVain(pool);
      expect(tries).toBe(before + 1);
      await probeInVain(pool);
      expect(tries).toBe(before + 2);
      await allow(2);
      vi.advanceTimersByTime(probeMs);
      await giveBackAll(asked);
      kept.release();
    });

    it('nobody who comes tries another between', async () => {
      const pool = openPool(10);
      const kept = await pool.connect();
      const asked = await standInLine(pool, 1);
      await probeInVain(pool);
      const before = tries;
      asked.push(pool.connect());
      await new Promise(setImmediate);
      expect(tries).toBe(before);
      kept.release();
      await giveBackAll(asked);
    });

    it('no more are opened than it may have', async () => {
      const pool = openPool(2);
      const kept = await pool.connect();
      const asked = await standInLine(pool, 2);
      await allow(9);
      const before = tries;
      vi.advanceTimersByTime(probeMs);
      await Promise.race(asked);
      expect(tries).toBe(before + 1);
      kept.release();
      await giveBackAll(asked);
    });

    it('that there are more again is found out each time', async () => {
      const pool = openPool(10);
      for (const connections of [2, 3]) {
        await allow(connections - 1);
        const kept = Array.from({ length: connections - 1 }, () => pool.connect());
        await Promise.all(kept);
        const asked = await standInLine(pool, 1);
        await allow(connections);
        vi.advanceTimersByTime(probeMs);
        await giveBackAll(asked);
        expect(pool.totalCount).toBe(connections);
        await giveBackAll(kept);
      }
    });
  });
});
