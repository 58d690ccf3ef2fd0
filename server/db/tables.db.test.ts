import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { forEachEngine } from '../../test/support/databases/databases.ts';
import { openEmbedded, tablesOf } from '../../test/support/history/installation.ts';
import { tableNames, tables } from './tables.ts';

forEachEngine((engine) => {
  it('knows every table', async () => {
    expect(await tablesOf(await engine.open())).toEqual([...tableNames].sort());
  });
});

describe('each table', () => {
  it.each(tableNames)('%s has the key that the schema gives it', async (name) => {
    const { database } = await openEmbedded();
    const { rows } = await sql<{ name: string }>`
      select name from pragma_table_info(${name}) where pk > 0 order by pk`.execute(
      database.kysely,
    );
    expect(rows.map((row) => row.name)).toEqual(tables[name].key);
  });

  it.each(tableNames)('%s stands behind those it refers to', async (name) => {
    const { database } = await openEmbedded();
    const { rows } = await sql<{ parent: string }>`
      select "table" as parent from pragma_foreign_key_list(${name})`.execute(database.kysely);
    const before = tableNames.slice(0, tableNames.indexOf(name));
    expect(
      rows.map((row) => row.parent).filter((parent) => !before.some((t) => t === parent)),
    ).toEqual([]);
  });
});
