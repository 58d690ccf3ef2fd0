/**
 * A program of its own: reads the embedded database that it is told in the reader's thread, something short and
 * something long at the same time, and says what it has read. It does not close the reader.
 */
import { sql } from 'kysely';
import { openSqliteReader } from '../../../server/db/sqlite/reader.ts';
import { must } from '../../../server/lib/assert.ts';

const reader = openSqliteReader(must(process.argv[2], 'a file'));
const read = await Promise.all([countTo(1), countTo(300_000)]);
process.stdout.write(read.join(' '));

async function countTo(most: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${most})
    select max(n) as n from numbers`.execute(reader);
  return must(rows[0], 'a number').n;
}
