/**
 * Databases for tests. What touches the database is tested on every engine:
 *
 *     forEachEngine((engine) => {
 *       it('keeps what was written', async () => {
 *         const database = await engine.open();
 *         …
 *       });
 *     });
 *
 * Only in files named `*.db.test.ts` and in `test/api` and `test/clients`: they are the ones that get
 * a PostgreSQL server.
 */
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { afterAll, describe, inject, onTestFinished, TestRunner } from 'vitest';
import type { Database } from '../../../server/db/db.ts';
import type { EngineName } from '../../../server/db/engine-name.ts';
import { migrate } from '../../../server/db/migrate.ts';
import { type DatabaseOptions, openDatabase } from '../../../server/db/open.ts';
import { must } from '../../../server/lib/assert.ts';
import { makeScratchFolder } from '../scratch.ts';
import { databaseUrl, dropDatabase, runSql } from './postgres-server.ts';
import { wantedEngine } from './wanted-engine.ts';

/** Where a database is: what another process needs to open it too. */
export type DatabaseLocation = Pick<DatabaseOptions, 'url' | 'dataDir'>;

export interface Engine {
  readonly name: EngineName;
  /**
   * A fresh database with the current schema. It is closed and deleted after the test, or, when
   * opened in `beforeAll`, after the describe block.
   */
  open(): Promise<Database>;
  /** A second handle on the same database, as another process would have it. */
  openAgain(database: Database): Database;
  locationOf(database: Database): DatabaseLocation;
}

/** Runs the describe blocks and tests of `body` once per engine. */
export function forEachEngine(body: (engine: Engine) => void): void {
  for (const name of ['sqlite', 'postgres'] as const) {
    const reason = reasonToSkip(name);
    const options = reason === null ? {} : { skip: true, meta: { skippedBecause: reason } };
    describe(`on ${name}`, options, () => {
      body(makeEngine(name));
    });
  }
}

declare module 'vitest' {
  interface TaskMeta {
    /** Shown at the end of the run. */
    skippedBecause?: string;
  }
}

function reasonToSkip(name: EngineName): string | null {
  if (name === 'postgres') {
    const postgres = postgresForTests();
    return postgres.kind === 'skipped' ? postgres.reason : null;
  }
  return wantedEngine() === 'postgres' ? 'TINTYPE_TEST_ENGINES=postgres' : null;
}

function makeEngine(name: EngineName): Engine {
  const locations = new WeakMap<Database, DatabaseLocation>();
  const cleanUps = cleanUpStack();
  const locationOf = (database: Database): DatabaseLocation =>
    must(locations.get(database), 'the location of a database opened by this engine');
  const openAt = (location: DatabaseLocation): Database => {
    const database = openDatabase({ ...connectionOptions, ...location });
    locations.set(database, location);
    cleanUps.add(() => database.close());
    return database;
  };
  return {
    name,
    open: async () => {
      if (name === 'postgres') return openAt(await createPostgresDatabase(cleanUps));
      const database = openAt(createSqliteFolder(cleanUps));
      await migrate(database);
      return database;
    },
    openAgain: (database) => openAt(locationOf(database)),
    locationOf,
  };
}

const connectionOptions = {
  connectionsMax: 10,
  connectTimeoutMs: 30_000,
  onBackgroundError: () => {},
};

function createSqliteFolder(cleanUps: CleanUps): DatabaseLocation {
  const dataDir = makeScratchFolder('test');
  cleanUps.add(async () => rmSync(dataDir, { recursive: true, force: true }));
  return { url: null, dataDir };
}

async function createPostgresDatabase(cleanUps: CleanUps): Promise<DatabaseLocation> {
  const postgres = postgresForTests();
  if (postgres.kind !== 'ready') throw new Error(postgres.reason);
  const name = `tintype_test_${randomBytes(8).toString('hex')}`;
  await runSql(postgres.url, `create database ${name} template ${postgres.template}`);
  cleanUps.add(() => dropDatabase(postgres.url, name));
  return { url: databaseUrl(postgres.url, name), dataDir: '' };
}

function postgresForTests(): ReturnType<typeof inject<'postgres'>> {
  const postgres = inject('postgres');
  if (!postgres)
    throw new Error('a test that needs a database belongs in a *.db.test.ts file or test/api');
  return postgres;
}

interface CleanUps {
  add(cleanUp: () => Promise<void>): void;
}

/** Runs what was added within a test after that test, the rest after the describe block; last first. */
function cleanUpStack(): CleanUps {
  const afterBlock: (() => Promise<void>)[] = [];
  afterAll(async () => {
    for (const cleanUp of afterBlock.reverse()) await cleanUp();
  });
  return {
    add: (cleanUp) => {
      if (TestRunner.getCurrentTest()) onTestFinished(cleanUp);
      else afterBlock.push(cleanUp);
    },
  };
}
