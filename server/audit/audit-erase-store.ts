/** Audit entries that tell of a person whose data is erased: found, and written anew without it. */
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
    .where((eb) => eb.or([eb('subject', 'in', subjects), ...holds]));
  if (after !== null) query = query.where('id', '>', after);
  return (await query.orderBy('id').execute()).map(auditEntryFromRow);
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
