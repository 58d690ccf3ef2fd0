import type { User } from '../../accounts/user.ts';
import { requireUser } from '../../accounts/user-store.ts';
import type { Database, Db } from '../../db/db.ts';
import type { AccessToken } from '../../identity/access-token.ts';
import { listAccessTokens } from '../../identity/access-token-store.ts';
import { findAuthenticator } from '../../identity/authenticator-store.ts';
import {
  listOutsideIdentities,
  type OutsideIdentity,
} from '../../identity/outside-identity-store.ts';
import type { Passkey } from '../../identity/passkey.ts';
import { listPasskeys } from '../../identity/passkey-store.ts';
import { findPassword } from '../../identity/password-store.ts';
import { countRecoveryCodes } from '../../identity/recovery-code-store.ts';
import type { Session } from '../../identity/session.ts';
import { listSessions } from '../../identity/session-store.ts';
import type { Clock } from '../../lib/clock.ts';

export interface Account {
  user: User;
  /** When the password was last changed; null without one. */
  passwordChangedAt: number | null;
  authenticator: { confirmedAt: number; recoveryCodesLeft: number } | null;
  passkeys: readonly Passkey[];
  outsideIdentities: readonly (OutsideIdentity & { createdAt: number })[];
  sessions: readonly Session[];
  accessTokens: readonly AccessToken[];
}

/** By what a user signs in, and where they are. */
export function readAccount(
  { database, clock }: { database: Database; clock: Clock },
  userId: string,
): Promise<Account> {
  return database.snapshot(async (db) => ({
    user: await requireUser(db, userId),
    passwordChangedAt: (await findPassword(db, userId))?.changedAt ?? null,
    authenticator: await readAuthenticator(db, userId),
    passkeys: await listPasskeys(db, userId),
    outsideIdentities: await listOutsideIdentities(db, userId),
    sessions: await listSessions(db, { userId, nowMs: clock.now() }),
    accessTokens: await listAccessTokens(db, userId),
  }));
}

async function readAuthenticator(db: Db, userId: string): Promise<Account['authenticator']> {
  const authenticator = await findAuthenticator(db, userId);
  const confirmedAt = authenticator?.confirmedAt ?? null;
  if (confirmedAt === null) return null;
  return { confirmedAt, recoveryCodesLeft: await countRecoveryCodes(db, userId) };
}
