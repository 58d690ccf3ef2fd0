import type { ApiKey } from '../../accounts/api-key.ts';
import { findApiKey } from '../../accounts/api-key-store.ts';
import { checkKeyLimits, type KeyLimits, presentLimits } from '../../accounts/key-budget.ts';
import { readKeyBudget, setKeyLimits } from '../../accounts/key-budget-store.ts';
import { must } from '../../lib/assert.ts';
import { ServiceError } from '../../lib/service-error.ts';
import { type Admin, adminChange } from '../admin-change.ts';

/** Changes what a key may spend and run at once, from its next request on. */
export function changeKeyLimits(
  admin: Admin,
  keyId: string,
  patch: Partial<KeyLimits>,
): Promise<ApiKey> {
  return adminChange(admin, async (trx) => {
    const key = await findApiKey(trx, keyId);
    if (!key) throw new ServiceError('not_found', `There is no API key ${keyId}.`);
    const { limits: before } = must(await readKeyBudget(trx, keyId), 'the budget of a key');
    const after = { ...before, ...patch };
    checkKeyLimits(after);
    await setKeyLimits(trx, keyId, patch);
    return {
      result: key,
      entry: {
        action: 'api_key.limit',
        subject: keyId,
        detail: { before: presentLimits(before), after: presentLimits(after) },
        topic: 'accounts',
      },
    };
  });
}
