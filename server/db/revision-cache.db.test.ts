import { expect, it } from 'vitest';
import { forEachEngine } from '../../test/support/databases/databases.ts';
import { heardOf } from '../../test/support/databases/watched-database.ts';
import { patience } from '../../test/support/patience.ts';
import type { Database } from './db.ts';
import { RevisionCache } from './revision-cache.ts';
import { bumpRevision } from './revisions.ts';
import type { RevisionTopic } from './schema.ts';

forEachEngine((engine) => {
  it('reads once for any number of calls', async () => {
    const { cache, loads } = await open();
    expect(await Promise.all([cache.current(), cache.current()])).toEqual([1, 1]);
    expect(await cache.current()).toBe(1);
    expect(loads()).toBe(1);
  });

  it('reads again after a change of its topic, and of no other', async () => {
    const { cache, database } = await open();
    await cache.current();
    await change(database, 'settings');
    expect(await cache.current()).toBe(1);
    await change(database, 'catalog');
    expect(await cache.current()).toBe(2);
  });

  it('hears of a change by another process', async () => {
    const { cache, database } = await open();
    await cache.current();
    const elsewhere = engine.openAgain(database);
    await heardOf(database, 'catalog', () => change(elsewhere, 'catalog'));
    expect(await cache.current()).toBe(2);
  });

  const options = {
    skip: engine.name !== 'sqlite',
    meta: { skippedBecause: 'PostgreSQL tells of a change a moment later' },
  };
  it('has what another process changed before it is asked', options, async () => {
    const { cache, database } = await open();
    expect(await cache.current()).toBe(1);
    await change(engine.openAgain(database), 'catalog');
    expect(await cache.current()).toBe(2);
  });

  it('keeps what is read after a change when what was read before it fails', async () => {
    const fails = Promise.withResolvers<void>();
    const { cache, database, loads } = await open((load) =>
      load === 1 ? fails.promise : Promise.resolve(),
    );
    const early = cache.current();
    await expect.poll(loads, patience).toBe(1);
    await change(database, 'catalog');
    const late = cache.current();
    fails.reject(new Error('no connection'));
    await expect(early).rejects.toThrow('no connection');
    expect(await cache.current()).toBe(2);
    expect(await late).toBe(2);
  });

  it('gives nobody what was being read when a change came', async () => {
    const gate = Promise.withResolvers<void>();
    const { cache, database } = await open(() => gate.promise);
    const early = cache.current();
    await change(database, 'catalog');
    const late = cache.current();
    gate.resolve();
    const [given, givenLater] = await Promise.all([early, late]);
    expect([given, givenLater]).not.toContain(1);
  });

  it('tries again after a failed read', async () => {
    let fails = true;
    const { cache } = await open(async () => {
      if (fails) throw new Error('no connection');
    });
    await expect(cache.current()).rejects.toThrow('no connection');
    fails = false;
    expect(await cache.current()).toBe(2);
  });

  async function open(whileLoading: (load: number) => Promise<void> = async () => {}) {
    const database = await engine.open();
    // Its end makes the database know the revisions as they are.
    await database.transaction(async () => {});
    let loads = 0;
    const cache = new RevisionCache(database, 'catalog', async () => {
      const load = ++loads;
      await whileLoading(load);
      return load;
    });
    return { cache, database, loads: () => loads };
  }
});

function change(database: Database, topic: RevisionTopic): Promise<void> {
  return database.transaction((trx) => bumpRevision(trx, topic));
}
