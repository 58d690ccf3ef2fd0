/** The SQL that the two engines spell differently. */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { must } from '../lib/assert.ts';
import { OperatorError } from '../lib/operator-error.ts';
import type { Db, Trx } from './db.ts';
import type { EngineName } from './engine-name.ts';
import type { Schema } from './schema.ts';

/** The database's own clock in Unix milliseconds, so that leases of all processes share one clock. */
export function databaseNow(engine: EngineName): RawBuilder<number> {
  return engine === 'postgres'
    ? sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`
    : sql<number>`cast(unixepoch('subsec') * 1000 as integer)`;
}

/** Sums are `numeric` on PostgreSQL; this makes them 8-byte integers again, 0 for no rows. */
export function sumOf(engine: EngineName, column: string): RawBuilder<number> {
  return engine === 'postgres'
    ? sql<number>`coalesce(sum(${sql.ref(column)}), 0)::bigint`
    : sql<number>`coalesce(sum(${sql.ref(column)}), 0)`;
}

/** The sum as text, for it may be larger than any number that the drivers read. */
export function vastSumOf(column: string): RawBuilder<string> {
  return sql<string>`cast(coalesce(sum(${sql.ref(column)}), 0) as text)`;
}

/**
 * A table that is to be read from its beginning to its end. To group or sort all rows of a long table, SQLite would
 * otherwise follow an index in that order, and jump about the disk for each row.
 */
export function scanOf(engine: EngineName, table: string): RawBuilder<unknown> {
  return engine === 'postgres' ? sql`${sql.table(table)}` : sql`${sql.table(table)} not indexed`;
}

/**
 * A table, called `t`, that is read by a partial index which has just the rows in question. SQLite has to be told:
 * it does not know how few they are, and would look up very many other rows instead.
 */
export function throughIndex(
  engine: EngineName,
  { table, index }: { table: string; index: string },
): RawBuilder<unknown> {
  return engine === 'postgres'
    ? sql`${sql.table(table)} as t`
    : sql`${sql.table(table)} as t indexed by ${sql.ref(index)}`;
}

/** The entries of a JSON list in `column`, as rows called `entry` with the one column `value`. */
export function entriesOf(engine: EngineName, column: string): RawBuilder<unknown> {
  return engine === 'postgres'
    ? sql`jsonb_array_elements(${sql.ref(column)}::jsonb) as entry (value)`
    : sql`json_each(${sql.ref(column)}) as entry`;
}

/** Whether a column's text is in the JSON list `list`. */
export function isInList(engine: EngineName, column: string, list: string): RawBuilder<SqlBool> {
  return engine === 'postgres'
    ? sql`${sql.ref(column)} = any(array(select jsonb_array_elements_text(${list}::jsonb)))`
    : sql`${sql.ref(column)} in (select value from json_each(${list}))`;
}

/** Wakes the other processes on PostgreSQL when the transaction commits; SQLite's poll is free. */
export async function notifyChannel(trx: Trx, channel: string): Promise<void> {
  if (trx.engine === 'postgres') await sql`select pg_notify(${channel}, '')`.execute(trx.kysely);
}

/**
 * Waits until no other transaction writes a table, and lets none until this one ends. On SQLite one
 * writes at a time anyway.
 */
export async function lockTable(trx: Trx, table: keyof Schema): Promise<void> {
  if (trx.engine === 'sqlite') return;
  await sql`lock table ${sql.table(table)} in share row exclusive mode`.execute(trx.kysely);
}

/**
 * Empties SQLite's write-ahead log, where pages as they were before may still stand. False while a
 * reader needs them: then the next checkpoint that is complete writes over them, or the next stop.
 * PostgreSQL recycles its log by itself.
 */
export async function dropOldPages({ engine, kysely }: Db): Promise<boolean> {
  if (engine === 'postgres') return true;
  const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(kysely);
  return rows[0]?.busy === 0;
}

/** The schema in which everything of ours is made and looked for; null where a database has no such thing. */
export async function readSchemaName({ engine, kysely }: Db): Promise<string | null> {
  if (engine === 'sqlite') return null;
  const { rows } = await sql<{ name: string | null; path: string }>`
    select current_schema() as name, current_setting('search_path') as path
  `.execute(kysely);
  const { name, path } = must(rows[0], 'settings of every connection');
  if (name !== null) return name;
  throw new OperatorError(
    `the database has no schema of its search_path (${path}) that its account may use: create it first`,
  );
}

/** The tables there are, ours and others'. */
export async function listTables({ engine, kysely }: Db): Promise<ReadonlySet<string>> {
  const query =
    engine === 'postgres'
      ? sql<{ name: string }>`select table_name as name from information_schema.tables
          where table_schema = current_schema() and table_type = 'BASE TABLE'`
      : sql<{ name: string }>`select name from sqlite_schema where type = 'table'`;
  const { rows } = await query.execute(kysely);
  return new Set(rows.map(({ name }) => name));
}

/** What a new table could not be called: the names of tables, views, indexes, sequences and types. */
export async function listNames({ engine, kysely }: Db): Promise<ReadonlySet<string>> {
  const query =
    engine === 'postgres'
      ? sql<{ name: string }>`
          with here as (select oid from pg_namespace where nspname = current_schema())
          select relname as name from pg_class where relnamespace in (select oid from here)
          union select typname from pg_type where typnamespace in (select oid from here)`
      : sql<{ name: string }>`select name from sqlite_schema`;
  const { rows } = await query.execute(kysely);
  return new Set(rows.map(({ name }) => name));
}

/** A table's columns as the database has them, in their order. */
export async function listColumns(
  { engine, kysely }: Db,
  table: string,
): Promise<readonly string[]> {
  const query =
    engine === 'postgres'
      ? // The information schema has none of a table that the account has no rights to.
        sql<{ name: string }>`select attname as name from pg_attribute
          where attrelid = to_regclass(format('%I.%I', current_schema(), ${table}::text))
            and attnum > 0 and not attisdropped
          order by attnum`
      : sql<{ name: string }>`select name from pragma_table_info(${table}) order by cid`;
  const { rows } = await query.execute(kysely);
  return rows.map(({ name }) => name);
}

/** Lets the query planner know what the tables hold. */
export async function analyzeTables(trx: Trx, names: readonly string[]): Promise<void> {
  for (const name of names) await sql`analyze ${sql.table(name)}`.execute(trx.kysely);
}
