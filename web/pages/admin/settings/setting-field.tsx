import type { SettingView } from '../../../../shared/console/admin-settings.ts';
import { adminSettingsText } from '../../../i18n/admin-settings-text.ts';
import { useText } from '../../../i18n/text.ts';
import { Field } from '../../../ui/field.tsx';
import { MoneyInput } from '../../../ui/money-input.tsx';
import { NumberInput } from '../../../ui/number-input.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { TextInput } from '../../../ui/text-input.tsx';
import { Textarea } from '../../../ui/textarea.tsx';

export interface SettingFieldProps {
  setting: SettingView;
  /** As typed. */
  value: string;
  error: string | null | undefined;
  onChange: (value: string) => void;
}

/** The control that fits what the setting may be, with why it cannot change where it cannot. */
export function SettingField({ setting, value, error, onChange }: SettingFieldProps) {
  const t = useText(adminSettingsText);
  const { name, description, locked, form } = setting;
  const words = t.labels[name] ?? { label: name, help: description };
  const initial = String(setting.default);
  const shown = form.kind === 'choice' ? (t.choices[`${name}.${initial}`] ?? initial) : initial;
  const isWide = form.kind === 'text' || form.kind === 'url' || form.kind === 'choice';
  return (
    <Field
      label={words.label}
      help={locked === null ? words.help : (t.locked[name] ?? locked)}
      note={t.byDefault(shown === '' ? t.empty : shown)}
      error={error}
      {...(isWide && name !== 'currency' ? {} : { className: 'max-w-72' })}
    >
      <Control {...{ setting, value, onChange }} />
    </Field>
  );
}

function Control({ setting, value, onChange }: Omit<SettingFieldProps, 'error'>) {
  const t = useText(adminSettingsText);
  const { name, form, locked } = setting;
  const isLocked = locked !== null;
  const shared = { name, value, onChange, disabled: isLocked };
  switch (form.kind) {
    case 'integer':
      return <NumberInput {...shared} />;
    case 'amount':
      return <MoneyInput {...shared} />;
    case 'choice':
      return (
        <Segmented
          value={value}
          name={name}
          choices={form.choices.map((choice) => ({
            value: choice,
            label: t.choices[`${name}.${choice}`] ?? choice,
            disabledReason: locked,
          }))}
          onChange={onChange}
        />
      );
    case 'text':
      return form.is_long && form.characters_max > shortCharactersMax ? (
        <Textarea {...shared} maxLength={form.characters_max} lines={[2, 8]} />
      ) : (
        <TextInput {...shared} maxLength={form.characters_max} autoComplete="off" />
      );
    case 'url':
      return <TextInput {...shared} type="url" mono autoComplete="off" />;
    case 'zone':
      return <TextInput {...shared} autoComplete="off" spellCheck={false} />;
  }
}

const shortCharactersMax = 200;
