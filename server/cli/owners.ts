/** Between the user IDs that records carry and the e-mail addresses that people use. */
import { readEmails, requireUser } from '../accounts/user-store.ts';
import type { Db } from '../db/db.ts';

export type Emails = ReadonlyMap<string, string>;

/** The ID of the user named; undefined when none is. */
export async function ownerId(db: Db, user: string | undefined): Promise<string | undefined> {
  return user === undefined ? undefined : (await requireUser(db, user)).id;
}

export function emailsOfOwners(db: Db, owned: readonly { userId: string }[]): Promise<Emails> {
  return readEmails(
    db,
    owned.map(({ userId }) => userId),
  );
}
