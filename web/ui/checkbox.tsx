import type { ReactNode } from 'react';
import { classes } from './classes.ts';

export interface CheckboxProps {
  label: ReactNode;
  help?: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
  name?: string;
  className?: string;
}

/** The browser's own check box: it needs no help to be read, pressed and sent. */
export function Checkbox({
  label,
  help,
  checked,
  onChange,
  disabled,
  name,
  className,
}: CheckboxProps) {
  return (
    <label
      className={classes(
        'grid min-h-6 grid-cols-[auto_minmax(0,1fr)] items-start gap-2 pointer-coarse:min-h-11 pointer-coarse:content-center',
        className,
      )}
    >
      <input
        type="checkbox"
        className="check mt-[3px]"
        checked={checked}
        disabled={disabled}
        name={name}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span className="min-w-0">
        {label}
        {help && <span className="block text-label text-text-2">{help}</span>}
      </span>
    </label>
  );
}
