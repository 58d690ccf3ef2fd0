import type { ReactNode } from 'react';
import { classes } from './classes.ts';

export interface SwitchProps {
  label: ReactNode;
  help?: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
  /** Why it cannot be changed now. */
  disabledReason?: string | null | undefined;
  name?: string;
  isLabelHidden?: boolean;
}

/** On or off, at once. What takes effect only with Save is a Checkbox. */
export function Switch({
  label,
  help,
  checked,
  onChange,
  disabledReason,
  name,
  isLabelHidden = false,
}: SwitchProps) {
  return (
    <label className="pointer-coarse:min-h-11 pointer-coarse:content-center grid min-h-6 grid-cols-[auto_minmax(0,1fr)] items-start gap-2.5">
      <input
        type="checkbox"
        role="switch"
        className="switch mt-px"
        checked={checked}
        disabled={!!disabledReason}
        name={name}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span className={classes('min-w-0', isLabelHidden && 'sr-only')}>
        {label}
        {(disabledReason ?? help) && (
          <span className="block text-label text-text-2">{disabledReason ?? help}</span>
        )}
      </span>
    </label>
  );
}
