import { useEffect, useRef, useState } from 'react';
import { Field } from '../ui/field.tsx';
import { TextInput } from '../ui/text-input.tsx';

export interface TextFilterProps {
  label: string;
  value: string | undefined;
  placeholder?: string;
  /** What of a text is meant, if not all of it; null for all. */
  find?: (text: string) => string | null;
  /** At every letter: the address is to be replaced, not added to the history. */
  onChange: (value: string | undefined) => void;
  className?: string;
}

export function TextFilter({
  label,
  value = '',
  placeholder,
  find,
  onChange,
  className,
}: TextFilterProps) {
  const [typed, setTyped] = useState(value);
  // What was typed and has not come back yet: by then, more may have been typed.
  const sent = useRef<readonly string[]>([]);
  useEffect(() => {
    const at = sent.current.indexOf(value);
    sent.current = at === -1 ? [] : sent.current.slice(at + 1);
    // Somebody went back, or cleared the filters.
    if (at === -1) setTyped((before) => (before.trim() === value ? before : value));
  }, [value]);
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
          const found = find?.(text) ?? null;
          const wanted = found ?? text.trim();
          setTyped(found ?? text);
          if (wanted === (sent.current.at(-1) ?? value)) return;
          sent.current = [...sent.current, wanted];
          onChange(wanted === '' ? undefined : wanted);
        }}
      />
    </Field>
  );
}
