import { useText } from '../i18n/text.ts';
import { uiText } from '../i18n/ui-text.ts';
import { Field } from '../ui/field.tsx';
import { Select } from '../ui/select.tsx';

export interface ChoiceFilterProps {
  label: string;
  value: string | undefined;
  choices: readonly { value: string; label: string }[];
  onChange: (value: string | undefined) => void;
  className?: string;
}

/** Any, or one of these; what an old link names and nobody knows any more stays visible. */
export function ChoiceFilter({ label, value, choices, onChange, className }: ChoiceFilterProps) {
  const t = useText(uiText);
  const isKnown = value === undefined || choices.some((choice) => choice.value === value);
  return (
    <Field label={label} {...(className ? { className } : {})}>
      <Select
        value={value ?? ''}
        choices={[
          { value: '', label: t.any },
          ...choices,
          ...(isKnown ? [] : [{ value, label: t.unknownChoice(value) }]),
        ]}
        onChange={(chosen) => onChange(chosen === '' ? undefined : chosen)}
      />
    </Field>
  );
}
