import { join } from 'node:path';
import type { Database } from './db.ts';
import { openPostgres } from './postgres/postgres.ts';
import { openSqlite } from './sqlite/sqlite.ts';

export interface DatabaseOptions {
  /** `postgres://…`; null opens the embedded database in `dataDir`. */
  url: string | null;
  dataDir: string;
  connectionsMax: number;
  connectTimeoutMs: number;
  /** How long PostgreSQL may take to answer a statement; without it, as long as it likes. */
  answerTimeoutMs?: number;
  /** The same for a statement of a snapshot. */
  readTimeoutMs?: number;
  onBackgroundError: (error: unknown) => void;
}

export function openDatabase(options: DatabaseOptions): Database {
  return options.url === null
    ? openSqlite(embeddedFile(options.dataDir))
    : openPostgres({ ...options, url: options.url });
}

/** The embedded database of a data folder. */
export function embeddedFile(dataDir: string): string {
  return join(dataDir, 'tintype.db');
}
