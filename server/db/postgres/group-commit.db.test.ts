import { EventEmitter } from 'node:events';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import {
  count,
  lockTopic,
  onRefused,
  readWritten,
  write,
} from '../../../test/support/databases/group-bench.ts';
import { patience } from '../../../test/support/patience.ts';
import { thrownBy } from '../../../test/support/thrown-by.ts';
import { must } from '../../lib/assert.ts';
import { defineChain } from '../chain.ts';
import { isCheckViolation, isDuplicate, isUnavailable } from '../database-error.ts';
import type { Database } from '../db.ts';
import { openDatabase } from '../open.ts';

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

    const written = () => readWritten(witness);
    const namesWritten = async () => (await written()).map(({ name }) => name);

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

    it('of one owner keep it also where they are run again for the sake of another', async () => {
      await writeAs('taken');
      const first = db.runChain(count, { owner: 'catalog', note: 'first' });
      const failed = thrownBy(writeAs('b', 'taken'));
      await new Promise(setImmediate);
      const second = db.runChain(count, { owner: 'catalog', note: 'second' });
      expect(await Promise.all([first, second])).toEqual([{ topic: 'catalog', revision: 1 }, null]);
      expect(isDuplicate(await failed)).toBe(true);
    });

    it('fail alone where only their own row cannot be read', async () => {
      const vast = String(2 ** 53);
      await sql`update revisions set revision = ${sql.lit(vast)}::bigint
        where topic = 'catalog'`.execute(witness.kysely);
      const [unread, read] = await Promise.allSettled([
        db.runChain(touch, { owner: 'catalog' }),
        db.runChain(touch, { owner: 'accounts' }),
      ]);
      expect(unread).toMatchObject({ status: 'rejected', reason: { name: 'RangeError' } });
      expect(read).toMatchObject({ status: 'fulfilled', value: { topic: 'accounts' } });
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
      await onRefused(witness, "raise exception 'refused' using errcode = '23514'", {
        deferred: true,
      });
      const [a, b, c] = await Promise.allSettled([writeAs('a'), writeAs('refused'), writeAs('c')]);
      expect([a.status, b.status, c.status]).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect(isCheckViolation(must(b.status === 'rejected' ? b : null, 'why').reason)).toBe(true);
      expect((await namesWritten()).toSorted()).toEqual(['a', 'c']);
    });

    it('wait not for what somebody else keeps one of them from', async () => {
      const unlock = await lockTopic(witness, 'catalog');
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
      const unlock = await lockTopic(witness, 'catalog');
      const locked = narrow.runChain(count, { owner: 'catalog', note: 'late' });
      await narrow.runChain(write, { name: 'a', owner: 'a' });
      await unlock();
      expect(await locked).toEqual({ topic: 'catalog', revision: 1 });
      expect(await backends()).toEqual(before);
    });

    it('go alone while somebody has what they want, and share again later', async () => {
      const unlock = await lockTopic(witness, 'catalog');
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
      await onRefused(witness, 'perform pg_sleep(60)', { deferred: false });
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

    it('are not run again alone where one failed that was alone', async () => {
      await sql`create sequence tries`.execute(witness.kysely);
      const first = "nextval('tries') = 1";
      const forGood = "raise exception 'refused' using errcode = '23514'";
      await onRefused(witness, `if ${first} then ${forGood}; end if`, { deferred: false });
      expect(isCheckViolation(await thrownBy(writeAs('refused')))).toBe(true);
      expect(await namesWritten()).toEqual([]);
    });

    it('leave nothing at their connection when they fail', async () => {
      const warnings: string[] = [];
      const note = ({ name }: Error) => warnings.push(name);
      process.on('warning', note);
      onTestFinished(() => void process.off('warning', note));
      const narrow = openAgain({ connectionsMax: 1 });
      await writeAs('taken');
      for (let time = 0; time <= EventEmitter.defaultMaxListeners; time++) {
        const failed = narrow.runChain(write, { name: 'taken', owner: 'a' });
        expect(isDuplicate(await thrownBy(failed))).toBe(true);
      }
      // Node tells of a warning in a later turn.
      await new Promise(setImmediate);
      expect(warnings).toEqual([]);
    });

    it('are run again where another transaction was in their way', async () => {
      await sql`create sequence tries`.execute(witness.kysely);
      const first = "nextval('tries') = 1";
      const inTheWay = "raise exception 'in the way' using errcode = '40001'";
      await onRefused(witness, `if ${first} then ${inTheWay}; end if`, { deferred: true });
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
const touch = defineChain<{ owner: string }, { topic: string; revision: number }>(
  'test_touch',
  'touched',
  {
    touched: ({ kysely, param }) =>
      kysely
        .updateTable('revisions')
        .set((eb) => ({ revision: eb('revision', '+', 1) }))
        .where('topic', '=', param('owner') as 'catalog')
        .returning(['topic', 'revision']),
  },
  'owner',
);
