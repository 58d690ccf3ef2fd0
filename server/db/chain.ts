/**
 * A chain is a short list of writes of which the first decides: when it touches no row, nothing
 * happens; when it does, the rest happens with it, atomically. Later steps may use columns that
 * earlier ones returned.
 *
 * PostgreSQL runs a chain as one statement (a `with` of data-modifying steps): one round trip.
 * SQLite runs the same steps one after the other within a group commit, which undoes them all when
 * one throws. Both texts are compiled from the same Kysely queries, once, and run as prepared
 * statements, because a chain is what an image request costs in the database.
 */
import {
  type Compilable,
  type CompiledQuery,
  DummyDriver,
  type Expression,
  type Insertable,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  type SqlBool,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely';
import { assert } from '../lib/assert.ts';
import type { EngineName } from './engine-name.ts';
import type { Schema } from './schema.ts';

export type ChainParams = Readonly<Record<string, string | number | null>>;

/** Stands in a compiled query for the value that a run gives under `name`. */
class Param {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Stands in a step (on SQLite) for a column that an earlier step returned. */
class StepColumn {
  readonly step: string;
  readonly column: string;

  constructor(step: string, column: string) {
    this.step = step;
    this.column = column;
  }
}

export interface StepScope<P extends ChainParams> {
  engine: EngineName;
  kysely: Kysely<Schema>;
  /** The value that a run gives under `name`. */
  param: <K extends keyof P & string>(name: K) => P[K];
  /** A column that the earlier step `step` returned. */
  column: <T extends string | number>(step: string, column: string) => T;
  /**
   * An insert that happens once for the row which the earlier step `when` touched, if `condition`
   * (over columns of earlier steps and values of the run) holds.
   */
  insertWhen: <T extends keyof Schema>(
    when: string,
    table: T,
    row: Insertable<Schema[T]>,
    condition?: Expression<SqlBool>,
  ) => Compilable;
}

export type StepBuilder<P extends ChainParams> = (scope: StepScope<P>) => Compilable<unknown>;

export interface CompiledStep {
  name: string;
  text: string;
  parameters: readonly unknown[];
  /** The step without whose row this one does not happen; null when its own text sees to that. */
  when: string | null;
}

/** `R` is the row that the step named `result` returns. */
export interface Chain<P extends ChainParams, R> {
  readonly name: string;
  readonly result: string;
  /** For SQLite: one text a step. */
  readonly steps: readonly CompiledStep[];
  /** For PostgreSQL: one text for all. */
  readonly statement: CompiledStep;
  /** The parameter that names its owner; null when it has none. */
  readonly owner: string | null;
  /** Carries the types only. */
  readonly types?: { params: P; row: R };
}

/**
 * @param steps in order; the first decides, and every later one must hang on an earlier step by
 *   `column` or `insertWhen`, or it would happen without the first.
 * @param result the step whose returned row a run answers with
 * @param owner the parameter by which a run says whose rows it changes. Runs of different owners change no row in
 *   common, so that they may share a transaction on PostgreSQL; one that does not say has one of its own.
 */
export function defineChain<P extends ChainParams, R>(
  name: string,
  result: string,
  steps: Readonly<Record<string, StepBuilder<P>>>,
  owner: (keyof P & string) | null = null,
): Chain<P, R> {
  return {
    name,
    result,
    steps: Object.entries(steps).map(([step, build]) => compileForSqlite(step, build)),
    statement: compileForPostgres(name, result, Object.entries(steps)),
    owner,
  };
}

/** Puts a run's values, and what earlier steps returned, in the place of their stand-ins. */
export function bindParameters(
  parameters: readonly unknown[],
  params: ChainParams,
  returned: ReadonlyMap<string, Record<string, unknown>>,
): unknown[] {
  return parameters.map((parameter) => {
    if (parameter instanceof Param) return params[parameter.name];
    if (parameter instanceof StepColumn) {
      // Null where the step found no row, as PostgreSQL has it: then nothing equals it.
      return returned.get(parameter.step)?.[parameter.column] ?? null;
    }
    return parameter;
  });
}

function compileForSqlite<P extends ChainParams>(
  name: string,
  build: StepBuilder<P>,
): CompiledStep {
  let hangsOn: string | null = null;
  const query = build({
    engine: 'sqlite',
    kysely: sqliteBuilder,
    // The stand-ins pose as the values that replace them when the chain runs.
    param: (param) => new Param(param) as never,
    column: (step, column) => new StepColumn(step, column) as never,
    insertWhen: (when, table, row, condition) => {
      hangsOn = when;
      if (!condition) return sqliteBuilder.insertInto(table).values(row);
      const insert = sql`${insertSelect(table, row)} where ${condition}`;
      return { compile: () => insert.compile(sqliteBuilder) };
    },
  });
  return { name, ...withConstants(query.compile()), when: hangsOn };
}

/**
 * Writes what is the same in every run into the text. SQLite plans a statement anew whenever it is given a value that a
 * partial index asks about (`state = ?`), even the same as before.
 */
function withConstants({ sql: text, parameters }: CompiledQuery) {
  // Names and texts are written by us, none with a question mark.
  const [first, ...pieces] = text.split('?');
  assert(pieces.length === parameters.length, 'each question mark stands for a parameter');
  const bound: unknown[] = [];
  const written = pieces.map((piece, index) => {
    const constant = literalOf(parameters[index]);
    if (constant === null) bound.push(parameters[index]);
    return (constant ?? '?') + piece;
  });
  return { text: [first, ...written].join(''), parameters: bound };
}

function literalOf(parameter: unknown): string | null {
  if (parameter === null) return 'null';
  if (typeof parameter === 'string') return `'${parameter.replaceAll("'", "''")}'`;
  return typeof parameter === 'number' ? String(parameter) : null;
}

function compileForPostgres<P extends ChainParams>(
  name: string,
  result: string,
  steps: readonly [string, StepBuilder<P>][],
): CompiledStep {
  const scope: StepScope<P> = {
    engine: 'postgres',
    kysely: postgresBuilder,
    param: (param) => new Param(param) as never,
    column: (step, column) => sql`(select ${sql.ref(column)} from ${sql.table(step)})` as never,
    insertWhen: (when, table, row, condition) =>
      sql`${insertSelect(table, row)} from ${sql.table(when)} where ${condition ?? sql`true`}` as RawBuilder<unknown> &
        Compilable<unknown>,
  };
  const parts = steps.map(([step, build]) => sql`${sql.table(step)} as (${build(scope)})`);
  const statement = sql`with ${sql.join(parts)} select * from ${sql.table(result)}`;
  const { sql: text, parameters } = statement.compile(postgresBuilder);
  return { name, text, parameters, when: null };
}

/** `insert into … select …`, to be followed by what the insert depends on. */
function insertSelect(table: string, row: object): RawBuilder<unknown> {
  const columns = Object.keys(row).map((column) => sql.ref(column));
  const values = Object.values(row).map((value) => sql`${value}`);
  return sql`insert into ${sql.table(table)} (${sql.join(columns)}) select ${sql.join(values)}`;
}

// Builders that compile and never connect.
const sqliteBuilder = new Kysely<Schema>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});

const postgresBuilder = new Kysely<Schema>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});
