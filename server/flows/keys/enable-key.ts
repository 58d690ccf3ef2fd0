import type { ApiKey } from '../../accounts/api-key.ts';
import { type KeyChoice, requireApiKey, setKeyDisabled } from '../../accounts/api-key-store.ts';
import { invalidRequest } from '../../lib/service-error.ts';
import { type Admin, adminChange } from '../admin-change.ts';

/** Lets a key work or not. Unlike a revoked one, a disabled key can be enabled again. */
export function enableKey(admin: Admin, choice: KeyChoice, enabled: boolean): Promise<ApiKey> {
  return adminChange(admin, async (trx, nowMs) => {
    const key = await requireApiKey(trx, choice);
    if (key.revokedAt !== null) throw invalidRequest(null, 'A revoked key stays revoked.');
    if (enabled === (key.disabledAt === null)) return { result: key, entry: null };
    const disabledAt = enabled ? null : nowMs;
    await setKeyDisabled(trx, key.id, disabledAt);
    return {
      result: { ...key, disabledAt },
      entry: {
        action: enabled ? 'api_key.enable' : 'api_key.disable',
        subject: key.id,
        detail: { user_id: key.userId, name: key.name },
        topic: 'accounts',
      },
    };
  });
}
