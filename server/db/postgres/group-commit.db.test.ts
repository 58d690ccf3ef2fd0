import { sql } from 'kysely';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { countWaiting } from '../../../test/support/databases/count-waiting.ts';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { patience } from '../../../test/support/patience.ts';
import { thrownBy } from '../../../test/support/thrown-by.ts';
import { must } from '../../lib/assert.ts';
import { defineChain } from '../chain.ts';
import { isCheckViolation, isDuplicate, isUnavailable } from '../database-error.ts';
import type { Database } from '../db.ts';
import { openDatabase } from '../open.ts';

type Params = { name: string; owner: string };

/** Writes under the owner's name, once. */
const write = defineChain<Params, { name: string }>(
  'test_write',
  'written',
  {
    written: ({ kysely, param }) =>
      kysely
        .insertInto('settings')
        .values({ name: param('name'), value: param('owner') })
        .returning('name'),
  },
  'owner',
);

/** Counts a topic, named like its owner, up to one. */
const count = defineChain<{ owner: string; note: string }, { topic: string; revision: number }>(
  'test_count',
  'counted',
  {
    counted: ({ kysely, param }) =>
      kysely
        .updateTable('revisions')
        .set((eb) => ({ revision: eb('revision', '+', 1) }))
        .where('topic', '=', param('owner') as 'catalog')
        .where('revision', '<', 1)
        .returning(['topic', 'revision']),
    noted: ({ insertWhen, param }) =>
      insertWhen('counted', 'settings', { name: param('note'), value: param('owner') }),
  },
  'owner',
);

