/** A fresh database for one storm, and what it takes to get rid of it. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { EngineName } from '../../server/db/engine-name.ts';
import {
  databaseUrl,
  dropDatabase,
  runSql,
  startEmbedded,
} from '../../test/support/databases/postgres-server.ts';
import type { StormDatabase } from './installation.ts';

export interface FreshDatabase extends StormDatabase {
  /** What a person types to look into it. */
  place: string;
  /** Removes what is outside the folder, unless it is to be kept. */
  finish(options: { keep: boolean }): Promise<void>;
}

/** @param folder where the embedded database lies, and nothing of PostgreSQL */
export async function createDatabase(engine: EngineName, folder: string): Promise<FreshDatabase> {
  const dataDir = join(folder, 'data');
  if (engine === 'sqlite') {
    return { url: null, dataDir, place: join(dataDir, 'tintype.db'), finish: async () => {} };
  }
  const server = await findServer();
  const name = `tintype_storm_${randomBytes(6).toString('hex')}`;
  await runSql(server.url, `create database ${name}`);
  return {
    url: databaseUrl(server.url, name),
    dataDir,
    place: `database ${name}${server.isOurs ? ', gone with its server' : ''}`,
    finish: async ({ keep }) => {
      if (!keep) await dropDatabase(server.url, name);
      await server.stop();
    },
  };
}

interface Server {
  url: string;
  isOurs: boolean;
  stop(): Promise<void>;
}

/** The one that `DATABASE_URL` names, or else one that npm brought, for as long as the storm lasts. */
async function findServer(): Promise<Server> {
  const url = process.env['DATABASE_URL'];
  if (url) return { url, isOurs: false, stop: async () => {} };
  const started = await startEmbedded();
  if ('reason' in started) {
    throw new Error(`PostgreSQL cannot run here (${started.reason}); name one in DATABASE_URL`);
  }
  return { url: started.url, isOurs: true, stop: () => started.stop() };
}
