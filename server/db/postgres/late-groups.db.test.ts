import { sql } from 'kysely';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { countWaiting } from '../../../test/support/databases/count-waiting.ts';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import {
  count,
  lockTopic,
  onRefused,
  readWritten,
  write,
} from '../../../test/support/databases/group-bench.ts';
import { patience } from '../../../test/support/patience.ts';
import type { Database } from '../db.ts';

const topics = ['accounts', 'catalog', 'settings'] as const;

forEachEngine((engine) => {
  const options = {
    skip: engine.name !== 'postgres',
    meta: { skippedBecause: 'SQLite commits its groups otherwise' },
  };

  describe('groups of chains that take long', options, () => {
    let witness: Database;
    let db: Database;

    beforeEach(async () => {
      witness = await engine.open();
      db = engine.openAgain(witness);
    });

    const writeAs = (owner: string, name = owner) => db.runChain(write, { name, owner });
    const namesWritten = async () => (await readWritten(witness)).map(({ name }) => name);
    const lockTopics = async () => {
      const unlocks: (() => Promise<void>)[] = [];
      for (const topic of topics) unlocks.push(await lockTopic(witness, topic));
      return () => Promise.all(unlocks.map((unlock) => unlock()));
    };
    /** Each in a group of its own. */
    const countEach = async (suffix = '') => {
      const counted: Promise<{ revision: number } | null>[] = [];
      for (const owner of topics) {
        counted.push(db.runChain(count, { owner, note: `${owner}${suffix}` }));
        await new Promise(setImmediate);
      }
      return counted;
    };

    it('wait not for those before, however many of them are kept', async () => {
      const unlock = await lockTopics();
      const locked = await countEach();
      const more = db.runChain(count, { owner: 'catalog', note: 'more' });
      await writeAs('a');
      expect(await namesWritten()).toEqual(['a']);
      await unlock();
      expect((await Promise.all(locked)).map((row) => row?.revision)).toEqual([1, 1, 1]);
      expect(await more).toBeNull();
    });

    it('of an owner wait in the process for those before, until these take too long', async () => {
      const unlock = await lockTopic(witness, 'catalog');
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      onTestFinished(() => void vi.useRealTimers());
      const first = db.runChain(count, { owner: 'catalog', note: 'first' });
      await expect.poll(() => countWaiting(witness), patience).toBe(1);
      const second = db.runChain(count, { owner: 'catalog', note: 'second' });
      await writeAs('a');
      expect(await countWaiting(witness)).toBe(1);
      vi.advanceTimersByTime(1_000);
      vi.useRealTimers();
      await expect.poll(() => countWaiting(witness), patience).toBe(2);
      await unlock();
      expect(await Promise.all([first, second])).toEqual([{ topic: 'catalog', revision: 1 }, null]);
    });

    it('keep nobody else waiting, nor do those that follow them', async () => {
      const unlock = await lockTopics();
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      onTestFinished(() => void vi.useRealTimers());
      const counted = await countEach();
      vi.advanceTimersByTime(1_000);
      counted.push(...(await countEach(' again')));
      await writeAs('a');
      expect(await namesWritten()).toEqual(['a']);
      await unlock();
      expect(await Promise.all(counted)).toHaveLength(6);
    });

    it('are run without the one that fails also where that came late', async () => {
      const { endLate, all } = await beLate();
      await endLate();
      expect(await all).toHaveLength(3);
      expect((await namesWritten()).toSorted()).toEqual(['a', 'c', 'refused']);
    });

    it('say nothing of each of their owners: these share again at once', async () => {
      const { endLate, all } = await beLate();
      await endLate();
      await all;
      await Promise.all([writeAs('a', 'again'), writeAs('d')]);
      const written = await readWritten(witness);
      const transactions = new Map(written.map(({ name, transaction }) => [name, transaction]));
      expect(transactions.get('again')).toBe(transactions.get('d'));
    });

    it('are no more at a time once they have ended', async () => {
      const { endLate, all } = await beLate();
      await endLate();
      await all;
      const unlock = await lockTopics();
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      onTestFinished(() => void vi.useRealTimers());
      const counted = await countEach();
      const fourth = writeAs('fourth');
      await expect.poll(() => countWaiting(witness), patience).toBe(3);
      expect(await namesWritten()).not.toContain('fourth');
      vi.useRealTimers();
      await unlock();
      expect(await fourth).toEqual({ name: 'fourth' });
      expect((await Promise.all(counted)).map((row) => row?.revision)).toEqual([1, 1, 1]);
    });

    /** Three chains share a transaction that takes longer than others wait for it; `endLate` ends it. */
    async function beLate() {
      await sql`create sequence tries`.execute(witness.kysely);
      const first = "nextval('tries') = 1";
      const what = `if ${first} then perform pg_sleep(60); end if`;
      await onRefused(witness, what, { deferred: false });
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
      const endLate = async () => {
        await expect.poll(cancelSleeping, patience).toBe(1);
      };
      return { endLate, all };
    }
  });
});