forEachEngine((engine) => {
  const options = {
    skip: engine.name !== 'postgres',
    meta: { skippedBecause: 'SQLite commits its groups otherwise' },
  };

  describe('chains that wait at one moment', options, () => {
    let witness: Database;
    let db: Database;

    beforeEach(async () => {
      witness = await engine.open();
      db = openAgain();
    });

    function openAgain({ connectionsMax = 10 } = {}): Database {
      const opened = openDatabase({
        ...engine.locationOf(witness),
        connectionsMax,
        connectTimeoutMs: 30_000,
        onBackgroundError: () => {},
      });
      onTestFinished(() => opened.close());
      return opened;
    }

    const writeAs = (owner: string, name = owner) => db.runChain(write, { name, owner });

    /** What was written, in the order in which it was, with the transaction that did. */
    async function written() {
      const { rows } = await sql<{ name: string; transaction: string }>`
        select name, xmin::text as transaction from settings order by ctid`.execute(witness.kysely);
      return rows;
    }
    const namesWritten = async () => (await written()).map(({ name }) => name);

    /** Has the database do something when `refused` is written, at once or as it is committed. */
    async function onInsert(what: string, { deferred }: { deferred: boolean }): Promise<void> {
      await sql`create function refuse() returns trigger language plpgsql
        as ${sql.lit(`begin ${what}; return null; end`)}`.execute(witness.kysely);
      await sql`create constraint trigger refusing after insert on settings
        deferrable initially ${sql.raw(deferred ? 'deferred' : 'immediate')}
        for each row when (new.name = 'refused') execute function refuse()`.execute(witness.kysely);
    }

    /** As another process does, or somebody at a console. */
    async function lock(topic: string): Promise<() => Promise<void>> {
      const [locked, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const locking = witness.transaction(async ({ kysely }) => {
        await sql`select 1 from revisions where topic = ${topic} for update`.execute(kysely);
        locked.resolve();
        await over.promise;
      });
      await locked.promise;
      const unlock = async () => {
        over.resolve();
        await locking;
      };
      onTestFinished(unlock);
      return unlock;
    }

    it('share a transaction, in the order of their owners', async () => {
      const rows = await Promise.all(['c', 'a', 'd', 'b'].map((owner) => writeAs(owner)));
      expect(rows).toEqual([{ name: 'c' }, { name: 'a' }, { name: 'd' }, { name: 'b' }]);
      expect(await namesWritten()).toEqual(['a', 'b', 'c', 'd']);
      expect(new Set((await written()).map(({ transaction }) => transaction)).size).toBe(1);
    });

    it('of one owner keep the order in which they came', async () => {
      const rows = await Promise.all(
        ['first', 'second'].map((note) => db.runChain(count, { owner: 'catalog', note })),
      );
      expect(rows).toEqual([{ topic: 'catalog', revision: 1 }, null]);
      expect(await namesWritten()).toEqual(['first']);
    });

    it('lose the one that fails, and share a transaction without it', async () => {
      await writeAs('taken');
      const [a, b, c] = await Promise.allSettled([
        writeAs('a'),
        writeAs('b', 'taken'),
        writeAs('c'),
      ]);
      expect([a.status, b.status, c.status]).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect(isDuplicate(must(b.status === 'rejected' ? b : null, 'why').reason)).toBe(true);
      expect(await namesWritten()).toEqual(['taken', 'a', 'c']);
      const [before, ...after] = (await written()).map(({ transaction }) => transaction);
      expect(after).toEqual([after[0], after[0]]);
      expect(after).not.toContain(before);
    });

    it('have a transaction each where it fails as it is committed', async () => {
      await onInsert("raise exception 'refused' using errcode = '23514'", { deferred: true });
      const [a, b, c] = await Promise.allSettled([writeAs('a'), writeAs('refused'), writeAs('c')]);
      expect([a.status, b.status, c.status]).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect(isCheckViolation(must(b.status === 'rejected' ? b : null, 'why').reason)).toBe(true);
      expect((await namesWritten()).toSorted()).toEqual(['a', 'c']);
    });

    it('wait not for what somebody else keeps one of them from', async () => {
      const unlock = await lock('catalog');
      const locked = db.runChain(count, { owner: 'catalog', note: 'late' });
      await Promise.all([writeAs('a'), writeAs('b')]);
      expect((await namesWritten()).toSorted()).toEqual(['a', 'b']);
      await unlock();
      expect(await locked).toEqual({ topic: 'catalog', revision: 1 });
    });

    it('keep the connection on which somebody else kept one of them waiting', async () => {
      const narrow = openAgain({ connectionsMax: 2 });
      const backends = async () => {
        const rows = await Promise.all([1, 2].map(() => narrow.runChain(whichBackend, {})));
        return new Set(rows.map((row) => must(row, 'a connection').pid));
      };
      const before = await backends();
      const unlock = await lock('catalog');
      const locked = narrow.runChain(count, { owner: 'catalog', note: 'late' });
      await narrow.runChain(write, { name: 'a', owner: 'a' });
      await unlock();
      expect(await locked).toEqual({ topic: 'catalog', revision: 1 });
      expect(await backends()).toEqual(before);
    });

    it('go alone while somebody has what they want, and share again later', async () => {
      const unlock = await lock('catalog');
      const locked = db.runChain(count, { owner: 'catalog', note: 'late' });
      await Promise.all([writeAs('a'), writeAs('b')]);
      await unlock();
      await locked;
      await Promise.all([writeAs('catalog', 'soon'), writeAs('c')]);
      const laterMs = performance.now() + 5_000;
      const now = vi.spyOn(performance, 'now').mockReturnValue(laterMs);
      onTestFinished(() => now.mockRestore());
      await Promise.all([writeAs('catalog', 'later'), writeAs('d')]);
      const transactions = new Map(
        (await written()).map(({ name, transaction }) => [name, transaction]),
      );
      expect(transactions.get('soon')).not.toBe(transactions.get('c'));
      expect(transactions.get('later')).toBe(transactions.get('d'));
    });

    it('wait not for those before, however many of them are kept', async () => {
      const unlocks = [await lock('accounts'), await lock('catalog'), await lock('settings')];
      const locked: Promise<{ revision: number } | null>[] = [];
      for (const owner of ['accounts', 'catalog', 'settings']) {
        locked.push(db.runChain(count, { owner, note: owner }));
        // In a group of its own.
        await new Promise(setImmediate);
      }
      const more = db.runChain(count, { owner: 'catalog', note: 'more' });
      await writeAs('a');
      expect(await namesWritten()).toEqual(['a']);
      await Promise.all(unlocks.map((unlock) => unlock()));
      expect((await Promise.all(locked)).map((row) => row?.revision)).toEqual([1, 1, 1]);
      expect(await more).toBeNull();
    });

    it('of an owner wait in the process for those before, until these take too long', async () => {
      const unlock = await lock('catalog');
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      onTestFinished(() => void vi.useRealTimers());
      const first = db.runChain(count, { owner: 'catalog', note: 'first' });
      await new Promise(setImmediate);
      const second = db.runChain(count, { owner: 'catalog', note: 'second' });
      await writeAs('a');
      expect(await countWaiting(witness)).toBe(1);
      vi.advanceTimersByTime(1_000);
      vi.useRealTimers();
      await expect.poll(() => countWaiting(witness), patience).toBe(2);
      await unlock();
      expect(await Promise.all([first, second])).toEqual([{ topic: 'catalog', revision: 1 }, null]);
    });

    it('are run without the one that fails also where that came late', async () => {
      await sql`create sequence tries`.execute(witness.kysely);
      const first = "nextval('tries') = 1";
      await onInsert(`if ${first} then perform pg_sleep(60); end if`, { deferred: false });
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      onTestFinished(() => void vi.useRealTimers());
      const all = Promise.all([writeAs('a'), writeAs('refused'), writeAs('c')]);
      await new Promise(setImmediate);
      vi.advanceTimersByTime(1_000);
      vi.useRealTimers();
      const cancelSleeping = async () => {
        const { rows } = await sql`select pg_cancel_backend(pid) from pg_stat_activity
          where wait_event = 'PgSleep' and datname = current_database()`.execute(witness.kysely);
        return rows.length;
      };
      await expect.poll(cancelSleeping, patience).toBe(1);
      expect(await all).toHaveLength(3);
      expect((await namesWritten()).toSorted()).toEqual(['a', 'c', 'refused']);
    });

    it('are more than share one transaction', async () => {
      const owners = Array.from({ length: 100 }, (_, index) => `owner ${index}`);
      await Promise.all(owners.map((owner) => writeAs(owner)));
      expect((await namesWritten()).toSorted()).toEqual(owners.toSorted());
      const sizes = Map.groupBy(await written(), ({ transaction }) => transaction).values();
      const groups = [...sizes].map(({ length }) => length).toSorted((a, b) => b - a);
      expect(groups).toEqual([16, 16, 16, 16, 16, 16, 4]);
    });

    it('lock what they share with those of another process in the same order', async () => {
      const {
        rows: [database],
      } = await sql<{ name: string }>`
        select current_database() as name`.execute(witness.kysely);
      // By itself it looks for circles only after longer than a group waits for a lock.
      await sql`alter database ${sql.ref(must(database, 'ours').name)}
        set deadlock_timeout = '20ms'`.execute(witness.kysely);
      const [one, other] = [openAgain(), openAgain()];
      const topics = ['accounts', 'catalog', 'settings'] as const;
      const turns = Array.from({ length: 50 }, () => [
        ...topics.map((owner) => one.runChain(touch, { owner })),
        ...topics.toReversed().map((owner) => other.runChain(touch, { owner })),
      ]);
      expect(await Promise.all(turns.flat())).toHaveLength(300);
      // A connection counts what it met as it ends.
      await Promise.all([one.close(), other.close()]);
      const { rows } = await sql`select deadlocks::integer from pg_stat_database
        where datname = current_database()`.execute(witness.kysely);
      expect(rows).toEqual([{ deadlocks: 0 }]);
    });

    it('fail together with their connection, and are not run again', async () => {
      await onInsert('perform pg_sleep(60)', { deferred: false });
      const lost = [writeAs('a'), writeAs('refused'), writeAs('c')].map(thrownBy);
      const endSleeping = async () => {
        const { rows } = await sql`select pg_terminate_backend(pid) from pg_stat_activity
          where wait_event = 'PgSleep' and datname = current_database()`.execute(witness.kysely);
        return rows.length;
      };
      await expect.poll(endSleeping, patience).toBe(1);
      for (const error of await Promise.all(lost)) expect(isUnavailable(error)).toBe(true);
      expect(await namesWritten()).toEqual([]);
      expect(await writeAs('later')).toEqual({ name: 'later' });
    });

    it('hold no locks for long where half of them came, and then nothing', async () => {
      await Promise.all([writeAs('a'), writeAs('b')]);
      const settings = ['lock_timeout'];
      for (const what of ['idle', 'interval', 'count']) settings.push(`tcp_keepalives_${what}`);
      const { rows } = await sql<{ setting: string }>`
        select current_setting(name) as setting from unnest(${settings}::text[]) name`.execute(
        db.kysely,
      );
      expect(rows.map(({ setting }) => setting)).toEqual(['0', '15', '5', '3']);
    });

    it('are run again where another transaction was in their way', async () => {
      await sql`create sequence tries`.execute(witness.kysely);
      const first = "nextval('tries') = 1";
      const inTheWay = "raise exception 'in the way' using errcode = '40001'";
      await onInsert(`if ${first} then ${inTheWay}; end if`, { deferred: true });
      expect(await writeAs('refused')).toEqual({ name: 'refused' });
      expect(await namesWritten()).toEqual(['refused']);
    });
  });
});

/** Goes alone, having no owner: two at a time have a connection each. */
const whichBackend = defineChain<Record<string, never>, { pid: number }>('test_which', 'asked', {
  asked: ({ kysely }) =>
    kysely
      .updateTable('revisions')
      .set((eb) => ({ revision: eb.ref('revision') }))
      .where('topic', '=', 'accounts')
      .returning(sql<number>`pg_backend_pid()`.as('pid')),
});

/** Changes a row without an end. */
const touch = defineChain<{ owner: string }, { topic: string }>(
  'test_touch',
  'touched',
  {
    touched: ({ kysely, param }) =>
      kysely
        .updateTable('revisions')
        .set((eb) => ({ revision: eb('revision', '+', 1) }))
        .where('topic', '=', param('owner') as 'catalog')
        .returning('topic'),
  },
  'owner',
);
