/** Refuses a database in which another program has made what Tintype would make under the same name. */
import { OperatorError } from '../lib/operator-error.ts';
import type { Db } from './db.ts';
import { listColumns, listNames } from './engine.ts';
import { moveTable } from './move-state.ts';
import { tableNames } from './tables.ts';

export const migrationsTable = 'migrations';
export const migrationsLockTable = 'migrations_lock';

/** As the library makes it. */
const migrationsColumns = ['name', 'timestamp'];

/** A table of this name is a common one: without this its rows would be read as ours. */
export async function refuseForeignMigrations(db: Db): Promise<void> {
  if (!(await listNames(db)).has(migrationsTable)) return;
  const columns = await listColumns(db, migrationsTable);
  if (columns.toSorted().join() !== migrationsColumns.join()) throw namesTaken([migrationsTable]);
}

/** @param present the names in a database in which no migration has run: nothing there is ours */
export function refuseForeignNames(present: ReadonlySet<string>): void {
  const taken = [...tableNames, moveTable].filter((name) => present.has(name));
  if (taken.length > 0) throw namesTaken(taken);
}

function namesTaken(names: readonly string[]): OperatorError {
  return new OperatorError(
    `the database has names that Tintype needs and did not make: ${names.join(', ')}. ` +
      'Give Tintype a database, or a schema, of its own.',
  );
}
