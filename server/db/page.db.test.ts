import { expect, it } from 'vitest';
import { forEachEngine } from '../../test/support/databases/databases.ts';
import type { Database } from './db.ts';
import { mapPage, type PageRequest, readPage } from './page.ts';

forEachEngine((engine) => {
  it.each([1, 2, 3, 4, 5, 6])('gives every row once, %i a page', async (limit) => {
    const database = await withSettings(['a', 'b', 'c', 'd', 'e']);
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const page = await pageOf(database, 'asc', { after, limit });
      expect(page.items.length).toBeLessThanOrEqual(limit);
      seen.push(...page.items);
      after = page.next;
    } while (after !== null);
    expect(seen).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('goes the other way too', async () => {
    const database = await withSettings(['a', 'b', 'c']);
    const first = await pageOf(database, 'desc', { after: null, limit: 2 });
    expect(first).toEqual({ items: ['c', 'b'], next: 'b' });
    expect(await pageOf(database, 'desc', { after: first.next, limit: 2 })).toEqual({
      items: ['a'],
      next: null,
    });
  });

  it('neither repeats nor skips rows when others arrive meanwhile', async () => {
    const database = await withSettings(['b', 'd']);
    const first = await pageOf(database, 'asc', { after: null, limit: 1 });
    await addSettings(database, ['a', 'c']);
    const rest = await pageOf(database, 'asc', { after: first.next, limit: 10 });
    expect([...first.items, ...rest.items]).toEqual(['b', 'c', 'd']);
  });

  it('is empty, and the last, when there is nothing', async () => {
    const database = await engine.open();
    expect(await pageOf(database, 'asc', { after: null, limit: 5 })).toEqual({
      items: [],
      next: null,
    });
  });

  async function withSettings(names: readonly string[]): Promise<Database> {
    const database = await engine.open();
    await addSettings(database, names);
    return database;
  }
});

async function pageOf(database: Database, direction: 'asc' | 'desc', page: PageRequest) {
  const query = database.kysely.selectFrom('settings').selectAll();
  return mapPage(await readPage(query, { key: 'name', direction }, page), ({ name }) => name);
}

async function addSettings(database: Database, names: readonly string[]): Promise<void> {
  await database.transaction(async (trx) => {
    const rows = names.map((name) => ({ name, value: '1' }));
    await trx.kysely.insertInto('settings').values(rows).execute();
  });
}
