/** A PostgreSQL that lets nobody else in, of which this process has connections. */
import { sql } from 'kysely';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { databaseUrl, runSql } from '../../../test/support/databases/postgres-server.ts';
import { thrownBy } from '../../../test/support/thrown-by.ts';
import { must } from '../../lib/assert.ts';
import { isUnavailable } from '../database-error.ts';
import type { Database } from '../db.ts';
import { openDatabase } from '../open.ts';
import { openCrowdedPool } from './crowded-pool.ts';

forEachEngine((engine) => {
  const options = {
    skip: engine.name !== 'postgres',
    meta: { skippedBecause: 'SQLite has no connections to open' },
  };

  describe('of a server that has no more connections', options, () => {
    let name: string;
    let ownUrl: string;
    let adminUrl: string;

    beforeEach(async () => {
      const url = must(engine.locationOf(await engine.open()).url, 'an address');
      adminUrl = databaseUrl(url, 'postgres');
      name = new URL(url).pathname.slice(1);
      // What limits connections does not limit those of a superuser.
      const role = `${name}_role`;
      await runSql(adminUrl, `create role ${role} login password 'x'`);
      onTestFinished(() => runSql(adminUrl, `drop role ${role}`));
      await allow(1);
      const own = new URL(url);
      own.username = role;
      own.password = 'x';
      ownUrl = own.href;
    });

    function allow(connections: number): Promise<void> {
      return runSql(adminUrl, `alter database ${name} connection limit ${connections}`);
    }

    function openOwn({ connectTimeoutMs = 30_000 } = {}): Database {
      const db = openDatabase({
        url: ownUrl,
        dataDir: '',
        connectionsMax: 10,
        connectTimeoutMs,
        onBackgroundError: () => {},
      });
      onTestFinished(() => db.close());
      return db;
    }

    /** Keeps a connection until it is told to let go of it. */
    async function keepOne(db: Database): Promise<() => Promise<void>> {
      const [kept, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const keeping = db.kysely.connection().execute(async (connection) => {
        await sql`select 1`.execute(connection);
        kept.resolve();
        await over.promise;
      });
      await kept.promise;
      const letGo = async () => {
        over.resolve();
        await keeping;
      };
      onTestFinished(letGo);
      return letGo;
    }

    const ask = async (db: Database) => {
      const { rows } = await sql<{ n: number }>`select 7 as n`.execute(db.kysely);
      return rows[0]?.n;
    };

    it('one of its own is waited for, by all that come', async () => {
      const db = openOwn();
      const letGo = await keepOne(db);
      const asked = Array.from({ length: 20 }, () => ask(db));
      await letGo();
      expect(new Set(await Promise.all(asked))).toEqual(new Set([7]));
    });

    it('none is waited for where it has none', async () => {
      await keepOne(openOwn());
      const error = await thrownBy(ask(openOwn()));
      expect(error).toHaveProperty('code', '53300');
      expect(isUnavailable(error)).toBe(true);
    });

    it('one is not waited for longer than for any', async () => {
      const db = openOwn({ connectTimeoutMs: 500 });
      await keepOne(db);
      const errors = await Promise.all([thrownBy(ask(db)), thrownBy(ask(db))]);
      // Why there was none, which tells more than that it took too long.
      for (const error of errors) expect(error).toHaveProperty('code', '53300');
    });

    it('one is waited for as long as is left of the time for it, of which the next has all', async () => {
      const waitMs = 120_000;
      const pool = openCrowdedPool({
        connectionString: ownUrl,
        connectionTimeoutMillis: waitMs,
        max: 10,
      });
      const kept = await pool.connect();
      const refused = thrownBy(pool.connect());
      const almostOver = performance.now() + waitMs - 1;
      const now = vi.spyOn(performance, 'now').mockReturnValue(almostOver);
      onTestFinished(() => now.mockRestore());
      expect(await refused).toHaveProperty('code', '53300');
      now.mockRestore();
      const asked = Promise.allSettled([pool.query('select 7 as n')]);
      // Takes longer than was left.
      await allow(1);
      kept.release();
      const [answer] = await asked;
      await pool.end();
      expect(answer).toMatchObject({ status: 'fulfilled', value: { rows: [{ n: 7 }] } });
    });

    it('more are opened for those who wait as soon as it has more', async () => {
      const db = openOwn();
      await keepOne(db);
      const asked = Array.from({ length: 5 }, () => ask(db));
      await allow(3);
      expect(new Set(await Promise.all(asked))).toEqual(new Set([7]));
    });

    it('as many are opened as wait, though none that is there comes back', async () => {
      const db = openOwn();
      await keepOne(db);
      const keeping = Promise.all([keepOne(db), keepOne(db), keepOne(db)]);
      await allow(4);
      expect(await keeping).toHaveLength(3);
    });

    it('one of its own is waited for also after another was lost twice over', async () => {
      const waitMs = 30_000;
      const pool = openCrowdedPool({
        connectionString: ownUrl,
        connectionTimeoutMillis: waitMs,
        max: 10,
      });
      pool.on('error', () => {});
      await allow(2);
      const [kept, lost] = [await pool.connect(), await pool.connect()];
      lost.release(true);
      // A network that went says so of a connection that is being ended, too.
      lost.emit('error', new Error('read ETIMEDOUT'));
      await allow(1);
      const asked = Promise.allSettled([pool.query('select 7 as n')]);
      await Promise.race([asked, vi.waitUntil(() => pool.waitingCount === 1, waitMs)]);
      kept.release();
      const [answer] = await asked;
      await pool.end();
      expect(answer).toMatchObject({ status: 'fulfilled', value: { rows: [{ n: 7 }] } });
    });

    it('none is waited for by a process that stops', async () => {
      const db = openOwn({ connectTimeoutMs: 1_000 });
      const letGo = await keepOne(db);
      const waiting = thrownBy(ask(db));
      const closing = db.close();
      expect(isUnavailable(await waiting)).toBe(true);
      await letGo();
      await closing;
    });
  });
});
