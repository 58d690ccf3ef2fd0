import { describe, expect, it } from 'vitest';
import { forEachEngine } from '../../test/support/databases/databases.ts';
import {
  findUsedTable,
  insertRows,
  keyOf,
  type Row,
  type RowKey,
  readLayout,
  readRows,
  summarise,
  TableHash,
} from './copy-table.ts';
import type { Database } from './db.ts';

forEachEngine((engine) => {
  it('reads a table in pieces, each row once', async () => {
    const database = await engine.open();
    await addUsers(database, 25);
    const layout = await readLayout(database, 'users');
    const seen: RowKey[] = [];
    let pieces = 0;
    for (let after: RowKey | null = null; ; pieces++) {
      const rows = await readRows(database, layout, { after, limit: 10 });
      if (rows.length === 0) break;
      seen.push(...rows.map((row) => keyOf(layout, row)));
      after = seen.at(-1) ?? null;
    }
    expect(pieces).toBe(3);
    expect(new Set(seen.flat()).size).toBe(25);
  });

  it('follows a key of several columns', async () => {
    const database = await engine.open();
    const rows = [
      ['gen-image-2', 1],
      ['gen-image-2', 2],
      ['gen-image-2', 10],
      ['gen-image-2.5-flare', 1],
    ].map(([model_id = null, seq = null]) => ({
      model_id,
      seq,
      amount: 40_000,
      actor: 'system',
      created_at: 0,
    }));
    const layout = await readLayout(database, 'prices');
    await database.transaction((trx) => insertRows(trx, layout, rows));
    const after = ['gen-image-2', 2];
    const found = await readRows(database, layout, { after, limit: 9 });
    expect(found.map((row) => keyOf(layout, row))).toEqual([
      ['gen-image-2', 10],
      ['gen-image-2.5-flare', 1],
    ]);
  });

  it('writes more values than one statement can bind', async () => {
    const database = await engine.open();
    await addUsers(database, 12_000);
    const { rows } = await summarise(database, await readLayout(database, 'users'));
    expect(rows).toBe(12_000);
  });

  it('adds amounts up beyond what a number holds', async () => {
    const database = await engine.open();
    const users = await addUsers(database, 2);
    const wallets = users.map(({ id = null }) => ({
      user_id: id,
      balance: Number.MAX_SAFE_INTEGER,
      held: 1,
      in_flight: 0,
      transaction_count: 0,
    }));
    const layout = await readLayout(database, 'wallets');
    await database.transaction((trx) => insertRows(trx, layout, wallets));
    expect(await summarise(database, layout)).toEqual({
      rows: 2,
      sums: { balance: '18014398509481982', held: '2' },
    });
  });

  it('tells an installation in use from a new one', async () => {
    const database = await engine.open();
    expect(await findUsedTable(database)).toBe(null);
    await addUsers(database, 1);
    expect(await findUsedTable(database)).toBe('users');
  });
});

describe('the hash of a table', () => {
  const rows: Row[] = [
    { id: 'a', text: null, count: 1 },
    { id: 'b', text: '', count: 0 },
  ];

  it('is the same in whatever order the rows come', () => {
    expect(hashOf(rows.toReversed())).toBe(hashOf(rows));
  });

  it.each<[string, Row[]]>([
    ['a value is another', [{ id: 'a', text: null, count: 2 }, ...rows.slice(1)]],
    ['a text is empty instead of missing', [{ id: 'a', text: '', count: 1 }, ...rows.slice(1)]],
    ['a number became a text', [{ id: 'a', text: null, count: '1' }, ...rows.slice(1)]],
    [
      'values changed places',
      [
        { id: 'b', text: null, count: 1 },
        { id: 'a', text: '', count: 0 },
      ],
    ],
    ['a row is missing', rows.slice(1)],
    ['a row is there twice', [...rows, ...rows.slice(1)]],
  ])('is another when %s', (_what, other) => {
    expect(hashOf(other)).not.toBe(hashOf(rows));
  });

  function hashOf(hashed: readonly Row[]): string {
    const hash = new TableHash(['id', 'text', 'count']);
    for (const row of hashed) hash.add(row);
    return hash.hex;
  }
});

async function addUsers(database: Database, count: number): Promise<readonly Row[]> {
  const layout = await readLayout(database, 'users');
  const rows = Array.from({ length: count }, (_, i) => ({
    id: `${i % 2 === 0 ? 'USR' : 'usr'}_${i}`,
    email: `${i}@example.com`,
    name: 'name',
    role: 'user',
    slots_max: null,
    created_at: i,
    disabled_at: null,
    preferences: '{}',
    last_seen_at: null,
    email_unproven: 0,
  }));
  await database.transaction((trx) => insertRows(trx, layout, rows));
  return rows;
}
