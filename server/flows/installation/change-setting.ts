import type { Db, Trx } from '../../db/db.ts';
import { lockTable } from '../../db/engine.ts';
import { invalidRequest } from '../../lib/service-error.ts';
import {
  parseSetting,
  type SettingKey,
  type SettingValue,
  settingsTable,
  topUpLimitsOf,
} from '../../settings/settings.ts';
import { readSetting, readSettings, writeSetting } from '../../settings/settings-store.ts';
import { hasTransaction } from '../../wallets/wallet-list-store.ts';
import {
  type Admin,
  adminChange,
  adminChanges,
  type Change,
  type ChangeEntry,
} from '../admin-change.ts';

export interface WantedSetting {
  key: SettingKey;
  value: unknown;
}

export async function changeSetting(admin: Admin, wanted: WantedSetting): Promise<SettingValue> {
  const { key } = wanted;
  const value = parseSetting(key, wanted.value);
  return adminChange(admin, async (trx) => {
    await lockTable(trx, 'settings');
    const changed = await change(trx, { key, value });
    await requireOrder(trx, [key]);
    return changed;
  });
}

/** Changes several settings, all or none, each with its audit entry; answers how many were changed. */
export async function changeSettings(
  admin: Admin,
  wanted: readonly WantedSetting[],
): Promise<number> {
  const parsed = wanted.map(({ key, value }) => ({ key, value: parseSetting(key, value) }));
  return adminChanges(admin, async (trx) => {
    await lockTable(trx, 'settings');
    const entries: ChangeEntry[] = [];
    for (const setting of parsed) {
      const { entry } = await change(trx, setting);
      if (entry) entries.push(entry);
    }
    await requireOrder(
      trx,
      parsed.map(({ key }) => key),
    );
    return { result: entries.length, entries };
  });
}

async function change(
  trx: Trx,
  { key, value }: { key: SettingKey; value: SettingValue },
): Promise<Change<SettingValue>> {
  const before = await readSetting(trx, key);
  if (before === value) return { result: before, entry: null };
  // The first transaction may be under way.
  if (key === 'currency') await lockTable(trx, 'wallet_transactions');
  const locked = await whyLocked(trx, key);
  if (locked !== null) throw invalidRequest(settingsTable[key].name, locked);
  await writeSetting(trx, key, value);
  return {
    result: value,
    entry: {
      action: 'setting.change',
      subject: settingsTable[key].name,
      detail: { from: before, to: value },
      topic: 'settings',
    },
  };
}

/** Of two that belong together, once both are written: with them the wrong way round nobody could pay. */
async function requireOrder(trx: Trx, changed: readonly SettingKey[]): Promise<void> {
  const key = changed.find((each) => each === 'topUpMin' || each === 'topUpMax');
  if (!key) return;
  const { min, max } = topUpLimitsOf(await readSettings(trx));
  if (min <= max) return;
  throw invalidRequest(
    settingsTable[key].name,
    'top_up_min must not be more than top_up_max, or nobody could pay anything.',
  );
}

/**
 * Why a setting cannot change any more; null when it can. Amounts carry no currency of their own, so
 * a new one would change what every old one was worth.
 */
export async function whyLocked(db: Db, key: SettingKey): Promise<string | null> {
  if (key !== 'currency' || !(await hasTransaction(db))) return null;
  return 'The currency cannot change any more: there are wallet transactions in it.';
}
