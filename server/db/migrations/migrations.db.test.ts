/** An installation of each earlier schema comes to the present one with every row it had, and its books are right. */
import { expect, it } from 'vitest';
import { forEachEngine } from '../../../test/support/databases/databases.ts';
import { goBackTo } from '../../../test/support/databases/earlier-schema.ts';
import { contentsOf, makeHistory } from '../../../test/support/history/installation.ts';
import { liveALife } from '../../../test/support/history/traced-person.ts';
import { violationsOf } from '../../../test/support/money/spending.ts';
import { insertRows, readLayout, readRows, type TableLayout } from '../copy-table.ts';
import type { Database } from '../db.ts';
import { listColumns, listTables } from '../engine.ts';
import { migrate } from '../migrate.ts';
import { tableNames } from '../tables.ts';
import { migrations } from './migrations.ts';

const earlier = Object.keys(migrations).slice(0, -1);
const rowsMax = 10_000;

forEachEngine((engine) => {
  it.each(earlier)('behind %s', async (migration) => {
    const present = await engine.open();
    await makeHistory(present);
    await liveALife(present);
    const old = await engine.open();
    await goBackTo(old, migration);
    const layouts = await copyWhatFits(present, old);
    expect(layouts.length).toBeGreaterThan(15);
    await migrate(old);
    expect(await violationsOf(old)).toEqual([]);
    const wanted = await contentsOf(present);
    const found = await contentsOf(old);
    for (const { name, columns } of layouts) {
      expect(only(columns, found[name]), name).toEqual(only(columns, wanted[name]));
    }
  });
});

/** The tables and columns that both have; answers which those are. */
async function copyWhatFits(from: Database, to: Database): Promise<readonly TableLayout[]> {
  const there = await listTables(to);
  const names = tableNames.filter((name) => there.has(name));
  const layouts: TableLayout[] = [];
  await to.transaction(async (trx) => {
    for (const name of names.toReversed()) await trx.kysely.deleteFrom(name).execute();
    for (const name of names) {
      const known = await listColumns(trx, name);
      const layout = await readLayout(from, name);
      const fitting = { ...layout, columns: layout.columns.filter((each) => known.includes(each)) };
      const rows = await readRows(from, layout, { after: null, limit: rowsMax });
      await insertRows(trx, fitting, rows);
      layouts.push(fitting);
    }
  });
  return layouts;
}

/** Rows of `contentsOf`, in these columns. */
function only(columns: readonly string[], rows: readonly string[] = []): string[] {
  const cut = rows.map((row) => {
    const fields = JSON.parse(row) as [string, unknown][];
    return JSON.stringify(fields.filter(([name]) => columns.includes(name)));
  });
  return cut.sort();
}
