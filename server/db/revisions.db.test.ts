import { beforeEach, expect, it, vi } from 'vitest';
import { forEachEngine } from '../../test/support/databases/databases.ts';
import { patience } from '../../test/support/patience.ts';
import type { Database } from './db.ts';
import { bumpRevision } from './revisions.ts';
import type { RevisionTopic } from './schema.ts';

forEachEngine((engine) => {
  let database: Database;
  let other: Database;
  let heard: RevisionTopic[];

  beforeEach(async () => {
    database = await engine.open();
    other = engine.openAgain(database);
    heard = [];
    database.watchRevisions((topic) => heard.push(topic));
    // PostgreSQL compares with what it has read first, which comes a moment later.
    await database.transaction(async () => {});
    heard = [];
  });

  it('tells a process of its own change when that is done', async () => {
    await change(database, 'catalog');
    expect(heard).toEqual(['catalog']);
  });

  it('tells a process of the change of another', async () => {
    await change(other, 'accounts');
    await vi.waitFor(() => {
      database.noticeChanges();
      expect(heard).toEqual(['accounts']);
    }, patience);
  });

  const onlySqlite = {
    skip: engine.name !== 'sqlite',
    meta: { skippedBecause: 'concerns SQLite, which is asked at each look' },
  };
  it('tells of it at the very next look', onlySqlite, async () => {
    await change(other, 'accounts');
    database.noticeChanges();
    expect(heard).toEqual(['accounts']);
  });

  it('tells of every topic once, however often it changed in between', async () => {
    await change(other, 'settings', 'catalog', 'settings');
    await vi.waitFor(() => {
      database.noticeChanges();
      expect(heard).toEqual(['catalog', 'settings']);
    }, patience);
  });

  it('tells nobody of a change that was undone', async () => {
    const undone = other.transaction(async (trx) => {
      await bumpRevision(trx, 'catalog');
      throw new Error('no');
    });
    await expect(undone).rejects.toThrow('no');
    await change(other, 'accounts');
    await vi.waitFor(() => {
      database.noticeChanges();
      expect(heard).toEqual(['accounts']);
    }, patience);
  });

  it('tells nothing to a listener that has stopped listening', async () => {
    const late: RevisionTopic[] = [];
    const stop = database.watchRevisions((topic) => late.push(topic));
    stop();
    await change(database, 'catalog');
    expect({ heard, late }).toEqual({ heard: ['catalog'], late: [] });
  });
});

async function change(database: Database, ...topics: RevisionTopic[]): Promise<void> {
  await database.transaction(async (trx) => {
    for (const topic of topics) await bumpRevision(trx, topic);
  });
}
