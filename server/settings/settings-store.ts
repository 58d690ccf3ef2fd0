import type { Db, Trx } from '../db/db.ts';
import { OperatorError } from '../lib/operator-error.ts';
import {
  parseSetting,
  type SettingKey,
  type Settings,
  type SettingValue,
  settingKeys,
  settingsTable,
} from './settings.ts';

/** All settings; one that was never changed has its default. */
export async function readSettings(db: Db): Promise<Settings> {
  const rows = await db.kysely.selectFrom('settings').selectAll().execute();
  const stored = new Map(rows.map((row) => [row.name, row.value]));
  const entries = settingKeys.map((key) => {
    const text = stored.get(settingsTable[key].name);
    return [key, text === undefined ? settingsTable[key].default : readStored(key, text)];
  });
  // Every key of the table has its value, checked by its own schema.
  return Object.fromEntries(entries) as Settings;
}

/** One setting; null when what is stored is not valid (any more). */
export async function readSetting(db: Db, key: SettingKey): Promise<SettingValue | null> {
  const row = await db.kysely
    .selectFrom('settings')
    .select('value')
    .where('name', '=', settingsTable[key].name)
    .executeTakeFirst();
  return row ? parseStored(key, row.value) : settingsTable[key].default;
}

export async function writeSetting(trx: Trx, key: SettingKey, value: SettingValue): Promise<void> {
  const json = JSON.stringify(value);
  await trx.kysely
    .insertInto('settings')
    .values({ name: settingsTable[key].name, value: json })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: json }))
    .execute();
}

function readStored(key: SettingKey, json: string): SettingValue {
  const value = parseStored(key, json);
  if (value !== null) return value;
  const { name } = settingsTable[key];
  throw new OperatorError(
    `the stored setting ${name} is not valid: set it again with tintype settings set ${name}`,
  );
}

function parseStored(key: SettingKey, json: string): SettingValue | null {
  try {
    return parseSetting(key, JSON.parse(json));
  } catch {
    return null;
  }
}
