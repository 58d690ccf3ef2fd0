import type { Db, Trx } from '../db/db.ts';
import {
  type Challenge,
  type ChallengeKind,
  challengeFromRow,
  challengeLifeMs,
} from './challenge.ts';
import { hashIdentitySecret, makeIdentitySecret } from './secret.ts';

interface NewChallenge {
  kind: ChallengeKind;
  userId: string | null;
  data: Challenge['data'];
  nowMs: number;
}

/** Answers with the secret by which it is answered; only its hash is stored. */
export async function openChallenge(
  trx: Trx,
  { kind, userId, data, nowMs }: NewChallenge,
): Promise<string> {
  const secret = makeIdentitySecret();
  await trx.kysely.deleteFrom('challenges').where('expires_at', '<=', nowMs).execute();
  await trx.kysely
    .insertInto('challenges')
    .values({
      hash: hashIdentitySecret(secret),
      kind,
      user_id: userId,
      data: JSON.stringify(data),
      created_at: nowMs,
      expires_at: nowMs + challengeLifeMs[kind],
    })
    .execute();
  return secret;
}

interface ChallengeAnswer {
  kind: ChallengeKind;
  secret: string;
  nowMs: number;
}

/** Without using it up. */
export async function findChallenge(
  db: Db,
  { kind, secret, nowMs }: ChallengeAnswer,
): Promise<Challenge | null> {
  const row = await db.kysely
    .selectFrom('challenges')
    .selectAll()
    .where('hash', '=', hashIdentitySecret(secret))
    .where('kind', '=', kind)
    .where('expires_at', '>', nowMs)
    .executeTakeFirst();
  return row ? challengeFromRow(row) : null;
}

/** Uses it up: of several who ask at once, one gets it. */
export async function takeChallenge(
  trx: Trx,
  { kind, secret, nowMs }: ChallengeAnswer,
): Promise<Challenge | null> {
  const row = await trx.kysely
    .deleteFrom('challenges')
    .where('hash', '=', hashIdentitySecret(secret))
    .where('kind', '=', kind)
    .where('expires_at', '>', nowMs)
    .returningAll()
    .executeTakeFirst();
  return row ? challengeFromRow(row) : null;
}

/** Ends all of a kind, or those of one user. */
export async function dropChallenges(
  trx: Trx,
  { kind, userId }: { kind: ChallengeKind; userId: string | null },
): Promise<void> {
  let query = trx.kysely.deleteFrom('challenges').where('kind', '=', kind);
  if (userId !== null) query = query.where('user_id', '=', userId);
  await query.execute();
}
