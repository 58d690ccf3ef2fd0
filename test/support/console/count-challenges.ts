import type { Db } from '../../../server/db/db.ts';

/** How many questions are stored, whose time is over or not. */
export async function countChallenges(db: Db): Promise<number> {
  const { count } = await db.kysely
    .selectFrom('challenges')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}
