import type { adminKinds, KindWords } from '../../../i18n/en/admin-kinds.ts';
import type { SettingField } from './settings-schema.ts';

/** A setting in the reader's language, where the console knows it; else as the service says it. */
export function wordsOfField(
  kind: string,
  field: SettingField,
  known: typeof adminKinds,
): { title: string; description: string | null } {
  const words: KindWords | undefined = known[`${kind}.${field.path}`];
  if (!words) return field;
  return { title: words.title, description: words.description ?? null };
}
