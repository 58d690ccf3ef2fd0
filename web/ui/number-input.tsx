import { classes } from './classes.ts';
import { inputClass, useFieldAttributes } from './field.tsx';

export interface NumberInputProps {
  /** As typed; `useForm` keeps it as text, and its `check` says what is wrong with it. */
  value: string;
  onChange: (value: string) => void;
  /** Behind the number: `s`, `MB`. */
  unit?: string;
  name?: string;
  disabled?: boolean;
  placeholder?: string;
  className?: string;
}

/** Whole numbers as text: no spinner, and no scroll wheel that changes them. */
export function NumberInput({ onChange, unit, className, ...rest }: NumberInputProps) {
  return (
    <div className={classes('relative', className)}>
      <input
        type="text"
        inputMode="numeric"
        autoComplete="off"
        className={classes(inputClass, 'tabular pointer-coarse:min-h-11 min-h-8', unit && 'pr-14')}
        onChange={(event) => onChange(event.target.value)}
        {...useFieldAttributes()}
        {...rest}
      />
      {unit && (
        <span
          aria-hidden
          className="pointer-events-none absolute inset-y-0 right-2.5 flex items-center text-label text-text-3"
        >
          {unit}
        </span>
      )}
    </div>
  );
}
