/** Everything by which somebody was known or signed in. */
import { standsIn } from '../db/any-case.ts';
import type { Db, Trx } from '../db/db.ts';
import { trySubject } from './try-limit.ts';

const ownTables = [
  'passwords',
  'sessions',
  'access_tokens',
  'authenticators',
  'recovery_codes',
  'passkeys',
  'outside_identities',
] as const;

/** @param emails of the user, in small letters: the present one and those of before */
export async function eraseIdentity(
  trx: Trx,
  { userId, emails, nowMs }: { userId: string; emails: readonly string[]; nowMs: number },
): Promise<void> {
  for (const table of ownTables) {
    await trx.kysely.deleteFrom(table).where('user_id', '=', userId).execute();
  }
  await trx.kysely
    .deleteFrom('challenges')
    .where((eb) =>
      eb.or([
        eb('user_id', '=', userId),
        // In quotes, as all of a text: it may be the end of somebody else's.
        ...emails.map((email) => standsIn('data', JSON.stringify(email))),
      ]),
    )
    .execute();
  const counted = [
    ...emails.flatMap((email) => [trySubject('account', email), trySubject('mail', email)]),
    trySubject('second_factor', userId),
    trySubject('proof', userId),
  ];
  await trx.kysely.deleteFrom('sign_in_failures').where('subject', 'in', counted).execute();
  await trx.kysely
    .updateTable('invitations')
    .set((eb) => ({ email: null, ended_at: eb.fn.coalesce('ended_at', eb.val(nowMs)) }))
    .where((eb) => eb.or([eb('accepted_by', '=', userId), eb('email', 'in', emails)]))
    .execute();
}

/** Invitations that the user accepted, or that were meant for one of the addresses. */
export async function listInvitationIds(
  db: Db,
  { userId, emails }: { userId: string; emails: readonly string[] },
): Promise<readonly string[]> {
  const rows = await db.kysely
    .selectFrom('invitations')
    .select('id')
    .where((eb) => eb.or([eb('accepted_by', '=', userId), eb('email', 'in', emails)]))
    .execute();
  return rows.map(({ id }) => id);
}
