import { useEffect, useState } from 'react';
import { Field } from '../ui/field.tsx';
import { TextInput } from '../ui/text-input.tsx';

export interface TextFilterProps {
  label: string;
  value: string | undefined;
  placeholder?: string;
  /** At every letter: the address is to be replaced, not added to the history. */
  onChange: (value: string | undefined) => void;
  className?: string;
}

export function TextFilter({
  label,
  value = '',
  placeholder,
  onChange,
  className,
}: TextFilterProps) {
  const [typed, setTyped] = useState(value);
  // Somebody went back, or cleared the filters.
  useEffect(() => setTyped((before) => (before.trim() === value ? before : value)), [value]);
  return (
    <Field label={label} {...(className ? { className } : {})}>
      <TextInput
        mono
        type="search"
        spellCheck={false}
        autoComplete="off"
        value={typed}
        {...(placeholder ? { placeholder } : {})}
        onChange={(text) => {
          setTyped(text);
          onChange(text.trim() === '' ? undefined : text.trim());
        }}
      />
    </Field>
  );
}
