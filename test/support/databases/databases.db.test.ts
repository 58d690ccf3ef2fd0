import { beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../server/db/db.ts';
import { forEachEngine } from './databases.ts';

forEachEngine((engine) => {
  it('opens a database with the current schema', async () => {
    const database = await engine.open();
    expect(database.engine).toBe(engine.name);
    expect(await modelIds(database)).toContain('gen-image-2');
  });

  it('gives every call a database of its own', async () => {
    const [one, other] = [await engine.open(), await engine.open()];
    await one.transaction(async (trx) => {
      await trx.kysely.deleteFrom('models').execute();
    });
    expect(await modelIds(one)).toEqual([]);
    expect(await modelIds(other)).not.toEqual([]);
  });

  it('opens the same database once more', async () => {
    const database = await engine.open();
    const again = engine.openAgain(database);
    await database.transaction(async (trx) => {
      await trx.kysely.deleteFrom('models').where('id', '=', 'gen-image-2').execute();
    });
    expect(await modelIds(again)).not.toContain('gen-image-2');
  });

  describe('opened before all tests of a block', () => {
    let database: Database;
    beforeAll(async () => {
      database = await engine.open();
    });

    it('is open in the first', async () => {
      expect(await modelIds(database)).toHaveLength(3);
    });

    it('is still open in the second', async () => {
      expect(await modelIds(database)).toHaveLength(3);
    });
  });
});

async function modelIds(database: Database): Promise<string[]> {
  const rows = await database.kysely.selectFrom('models').select('id').execute();
  return rows.map((row) => row.id);
}
