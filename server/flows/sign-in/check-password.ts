import type { Database } from '../../db/db.ts';
import type { PasswordHasher } from '../../identity/password-hasher.ts';
import { giveBackTry, type Try } from '../../identity/try-store.ts';

/**
 * Whether a password is right, for which tries were claimed. They are given back when there was no time to
 * look: who was told to come back has guessed nothing.
 */
export async function checkPassword(
  { database, hasher }: { database: Database; hasher: PasswordHasher },
  { stored, password, tries }: { stored: string | null; password: string; tries: readonly Try[] },
): Promise<boolean> {
  try {
    return await hasher.verify(stored, password);
  } catch (error) {
    await database.transaction(async (trx) => {
      for (const each of tries) await giveBackTry(trx, each);
    });
    throw error;
  }
}
