/** Long work in small pieces, which one process at a time does for all; when it dies, another goes on with it. */
import type { Db, Trx } from './db.ts';
import { databaseNow } from './engine.ts';
import type { ChoreName } from './schema.ts';

export interface ChoreClaim {
  name: ChoreName;
  /** The process that does it. */
  by: string;
  /** How long the claim lasts: longer than a piece takes. After a crash, nobody else goes on before it is over. */
  forMs: number;
}

/**
 * Takes a chore, or keeps it; false when another process has it. To be called in the transaction of each piece: then
 * a process whose claim ran out does not do a piece that another process is doing.
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
          eb.or([
            eb('chores.claimed_by', '=', by),
            eb('chores.claimed_until', '<=', now),
            // Claimed before the database's clock was set back.
            eb('chores.claimed_until', '>', now + 2 * forMs),
          ]),
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

/** How far it has come; null for one that was never finished. */
export async function readDoneUntil({ kysely }: Db, name: ChoreName): Promise<number | null> {
  const chores = kysely.selectFrom('chores').where('name', '=', name).where('done_until', '>', 0);
  const found = await chores.select('done_until').executeTakeFirst();
  return found?.done_until ?? null;
}
