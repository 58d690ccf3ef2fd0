/**
 * Whole tables, whatever their meaning: read in pieces, written to another database, counted, and
 * hashed, so that two copies can be compared. Works on both engines; memory holds one piece.
 */
import { hash } from 'node:crypto';
import { CompiledQuery, sql } from 'kysely';
import { must } from '../lib/assert.ts';
import type { Db, Trx } from './db.ts';
import { listColumns, listTables } from './engine.ts';
import type { EngineName } from './engine-name.ts';
import { type TableName, tableNames, tables } from './tables.ts';

export type Value = string | number | null;
export type Row = Readonly<Record<string, Value>>;
/** The primary key of a row. */
export type RowKey = readonly Value[];

export interface TableLayout {
  name: TableName;
  columns: readonly string[];
  key: readonly string[];
  amounts: readonly string[];
}

/** Databases bind a limited number of values in one statement: SQLite 32,766. */
const valuesPerInsertMax = 30_000;

export async function readLayout(db: Db, name: TableName): Promise<TableLayout> {
  const { key, amounts } = tables[name];
  return { name, key, amounts, columns: await listColumns(db, name) };
}

/** The rows behind `after` in the order of the key, as the engine sorts it. */
export async function readRows(
  db: Db,
  table: TableLayout,
  { after, limit }: { after: RowKey | null; limit: number },
): Promise<readonly Row[]> {
  const key = sql.join(table.key.map((column) => sql.ref(column)));
  const behind = after === null ? sql`` : sql`where (${key}) > (${sql.join(after)})`;
  const columns = sql.join(table.columns.map((column) => sql.ref(column)));
  const { rows } = await sql<Row>`
    select ${columns} from ${sql.table(table.name)} ${behind}
    order by ${key} limit ${sql.lit(limit)}`.execute(db.kysely);
  return rows;
}

export function keyOf(table: TableLayout, row: Row): RowKey {
  return table.key.map((column) => row[column] ?? null);
}

export async function insertRows(
  trx: Trx,
  { name, columns }: TableLayout,
  rows: readonly Row[],
): Promise<void> {
  const rowsMax = Math.floor(valuesPerInsertMax / columns.length);
  for (let first = 0; first < rows.length; first += rowsMax) {
    const piece = rows.slice(first, first + rowsMax);
    const values = piece.flatMap((row) => columns.map((column) => row[column] ?? null));
    // Thousands of values: built as text, because a query builder would make an object of each.
    const text =
      `insert into ${quoted([name])} (${quoted(columns)}) ` +
      `values ${tuples(trx.engine, { rows: piece.length, columns: columns.length })}`;
    await trx.kysely.executeQuery(CompiledQuery.raw(text, values));
  }
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ');
}

function tuples(engine: EngineName, { rows, columns }: { rows: number; columns: number }): string {
  const places = Array.from({ length: rows * columns }, (_, i) =>
    engine === 'postgres' ? `$${i + 1}` : '?',
  );
  return Array.from(
    { length: rows },
    (_, row) => `(${places.slice(row * columns, (row + 1) * columns).join(', ')})`,
  ).join(', ');
}

export async function clearTable(trx: Trx, name: TableName): Promise<void> {
  await sql`delete from ${sql.table(name)}`.execute(trx.kysely);
}

/** A table that only an installation in use has rows in; null when there is none. */
export async function findUsedTable(db: Db): Promise<TableName | null> {
  const present = await listTables(db);
  for (const name of tableNames) {
    if (tables[name].seeded || !present.has(name)) continue;
    const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(db.kysely);
    if (rows.length > 0) return name;
  }
  return null;
}

export interface TableSummary {
  rows: number;
  /** Σ of each amount column, as text: a sum over everybody may be more than a number holds. */
  sums: Readonly<Record<string, string>>;
}

/** The greatest value of the key's first column, as the engine sorts it: tells installations apart. */
export async function readLastKey(db: Db, { name, key }: TableLayout): Promise<Value> {
  const [first] = key;
  const { rows } = await sql<{ last: Value }>`
    select max(${sql.ref(must(first, `a key of ${name}`))}) as last
    from ${sql.table(name)}`.execute(db.kysely);
  return rows[0]?.last ?? null;
}

/** Counted and added up by the database itself. */
export async function summarise(db: Db, table: TableLayout): Promise<TableSummary> {
  const sums = table.amounts.map(
    (column) => sql`, cast(coalesce(sum(${sql.ref(column)}), 0) as text) as ${sql.ref(column)}`,
  );
  const { rows } = await sql<Record<string, string> & { row_count: number }>`
    select count(*) as row_count ${sql.join(sums, sql` `)}
    from ${sql.table(table.name)}`.execute(db.kysely);
  const { row_count: count = 0, ...totals } = rows[0] ?? {};
  return { rows: count, sums: totals };
}

/**
 * One hash for all rows of a table, the same whatever order they come in: engines sort texts
 * differently. It is the sum of the rows' own hashes.
 */
export class TableHash {
  readonly #columns: readonly string[];
  #sum = 0n;

  /** @param columns in the order that both sides agree on */
  constructor(columns: readonly string[]) {
    this.#columns = columns;
  }

  add(row: Row): void {
    const text = JSON.stringify(this.#columns.map((column) => row[column] ?? null));
    this.#sum = BigInt.asUintN(256, this.#sum + BigInt(`0x${hash('sha256', text, 'hex')}`));
  }

  get hex(): string {
    return this.#sum.toString(16).padStart(64, '0');
  }
}
