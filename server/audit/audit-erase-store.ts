/** Audit entries that tell of a person whose data is erased: found, and written anew without it. */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { standsIn } from '../db/any-case.ts';
import type { Db, Trx } from '../db/db.ts';
import { type AuditEntry, auditEntryFromRow } from './audit-entry.ts';

export interface AboutPerson {
  /** The user's ID and those of what is theirs. */
  subjects: readonly string[];
  /** What such entries may hold besides, in small letters. */
  words: readonly string[];
  /** Only entries whose IDs sort behind this; null takes all. */
  after: string | null;
}

/** Entries about the person, whoever made the change, and those in which one of the words stands. */
export async function findEntriesAbout(db: Db, about: AboutPerson): Promise<readonly AuditEntry[]> {
  const { subjects, words, after } = about;
  const holds = [...subjects, ...words].flatMap((word) => {
    // As it stands in JSON, where some letters are written otherwise.
    const inJson = JSON.stringify(word).slice(1, -1);
    return [standsIn('detail', inJson), standsIn('reason', word)];
  });
  let query = db.kysely
    .selectFrom('audit_entries')
    .selectAll()
    .where((eb) => eb.or([eb('subject', 'in', subjects), anyOf(holds)]));
  if (after !== null) query = query.where('id', '>', after);
  return (await query.orderBy('id').execute()).map(auditEntryFromRow);
}

/** As a tree that is as low as it can be: SQLite takes none of more than a thousand levels, as a long list is. */
function anyOf(conditions: readonly RawBuilder<SqlBool>[]): RawBuilder<SqlBool> {
  if (conditions.length <= 1) return conditions[0] ?? sql<SqlBool>`false`;
  const half = Math.ceil(conditions.length / 2);
  return sql`(${anyOf(conditions.slice(0, half))} or ${anyOf(conditions.slice(half))})`;
}

export async function rewriteEntry(
  trx: Trx,
  { id, reason, detail }: Pick<AuditEntry, 'id' | 'reason' | 'detail'>,
): Promise<void> {
  await trx.kysely
    .updateTable('audit_entries')
    .set({ reason, detail: JSON.stringify(detail) })
    .where('id', '=', id)
    .execute();
}
