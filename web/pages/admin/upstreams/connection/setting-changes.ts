/** What of an upstream's settings was changed in a form: only that is sent, for others may change the rest. */
import type { FieldChange } from '../../../../../shared/console/field-change.ts';
import {
  type SettingDraft,
  type SettingField,
  type Settings,
  settingsOf,
  valueAt,
} from './settings-schema.ts';

/** A change without a value is back to the default. */
export function settingChanges(
  fields: readonly SettingField[],
  { from, to }: { from: SettingDraft; to: SettingDraft },
): readonly FieldChange[] {
  return fields.flatMap((field) => {
    const before = valueAt(settingsOf([field], from), field.path);
    const after = valueAt(settingsOf([field], to), field.path);
    const path = field.path.split('.');
    const [one, other] = [before ?? field.fallback, after ?? field.fallback];
    // Its names are somebody's choice: each workflow, or model, is a thing of its own.
    if (isObject(one) && isObject(other)) return entryChanges(path, { before: one, after: other });
    return changeOf(path, { before, after });
  });
}

/** The same of an object with names that somebody chose: what was added, changed and removed. */
export function entryChanges(
  path: readonly string[],
  { before, after }: { before: Settings; after: Settings },
): readonly FieldChange[] {
  const one = new Map(Object.entries(before));
  const other = new Map(Object.entries(after));
  const names = new Set([...one.keys(), ...other.keys()]);
  return [...names].flatMap((name) =>
    changeOf([...path, name], { before: one.get(name), after: other.get(name) }),
  );
}

function changeOf(
  path: string[],
  { before, after }: { before: unknown; after: unknown },
): readonly FieldChange[] {
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ path, value: after }];
}

function isObject(value: unknown): value is Settings {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
