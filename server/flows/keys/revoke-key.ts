import type { ApiKey } from '../../accounts/api-key.ts';
import { type KeyChoice, requireApiKey, revokeApiKey } from '../../accounts/api-key-store.ts';
import { type Admin, adminChange } from '../admin-change.ts';

/** Ends a key for good: it fails at its next use. Revoking once more changes nothing. */
export function revokeKey(admin: Admin, choice: KeyChoice): Promise<ApiKey> {
  const { keyId } = choice;
  return adminChange(admin, async (trx, nowMs) => {
    const key = await requireApiKey(trx, choice);
    if (!(await revokeApiKey(trx, keyId, nowMs))) return { result: key, entry: null };
    return {
      result: { ...key, revokedAt: nowMs },
      entry: {
        action: 'api_key.revoke',
        subject: keyId,
        detail: { user_id: key.userId, name: key.name },
        topic: 'accounts',
      },
    };
  });
}
