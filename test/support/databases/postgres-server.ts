/**
 * Once per test run: one real PostgreSQL server, and in it the migrated database from which every
 * test's own database is copied.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { migrate } from '../../../server/db/migrate.ts';
import { openDatabase } from '../../../server/db/open.ts';
import { wantedEngine } from './wanted-engine.ts';

/** What the tests are told about PostgreSQL. */
export type PostgresForTests =
  | { kind: 'ready'; url: string; template: string }
  /** Not wanted, or not possible on this machine: its tests are skipped. */
  | { kind: 'skipped'; reason: string }
  /** Wanted and not there: its tests fail. */
  | { kind: 'failed'; reason: string };

declare module 'vitest' {
  interface ProvidedContext {
    postgres: PostgresForTests;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startServer();
  if ('reason' in server) {
    project.provide('postgres', { kind: server.kind, reason: server.reason });
    return async () => {};
  }
  const template = `tintype_template_${process.pid}`;
  try {
    await createTemplate(server.url, template);
    project.provide('postgres', { kind: 'ready', url: server.url, template });
  } catch (error) {
    project.provide('postgres', { kind: 'failed', reason: `no template: ${String(error)}` });
  }
  return async () => {
    await server.stop(template);
  };
}

interface Server {
  url: string;
  stop(template: string): Promise<void>;
}

type NoServer = { kind: 'skipped' | 'failed'; reason: string };

async function startServer(): Promise<Server | NoServer> {
  const { TINTYPE_TEST_POSTGRES_URL: url, CI } = process.env;
  const engine = wantedEngine();
  if (engine === 'sqlite') return { kind: 'skipped', reason: 'TINTYPE_TEST_ENGINES=sqlite' };
  if (url) return { url, stop: (template) => dropDatabase(url, template) };
  const started = await startEmbedded();
  if (!('reason' in started)) return started;
  const reason = `PostgreSQL cannot run on this machine: ${started.reason}`;
  const required = CI === 'true' || engine === 'postgres';
  return { kind: required ? 'failed' : 'skipped', reason };
}

interface EmbeddedServer extends Server {
  stop(): Promise<void>;
}

/**
 * The server that npm installed with the development dependencies, for as long as it is needed.
 *
 * @param durable whether it keeps what it has committed, as a real one does
 */
export async function startEmbedded({
  durable = false,
} = {}): Promise<EmbeddedServer | { reason: string }> {
  const program = fileURLToPath(new URL('postgres-process.ts', import.meta.url));
  const child = spawn(process.execPath, [program, ...(durable ? ['--durable'] : [])], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  });
  const report = await firstReport(child);
  if ('reason' in report) return report;
  return {
    url: report.url,
    stop: async () => {
      const exited = new Promise((resolve) => child.once('exit', resolve));
      child.stdin.end();
      await exited;
    },
  };
}

async function firstReport(child: ChildProcess): Promise<{ url: string } | { reason: string }> {
  if (child.stdout) {
    for await (const line of createInterface({ input: child.stdout })) {
      // Written by `postgres-process.ts`, whose only output it is.
      return JSON.parse(line) as { url: string } | { reason: string };
    }
  }
  return { reason: 'its process ended without a word' };
}

async function createTemplate(url: string, template: string): Promise<void> {
  await runSql(url, `create database ${template}`);
  const database = openDatabase({
    url: databaseUrl(url, template),
    dataDir: '',
    connectionsMax: 1,
    connectTimeoutMs: 10_000,
    onBackgroundError: () => {},
  });
  try {
    await migrate(database);
  } finally {
    await database.close();
  }
}

/** The same server, another database. */
export function databaseUrl(url: string, name: string): string {
  const other = new URL(url);
  other.pathname = `/${name}`;
  return other.href;
}

export async function dropDatabase(url: string, name: string): Promise<void> {
  await runSql(url, `drop database if exists ${name} with (force)`);
}

export async function runSql(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}
