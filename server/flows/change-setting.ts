import type { Db } from '../db/db.ts';
import { invalidRequest } from '../lib/service-error.ts';
import {
  parseSetting,
  type SettingKey,
  type SettingValue,
  settingsTable,
} from '../settings/settings.ts';
import { readSetting, writeSetting } from '../settings/settings-store.ts';
import { listTransactions } from '../wallets/transaction-store.ts';
import { type Admin, adminChange } from './admin-change.ts';

export async function changeSetting(
  admin: Admin,
  { key, value }: { key: SettingKey; value: unknown },
): Promise<SettingValue> {
  const wanted = parseSetting(key, value);
  const { name } = settingsTable[key];
  return adminChange(admin, async (trx) => {
    const before = await readSetting(trx, key);
    if (before === wanted) return { result: before, entry: null };
    if (key === 'currency') await refuseOnceMoneyMoved(trx);
    await writeSetting(trx, key, wanted);
    return {
      result: wanted,
      entry: {
        action: 'setting.change',
        subject: name,
        detail: { from: before, to: wanted },
        topic: 'settings',
      },
    };
  });
}

/** Amounts carry no currency of their own, so a new one would change what every old one was worth. */
async function refuseOnceMoneyMoved(db: Db): Promise<void> {
  const [any] = await listTransactions(db, { limit: 1 });
  if (!any) return;
  throw invalidRequest(
    'currency',
    'The currency cannot change any more: there are wallet transactions in it.',
  );
}
