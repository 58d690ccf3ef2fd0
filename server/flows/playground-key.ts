import { randomBytes } from 'node:crypto';
import type { KeyAccess } from '../accounts/api-key.ts';
import { findPlaygroundKey, insertPlaygroundKey } from '../accounts/api-key-store.ts';
import { noKeyLimits } from '../accounts/key-budget.ts';
import { insertKeyBudget } from '../accounts/key-budget-store.ts';
import { requireUser } from '../accounts/user-store.ts';
import type { Database } from '../db/db.ts';
import { must } from '../lib/assert.ts';
import type { Clock } from '../lib/clock.ts';
import { makeId } from '../lib/ids.ts';

interface PlaygroundDeps {
  database: Database;
  clock: Clock;
}

/**
 * As what a user's requests from the console are recorded: a key without a secret, which nobody can
 * send and no list shows. It is made with the first such request, once, however many come at a time.
 */
export async function playgroundKey(
  { database, clock }: PlaygroundDeps,
  userId: string,
): Promise<KeyAccess> {
  const found = await findPlaygroundKey(database, userId);
  if (found) return found;
  await database.transaction(async (trx) => {
    const nowMs = clock.now();
    const { id } = await requireUser(trx, userId);
    const apiKeyId = makeId('key', nowMs);
    // No secret has it: 256 random bits are as good as a hash, and nobody saw what they are of.
    const hash = randomBytes(32).toString('hex');
    const isFirst = await insertPlaygroundKey(trx, { id: apiKeyId, userId: id, hash, nowMs });
    if (isFirst) await insertKeyBudget(trx, { apiKeyId, userId: id, limits: noKeyLimits });
  });
  return must(await findPlaygroundKey(database, userId), 'the playground key just made');
}
