import { randomBytes } from 'node:crypto';
import type { KeyAccess } from '../../accounts/api-key.ts';
import { insertPlaygroundKey } from '../../accounts/api-key-store.ts';
import { findPlaygroundKey } from '../../accounts/key-access-store.ts';
import { noKeyLimits } from '../../accounts/key-budget.ts';
import { insertKeyBudget } from '../../accounts/key-budget-store.ts';
import { requireUser } from '../../accounts/user-store.ts';
import type { Database } from '../../db/db.ts';
import { must } from '../../lib/assert.ts';
import type { Clock } from '../../lib/clock.ts';
import { makeId } from '../../lib/ids.ts';

interface PlaygroundDeps {
  database: Database;
  clock: Clock;
}

/**
 * The API key under which a user's requests from the console are recorded. It has no secret, so nobody can send it,
 * and no list shows it. It is made with the first such request: one key, however many requests come at once.
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
    // In the place of a secret's hash: 256 random bits, of which nobody knows a secret.
    const hash = randomBytes(32).toString('hex');
    const isFirst = await insertPlaygroundKey(trx, { id: apiKeyId, userId: id, hash, nowMs });
    if (isFirst) await insertKeyBudget(trx, { apiKeyId, userId: id, limits: noKeyLimits });
  });
  return must(await findPlaygroundKey(database, userId), 'the playground key just made');
}
