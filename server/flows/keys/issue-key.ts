import { type ApiKey, keyLimits, parseKeyAddresses, parseKeyName } from '../../accounts/api-key.ts';
import { countApiKeys, hasKeyEnding, insertApiKey } from '../../accounts/api-key-store.ts';
import {
  checkKeyLimits,
  type KeyLimits,
  noKeyLimits,
  presentLimits,
} from '../../accounts/key-budget.ts';
import { insertKeyBudget } from '../../accounts/key-budget-store.ts';
import { hashSecret, lastFourOf, makeSecret } from '../../accounts/key-secret.ts';
import { findModel } from '../../catalog/model-store.ts';
import { isDuplicate } from '../../db/database-error.ts';
import type { Db } from '../../db/db.ts';
import { makeId, makeIdEnding } from '../../lib/ids.ts';
import { invalidRequest, type ServiceError } from '../../lib/service-error.ts';
import { isoTime } from '../../lib/time-text.ts';
import { type Admin, adminChange } from '../admin-change.ts';
import { lockKeptUser } from '../lock-kept-user.ts';

export interface NewKey {
  /** The owner: ID or e-mail address. */
  user: string;
  name: string;
  prefix: string;
  /** Null allows all. */
  models: readonly string[] | null;
  expiresAt: number | null;
  /** None unless given. */
  limits?: KeyLimits;
  /** Addresses and ranges it may be used from; all unless given. */
  addresses?: readonly string[] | null;
  /** What its ID shall end with: a second key of the user with it is refused. */
  reference?: string | undefined;
}

export interface IssuedKey {
  key: ApiKey;
  /** Exists nowhere else, and is to be shown once. */
  secret: string;
}

export async function issueKey(admin: Admin, wanted: NewKey): Promise<IssuedKey> {
  const { prefix, expiresAt, limits = noKeyLimits } = wanted;
  checkKeyLimits(limits);
  const addresses = parseKeyAddresses(wanted.addresses ?? null);
  const name = parseKeyName(wanted.name);
  checkExpiry(expiresAt, admin.clock.now());
  const models = wanted.models === null ? null : [...new Set(wanted.models)];
  const secret = makeSecret(prefix);
  return adminChange(admin, async (trx, nowMs) => {
    const { id: userId } = await lockKeptUser(trx, wanted.user);
    if (wanted.reference !== undefined) await refuseSecond(trx, userId, wanted.reference);
    await refuseOneTooMany(trx, userId);
    await refuseUnknownModels(trx, models);
    const key: ApiKey = {
      id: idOf(wanted, nowMs),
      userId,
      name,
      prefix,
      lastFour: lastFourOf(secret),
      models,
      createdAt: nowMs,
      expiresAt,
      revokedAt: null,
      disabledAt: null,
      addresses,
      lastUsedAt: null,
      previousUntil: null,
    };
    await insertApiKey(trx, key, hashSecret(secret));
    await insertKeyBudget(trx, { apiKeyId: key.id, userId, limits });
    return {
      result: { key, secret },
      entry: {
        action: 'api_key.issue',
        subject: key.id,
        detail: {
          user_id: userId,
          name,
          models,
          addresses,
          expires_at: expiresAt === null ? null : isoTime(expiresAt),
          ...presentLimits(limits),
        },
        topic: 'accounts',
      },
    };
  }).catch((error: unknown) => {
    // Somebody else's key, made within the same millisecond.
    const isTaken = wanted.reference !== undefined && isDuplicate(error);
    throw isTaken ? takenReference() : error;
  });
}

function idOf({ reference }: NewKey, nowMs: number): string {
  const prefix = 'key';
  return reference === undefined
    ? makeId(prefix, nowMs)
    : makeIdEnding(reference, { prefix, nowMs });
}

async function refuseSecond(db: Db, userId: string, reference: string): Promise<void> {
  if (await hasKeyEnding(db, { userId, ending: reference })) throw takenReference();
}

function takenReference(): ServiceError {
  return invalidRequest('reference', 'A key with this reference was made already.');
}

export function checkExpiry(expiresAt: number | null, nowMs: number): void {
  if (expiresAt === null || expiresAt > nowMs) return;
  throw invalidRequest('expires_at', 'The key would have expired already.');
}

async function refuseOneTooMany(db: Db, userId: string): Promise<void> {
  if ((await countApiKeys(db, userId)) < keyLimits.perUserMax) return;
  throw invalidRequest(null, `A user has at most ${keyLimits.perUserMax} API keys: revoke one.`);
}

export async function refuseUnknownModels(db: Db, models: readonly string[] | null): Promise<void> {
  if (models?.length === 0)
    throw invalidRequest('models', 'Name at least one model; null allows all.');
  for (const model of models ?? []) {
    if (await findModel(db, model)) continue;
    throw invalidRequest('models', `There is no model ${model}.`);
  }
}
