import { type ReactNode, useId } from 'react';
import { classes } from './classes.ts';
import { useFieldAttributes, useFieldLabelId } from './field.tsx';

export interface SegmentedProps<T extends string> {
  value: T;
  onChange: (value: T) => void;
  choices: readonly { value: T; label: ReactNode; disabledReason?: string | null }[];
  /** Where no field names it. */
  label?: string;
  name?: string;
  isWide?: boolean;
}

/** One of a few, all in sight. Radio buttons underneath, so arrows and forms work. */
export function Segmented<T extends string>({
  value,
  onChange,
  choices,
  label,
  name,
  isWide = false,
}: SegmentedProps<T>) {
  const group = useId();
  const labelId = useFieldLabelId();
  const { id: _, ...attributes } = useFieldAttributes();
  return (
    <div
      role="radiogroup"
      {...(label ? { 'aria-label': label } : { 'aria-labelledby': labelId })}
      {...attributes}
      className={classes(
        'flex-wrap rounded-control border border-line-strong bg-surface p-px',
        isWide ? 'flex' : 'inline-flex w-fit max-w-full',
      )}
    >
      {choices.map((choice) => (
        <label
          key={choice.value}
          title={choice.disabledReason ?? undefined}
          className={classes(
            'relative inline-flex min-h-7 min-w-9 items-center justify-center rounded-[5px] px-2.5 text-center text-label fade pointer-coarse:min-h-11',
            'has-checked:bg-ink has-checked:text-on-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent',
            'not-has-checked:hover:bg-hover has-disabled:opacity-50',
            isWide && 'flex-1',
          )}
        >
          <input
            type="radio"
            name={name ?? group}
            className="absolute inset-0 m-0 cursor-pointer opacity-0 disabled:cursor-not-allowed"
            checked={choice.value === value}
            disabled={!!choice.disabledReason}
            onChange={() => onChange(choice.value)}
          />
          {choice.label}
        </label>
      ))}
    </div>
  );
}
