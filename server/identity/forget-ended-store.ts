/** What is over by itself: it goes, also of somebody who does not come back. */
import type { Trx } from '../db/db.ts';
import { lockLimits } from './try-limit.ts';

/**
 * Deletes sessions, and questions to browsers, whose time is over, and failures that no longer count, so many of each at
 * the most; answers how many.
 */
export async function forgetEnded(
  trx: Trx,
  { beforeMs, limit }: { beforeMs: number; limit: number },
): Promise<number> {
  const { kysely } = trx;
  const counts = [
    await kysely
      .deleteFrom('sessions')
      .where('id', 'in', (eb) =>
        eb.selectFrom('sessions').select('id').where('expires_at', '<=', beforeMs).limit(limit),
      )
      .executeTakeFirstOrThrow(),
    await kysely
      .deleteFrom('challenges')
      .where('hash', 'in', (eb) =>
        eb.selectFrom('challenges').select('hash').where('expires_at', '<=', beforeMs).limit(limit),
      )
      .executeTakeFirstOrThrow(),
    await kysely
      .deleteFrom('sign_in_failures')
      .where('subject', 'in', (eb) =>
        eb
          .selectFrom('sign_in_failures')
          .select('subject')
          .where('first_at', '<=', beforeMs - lockLimits.forgetMs)
          .limit(limit),
      )
      .executeTakeFirstOrThrow(),
  ];
  return counts.reduce((sum, { numDeletedRows }) => sum + Number(numDeletedRows), 0);
}

/** Takes the addresses out of invitations that were over before `beforeMs`. */
export async function forgetInvited(trx: Trx, beforeMs: number): Promise<void> {
  await trx.kysely
    .updateTable('invitations')
    .set({ email: null })
    .where('email', 'is not', null)
    .where((eb) => eb(eb.fn.coalesce('ended_at', 'expires_at'), '<', beforeMs))
    .execute();
}
