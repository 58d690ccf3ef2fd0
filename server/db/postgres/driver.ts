/** The driver of PostgreSQL, loaded where there is one: a service on the embedded database does without. */
import { createRequire } from 'node:module';
import type pg from 'pg';

const require = createRequire(import.meta.url);

export function postgresDriver(): typeof pg {
  return require('pg') as typeof pg;
}
