/** How the database would run the statements that a piece of work makes, and what is wrong with that. */
import { CompiledQuery, type Kysely, type KyselyPlugin, sql } from 'kysely';
import { bindParameters } from '../../../server/db/chain.ts';
import type { Database, Db, Trx } from '../../../server/db/db.ts';
import type { EngineName } from '../../../server/db/engine-name.ts';
import type { Schema } from '../../../server/db/schema.ts';

export interface Statement {
  text: string;
  values: readonly unknown[];
}

/** Runs `work` and returns the statements that it made, those within its transactions too. */
export async function statementsOf(
  database: Database,
  work: (recorded: Database) => Promise<unknown>,
): Promise<readonly Statement[]> {
  const statements: Statement[] = [];
  await work(recording(database, statements));
  return statements;
}

/** One step of a plan that reads a table. */
export interface Read {
  /** The engine's own words. */
  words: string;
  table: string;
  /** Reads the whole table or index. */
  isScan: boolean;
  index: string | null;
  /** What the index is searched for; empty for none. */
  condition: string;
}

export interface Plan {
  reads: readonly Read[];
  /** Rows are put in order after they were read, all of them. */
  sorts: boolean;
}

/** The plans of a statement: on PostgreSQL for these values, and the one for any values. */
export async function explain(database: Database, statement: Statement): Promise<readonly Plan[]> {
  return database.engine === 'sqlite'
    ? [await explainOnSqlite(database, statement)]
    : [await explainOnPostgres(database, statement), await explainGenerically(database, statement)];
}

function recording(database: Database, statements: Statement[]): Database {
  return {
    ...recordingDb(database, statements),
    transaction: (work) =>
      database.transaction((trx) =>
        work({ ...recordingDb(trx, statements), transaction: true } satisfies Trx),
      ),
    snapshot: (work) => database.snapshot((db) => work(recordingDb(db, statements))),
    watchRevisions: (listener) => database.watchRevisions(listener),
    noticeChanges: () => database.noticeChanges(),
    close: () => database.close(),
  };
}

function recordingDb(db: Db, statements: Statement[]): Db {
  const executor = db.kysely.getExecutor();
  const plugin: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      const { sql: text, parameters } = executor.compileQuery(node, queryId);
      statements.push({ text, values: parameters });
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  return {
    engine: db.engine,
    kysely: db.kysely.withPlugin(plugin),
    runChain: (chain, params) => {
      for (const { text, parameters } of stepsOn(db.engine, chain)) {
        // What a step returns is not known before; plans do not depend on it.
        statements.push({ text, values: bindParameters(parameters, params, new Map()) });
      }
      return db.runChain(chain, params);
    },
  };
}

type AnyChain = Parameters<Db['runChain']>[0];

function stepsOn(engine: EngineName, { statement, steps }: AnyChain) {
  return engine === 'postgres' ? [statement] : steps;
}

async function explainOnSqlite({ kysely }: Database, { text, values }: Statement): Promise<Plan> {
  const { rows } = await kysely.executeQuery<{ detail: string }>(
    CompiledQuery.raw(`explain query plan ${text}`, [...values]),
  );
  const details = rows.map(({ detail }) => detail);
  return {
    reads: details.flatMap((words) => {
      const [, verb, table] = /^(SCAN|SEARCH) (\w+)/.exec(words) ?? [];
      if (table === undefined) return [];
      return [
        {
          words,
          table,
          isScan: verb === 'SCAN',
          index: / INDEX (\w+)/.exec(words)?.[1] ?? null,
          condition: /\((.*)\)$/.exec(words)?.[1] ?? '',
        },
      ];
    }),
    sorts: details.some((words) => words.startsWith('USE TEMP B-TREE')),
  };
}

async function explainOnPostgres({ kysely }: Database, statement: Statement): Promise<Plan> {
  return await readPlan(kysely, `explain (format json) ${statement.text}`, statement.values);
}

/** What a prepared statement may come to after some runs: a plan that knows no values. */
function explainGenerically({ kysely }: Database, { text, values }: Statement): Promise<Plan> {
  return kysely.connection().execute(async (connection) => {
    await sql`set plan_cache_mode = force_generic_plan`.execute(connection);
    try {
      await sql.raw(`prepare explained as ${text}`).execute(connection);
      const nulls = values.length > 0 ? `(${values.map(() => 'null').join(', ')})` : '';
      return await readPlan(connection, `explain (format json) execute explained${nulls}`, []);
    } finally {
      await sql`deallocate explained`.execute(connection);
      await sql`reset plan_cache_mode`.execute(connection);
    }
  });
}

/** The fields of PostgreSQL's JSON that say how a table is read. */
interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Plans?: readonly PlanNode[];
}

async function readPlan(
  kysely: Kysely<Schema>,
  text: string,
  values: readonly unknown[],
): Promise<Plan> {
  const { rows } = await kysely.executeQuery<{ 'QUERY PLAN': readonly { Plan: PlanNode }[] }>(
    CompiledQuery.raw(text, [...values]),
  );
  const nodes = rows.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan }) => withParts(Plan)));
  return {
    reads: nodes.flatMap(readOf),
    sorts: nodes.some((node) => node['Node Type'].endsWith('Sort')),
  };
}

function withParts(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap((part) => withParts(named(part, node)))];
}

/** The part that searches an index for a bitmap does not name the table itself. */
function named(part: PlanNode, whole: PlanNode): PlanNode {
  const table = whole['Relation Name'];
  const isIndex = part['Node Type'] === 'Bitmap Index Scan';
  return isIndex && table !== undefined ? { ...part, 'Relation Name': table } : part;
}

function readOf(node: PlanNode): Read[] {
  const table = node['Relation Name'];
  // Of a bitmap, the index beneath is what is searched.
  if (!table || !/(?:Seq|Index|Only) Scan$/.test(node['Node Type'])) return [];
  const index = node['Index Name'] ?? null;
  const condition = node['Index Cond'] ?? '';
  const words = `${node['Node Type']} on ${table}${index ? ` using ${index}` : ''} (${condition})`;
  return [{ words, table, isScan: condition === '', index, condition }];
}
