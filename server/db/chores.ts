/** Work that goes on for long in small pieces, in one process at a time, whichever lives. */
import type { Db, Trx } from './db.ts';
import { databaseNow } from './engine.ts';
import type { ChoreName } from './schema.ts';

export interface ChoreClaim {
  name: ChoreName;
  /** The process that does it. */
  by: string;
  /** How long it has for the next piece; a process that died over one keeps it so long. */
  forMs: number;
}

/**
 * Takes or keeps a chore; answers whether it is the caller's. Claimed anew with each piece, in the
 * same transaction, so that a process which was late does nothing that another does too.
 */
export async function claimChore(trx: Trx, { name, by, forMs }: ChoreClaim): Promise<boolean> {
  const { now } = await trx.kysely
    .selectNoFrom(databaseNow(trx.engine).as('now'))
    .executeTakeFirstOrThrow();
  const claim = { claimed_by: by, claimed_until: now + forMs };
  const { numInsertedOrUpdatedRows } = await trx.kysely
    .insertInto('chores')
    .values({ name, ...claim, done_until: 0 })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet(claim)
        .where((eb) =>
          eb.or([eb('chores.claimed_by', '=', by), eb('chores.claimed_until', '<=', now)]),
        ),
    )
    .executeTakeFirstOrThrow();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** Notes how far it has come, and leaves it to whoever looks next. */
export async function finishChore(
  trx: Trx,
  { name, by, doneUntilMs }: { name: ChoreName; by: string; doneUntilMs: number },
): Promise<void> {
  await trx.kysely
    .updateTable('chores')
    .set({ claimed_until: 0, done_until: doneUntilMs })
    .where('name', '=', name)
    .where('claimed_by', '=', by)
    .execute();
}

/** Before which moment a chore has done everything; 0 while it never came so far. */
export async function readChoreMark(db: Db, name: ChoreName): Promise<number> {
  const row = await db.kysely
    .selectFrom('chores')
    .select('done_until')
    .where('name', '=', name)
    .executeTakeFirst();
  return row?.done_until ?? 0;
}
