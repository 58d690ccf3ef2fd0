import { type ApiKey, parseKeyAddresses, parseKeyName } from '../../accounts/api-key.ts';
import {
  type ApiKeyPatch,
  type KeyChoice,
  requireApiKey,
  updateApiKey,
} from '../../accounts/api-key-store.ts';
import { checkKeyLimits, type KeyLimits, presentLimits } from '../../accounts/key-budget.ts';
import { readKeyBudget, setKeyLimits } from '../../accounts/key-budget-store.ts';
import { must } from '../../lib/assert.ts';
import { isoTime } from '../../lib/time-text.ts';
import { type Admin, adminChange } from '../admin-change.ts';
import { changedFields } from '../changed-fields.ts';
import { checkExpiry, refuseUnknownModels } from './issue-key.ts';

/** What is not named stays as it is. */
export interface KeyEdit extends ApiKeyPatch {
  limits?: Partial<KeyLimits>;
}

/** Changes what a key is called and what it may do, from its next request on. */
export function editKey(admin: Admin, choice: KeyChoice, edit: KeyEdit): Promise<ApiKey> {
  const { limits = {}, ...rest } = edit;
  const patch = checkPatch(rest, admin.clock.now());
  return adminChange(admin, async (trx) => {
    const key = await requireApiKey(trx, choice);
    await refuseUnknownModels(trx, patch.models ?? null);
    const before = must(await readKeyBudget(trx, key.id), 'the budget of a key').limits;
    const after = { ...before, ...limits };
    checkKeyLimits(after);
    const edited: ApiKey = { ...key, ...patch };
    const detail = changedFields(
      { ...presentKey(key), ...presentLimits(before) },
      { ...presentKey(edited), ...presentLimits(after) },
    );
    if (Object.keys(detail).length === 0) return { result: key, entry: null };
    await updateApiKey(trx, key.id, patch);
    await setKeyLimits(trx, key.id, limits);
    return {
      result: edited,
      entry: { action: 'api_key.edit', subject: key.id, detail, topic: 'accounts' },
    };
  });
}

function checkPatch(patch: ApiKeyPatch, nowMs: number): ApiKeyPatch {
  if (patch.expiresAt !== undefined) checkExpiry(patch.expiresAt, nowMs);
  return {
    ...patch,
    ...(patch.name !== undefined && { name: parseKeyName(patch.name) }),
    ...(patch.models && { models: [...new Set(patch.models)] }),
    ...(patch.addresses !== undefined && { addresses: parseKeyAddresses(patch.addresses) }),
  };
}

function presentKey({ name, models, addresses, expiresAt }: ApiKey) {
  return {
    name,
    models,
    addresses,
    expires_at: expiresAt === null ? null : isoTime(expiresAt),
  };
}
