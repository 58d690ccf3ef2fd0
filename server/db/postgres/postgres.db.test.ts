import { sql } from 'kysely';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { patience } from '../../../test/support/patience.ts';
import { thrownBy } from '../../../test/support/thrown-by.ts';
import { must } from '../../lib/assert.ts';
import { defineChain } from '../chain.ts';
import { isDuplicate, isOutcomeUnknown, isTooSlow, isUnavailable } from '../database-error.ts';
import type { Database, Db } from '../db.ts';
import { openDatabase } from '../open.ts';
import { idleConnectionMsMax } from './pool.ts';

const noWrite = defineChain('no_write', 'process', {
  process: ({ kysely }) => kysely.deleteFrom('processes').where('id', '=', '').returning('id'),
});

forEachEngine((engine) => {
  const options = {
    skip: engine.name !== 'postgres',
    meta: { skippedBecause: 'SQLite has no connections to keep' },
  };

  // Elsewhere, the number of a server's process may be that of any other.
  const isElsewhere = process.env['TINTYPE_TEST_POSTGRES_URL'] !== undefined;
  const onlyHere = {
    skip: options.skip || isElsewhere,
    meta: isElsewhere
      ? { skippedBecause: 'stops a process of a PostgreSQL that was started for the tests' }
      : options.meta,
  };

  it('keeps a connection for what comes soon, and no longer', options, async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const db = await engine.open();
    const first = await connectionOf(db);
    vi.advanceTimersByTime(idleConnectionMsMax - 1);
    expect(await connectionOf(db)).toBe(first);
    vi.advanceTimersByTime(idleConnectionMsMax);
    expect(await connectionOf(db)).not.toBe(first);
  });

  it('leaves no connection open, whichever way it was used', options, async () => {
    const witness = await engine.open();
    const { url, dataDir } = engine.locationOf(witness);
    const uses: ((db: Database) => Promise<unknown>)[] = [
      (db) => db.runChain(noWrite, {}),
      (db) => connectionOf(db),
      (db) => db.snapshot(connectionOf),
    ];
    const others = sql<{ pid: number }>`
      select pid from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend'
        and pid <> pg_backend_pid()`;
    for (const use of uses) {
      const db = openDatabase({
        url,
        dataDir,
        connectionsMax: 1,
        connectTimeoutMs: 30_000,
        onBackgroundError: () => {},
      });
      await use(db);
      expect((await others.execute(witness.kysely)).rows).toHaveLength(1);
      await db.close();
      await expect
        .poll(async () => (await others.execute(witness.kysely)).rows, patience)
        .toEqual([]);
    }
  });

  describe('a snapshot', options, () => {
    const open = async (limits: { answerTimeoutMs?: number; readTimeoutMs?: number }) => {
      const { url, dataDir } = engine.locationOf(await engine.open());
      const db = openDatabase({
        url,
        dataDir,
        connectionsMax: 1,
        connectTimeoutMs: 30_000,
        ...limits,
        onBackgroundError: () => {},
      });
      onTestFinished(() => db.close());
      return db;
    };
    const sleepFor = (db: Database, seconds: number) =>
      db.snapshot((reader) => sql`select pg_sleep(${seconds})`.execute(reader.kysely));

    it('keeps nobody else waiting for a connection', async () => {
      const db = await open({});
      const held = await db.snapshot(async (reader) => [
        await connectionOf(reader),
        await connectionOf(db),
      ]);
      expect(new Set(held).size).toBe(2);
    });

    it('may be left alone for long, and is planned for what lies together', async () => {
      const db = await open({});
      const rows = await db.snapshot(async ({ kysely }) => {
        const settings = sql<{ idle: string; cost: string }>`
          select current_setting('idle_in_transaction_session_timeout') as idle,
            current_setting('random_page_cost') as cost`;
        return (await settings.execute(kysely)).rows;
      });
      expect(rows).toEqual([{ idle: '0', cost: '1.1' }]);
    });

    it('may take longer than the answer to a request', async () => {
      const db = await open({ answerTimeoutMs: 100, readTimeoutMs: 20_000 });
      await sleepFor(db, 0.3);
      await expect(sql`select pg_sleep(0.3)`.execute(db.kysely)).rejects.toThrow('timeout');
    });

    it('is given up by the server itself when a statement takes too long', async () => {
      const db = await open({ readTimeoutMs: 200 });
      const error = await sleepFor(db, 100).catch((thrown: unknown) => thrown);
      expect(isTooSlow(error)).toBe(true);
      const { rows } = await sql`
        select pid from pg_stat_activity
        where datname = current_database() and state = 'active' and query like '%pg_sleep(%'
          and pid <> pg_backend_pid()`.execute(db.kysely);
      expect(rows).toEqual([]);
      await sleepFor(db, 0);
    });
  });

  it.each<[string, Partial<Pick<URL, 'username' | 'pathname'>>]>([
    ['account', { username: 'nobody_here' }],
    ['database', { pathname: '/nothing_here' }],
  ])('that refuses its %s is one that cannot be used', options, async (_what, wrong) => {
    const { url, dataDir } = engine.locationOf(await engine.open());
    const db = openDatabase({
      url: Object.assign(new URL(must(url, 'an address')), wrong).href,
      dataDir,
      connectionsMax: 1,
      connectTimeoutMs: 30_000,
      onBackgroundError: () => {},
    });
    onTestFinished(() => db.close());
    expect(isUnavailable(await thrownBy(connectionOf(db)))).toBe(true);
  });

  it('closes in a while although its server does not', onlyHere, async () => {
    const witness = await engine.open();
    const { url, dataDir } = engine.locationOf(witness);
    const db = openDatabase({
      url,
      dataDir,
      connectionsMax: 1,
      connectTimeoutMs: 1_000,
      onBackgroundError: () => {},
    });
    db.watchRevisions(() => {});
    const listening = sql<{ pid: number }>`
      select pid from pg_stat_activity
      where datname = current_database() and query = 'listen tintype_revisions' and state = 'idle'`;
    const listener = await vi.waitFor(async () => {
      const { rows } = await listening.execute(witness.kysely);
      return must(rows[0], 'a listener').pid;
    }, patience);
    process.kill(listener, 'SIGSTOP');
    try {
      await expect(db.close()).resolves.toBeUndefined();
    } finally {
      process.kill(listener, 'SIGCONT');
    }
  });

  describe('a transaction whose server does not answer in time', onlyHere, () => {
    const answerTimeoutMs = 5_000;
    let witness: Database;
    let db: Database;
    let connection: number;

    beforeEach(async () => {
      witness = await engine.open();
      await sql`create table written (number integer)`.execute(witness.kysely);
      const { url, dataDir } = engine.locationOf(witness);
      db = openDatabase({
        url,
        dataDir,
        connectionsMax: 1,
        connectTimeoutMs: 30_000,
        answerTimeoutMs,
        onBackgroundError: () => {},
      });
      onTestFinished(() => db.close());
      connection = await connectionOf(db);
    });

    /**
     * Time stands still until `work` stops the server, which goes on when `unanswered` statements were waited for
     * in vain.
     */
    async function transactUnanswered(
      unanswered: number,
      work: (stop: () => void) => Promise<unknown>,
    ): Promise<unknown> {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      onTestFinished(() => void vi.useRealTimers());
      const stopped = Promise.withResolvers<void>();
      const error = thrownBy(
        work(() => {
          process.kill(connection, 'SIGSTOP');
          stopped.resolve();
        }),
      );
      await stopped.promise;
      try {
        for (let statement = 0; statement < unanswered; statement++) {
          // By then it is on its way.
          await new Promise(setImmediate);
          vi.advanceTimersByTime(answerTimeoutMs);
        }
      } finally {
        process.kill(connection, 'SIGCONT');
      }
      expect(String(await error)).toContain('timeout');
      vi.useRealTimers();
      return error;
    }

    /** Whether others find what is written outside any transaction. */
    async function keepsWhatIsWritten(): Promise<boolean> {
      await sql`insert into written values (1)`.execute(db.kysely);
      const { rows } = await sql`select number from written`.execute(witness.kysely);
      return rows.length === 1;
    }

    const beginLate = (stopNow: () => void) => {
      stopNow();
      return db.transaction(async () => {});
    };

    it('takes nothing with it when it may have begun', async () => {
      await transactUnanswered(2, beginLate);
      expect(await keepsWhatIsWritten()).toBe(true);
      expect(await connectionOf(db)).not.toBe(connection);
    });

    it('keeps its connection when it could be undone', async () => {
      await transactUnanswered(1, beginLate);
      expect(await keepsWhatIsWritten()).toBe(true);
      expect(await connectionOf(db)).toBe(connection);
    });

    it('loses its connection where it is a single statement', async () => {
      await transactUnanswered(1, (stopNow) => {
        stopNow();
        return connectionOf(db);
      });
      expect(await connectionOf(db)).not.toBe(connection);
    });

    // These two are the query builder's own doing, on which the money relies.
    it('takes nothing with it when one of its statements was not answered', async () => {
      const error = await transactUnanswered(2, (stopNow) =>
        db.transaction(async (trx) => {
          stopNow();
          await sql`select 1`.execute(trx.kysely);
        }),
      );
      expect(isOutcomeUnknown(error)).toBe(false);
      expect(await keepsWhatIsWritten()).toBe(true);
    });

    it('takes nothing with it when it may have ended', async () => {
      const error = await transactUnanswered(2, (stopNow) => db.transaction(async () => stopNow()));
      expect(isOutcomeUnknown(error)).toBe(true);
      expect(await keepsWhatIsWritten()).toBe(true);
    });

    it('is known not to have happened when the server says so as it ends', async () => {
      await sql`alter table written
        add unique (number) deferrable initially deferred`.execute(witness.kysely);
      const error = await thrownBy(
        db.transaction(async ({ kysely }) => {
          await sql`insert into written values (1), (1)`.execute(kysely);
        }),
      );
      expect(isDuplicate(error)).toBe(true);
      expect(isOutcomeUnknown(error)).toBe(false);
    });
  });
});

async function connectionOf(db: Db): Promise<number> {
  const { rows } = await sql<{ id: number }>`select pg_backend_pid() as id`.execute(db.kysely);
  return rows[0]?.id ?? 0;
}
