import type { adminKinds, KindWords } from '../../../../i18n/en/admin-kinds.ts';
import type { SettingField } from './settings-schema.ts';

/** A setting in the reader's language, where the console knows it; else as the service says it. */
export function inWords(
  prefix: string,
  field: SettingField,
  known: typeof adminKinds,
): SettingField {
  const name = `${prefix}.${field.path}`;
  const words: KindWords | undefined = known[name];
  const { control } = field;
  return {
    ...field,
    ...(words && { title: words.title, description: words.description ?? null }),
    ...(control.kind === 'workflows' && {
      control: { ...control, own: control.own.map((each) => inWords(name, each, known)) },
    }),
  };
}
