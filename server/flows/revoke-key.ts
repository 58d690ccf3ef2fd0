import type { ApiKey } from '../accounts/api-key.ts';
import { findApiKey, revokeApiKey } from '../accounts/api-key-store.ts';
import { ServiceError } from '../lib/service-error.ts';
import { type Admin, adminChange } from './admin-change.ts';

/** Ends a key for good: it fails at its next use. Revoking once more changes nothing. */
export function revokeKey(admin: Admin, keyId: string): Promise<ApiKey> {
  return adminChange(admin, async (trx, nowMs) => {
    const key = await findApiKey(trx, keyId);
    if (!key) throw new ServiceError('not_found', `There is no API key ${keyId}.`);
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
