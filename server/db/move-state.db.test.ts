import { beforeEach, expect, it } from 'vitest';
import { forEachEngine } from '../../test/support/databases/databases.ts';
import type { Database } from './db.ts';
import {
  beginMove,
  endMove,
  noteCompared,
  noteProgress,
  readMove,
  type TableProgress,
} from './move-state.ts';

const first: TableProgress = { rows: 2, after: ['usr_2'], done: false };
const second: TableProgress = { rows: 3, after: ['usr_3'], done: true };

forEachEngine((engine) => {
  let database: Database;

  beforeEach(async () => {
    database = await engine.open();
    await database.transaction((trx) => beginMove(trx, 'source'));
  });

  it('knows how far each table has come', async () => {
    expect(await note(null, first)).toBe(true);
    expect(await note(first, second)).toBe(true);
    expect(await readMove(database)).toEqual({
      source: 'source',
      compared: false,
      tables: new Map([['users', second]]),
    });
  });

  it('lets only one of two writers go on', async () => {
    await note(null, first);
    expect(await note(null, first)).toBe(false);
    await note(first, second);
    expect(await note(first, second)).toBe(false);
  });

  it('forgets everything when it begins again', async () => {
    await note(null, first);
    await database.transaction(noteCompared);
    await database.transaction((trx) => beginMove(trx, 'another'));
    expect(await readMove(database)).toEqual({
      source: 'another',
      compared: false,
      tables: new Map(),
    });
  });

  it('is gone when the move is done', async () => {
    await database.transaction(noteCompared);
    expect(await readMove(database)).toMatchObject({ compared: true });
    await database.transaction(endMove);
    expect(await readMove(database)).toBe(null);
  });

  function note(before: TableProgress | null, now: TableProgress): Promise<boolean> {
    return database.transaction((trx) => noteProgress(trx, 'users', { before, now }));
  }
});
