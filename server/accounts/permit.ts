import { type Expression, type SqlBool, sql } from 'kysely';
import type { StepScope } from '../db/chain.ts';
import type { Db } from '../db/db.ts';

export type PermitParams = { userId: string; apiKeyId: string; now: number };

/**
 * Whether, at the moment of the admit and in its own statement, the user is not disabled and the
 * API key neither revoked, disabled nor expired. It makes a revocation exact on every instance, however old
 * what an instance has in memory. Two questions, because SQLite plans a join anew each time it is run.
 */
export function permitted<P extends PermitParams>({
  kysely,
  param,
}: StepScope<P>): Expression<SqlBool> {
  const key = kysely
    .selectFrom('api_keys')
    .select(sql.lit(1).as('permit'))
    .where('id', '=', param('apiKeyId'))
    .where('user_id', '=', param('userId'))
    .where('revoked_at', 'is', null)
    .where('disabled_at', 'is', null)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', param('now'))]));
  const user = kysely
    .selectFrom('users')
    .select(sql.lit(1).as('permit'))
    .where('id', '=', param('userId'))
    .where('disabled_at', 'is', null);
  return sql<SqlBool>`exists ${key} and exists ${user}`;
}

/** The same question on its own, to say why an admit was refused. */
export async function isPermitted(
  db: Db,
  { userId, apiKeyId, now }: PermitParams,
): Promise<boolean> {
  const row = await db.kysely
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.user_id')
    .select(['api_keys.revoked_at', 'api_keys.expires_at'])
    .where('api_keys.id', '=', apiKeyId)
    .where('api_keys.user_id', '=', userId)
    .where('api_keys.disabled_at', 'is', null)
    .where('users.disabled_at', 'is', null)
    .executeTakeFirst();
  if (!row || row.revoked_at !== null) return false;
  return row.expires_at === null || row.expires_at > now;
}
