import { createContext, type ReactNode, useContext, useId } from 'react';
import { classes } from './classes.ts';

export interface FieldProps {
  label: ReactNode;
  /** What to enter, where the label does not say it. */
  help?: ReactNode;
  /** What is wrong with the value; null when nothing is. */
  error?: string | null | undefined;
  /** Said beside the label, such as "Optional". */
  note?: ReactNode;
  /** Only for screen readers, where the place says it to the others. */
  isLabelHidden?: boolean;
  className?: string;
  /** One control of ours: it takes its name, help and error from here. */
  children: ReactNode;
}

/** A control with its label, help and error. */
export function Field({
  label,
  help,
  error,
  note,
  isLabelHidden = false,
  className,
  children,
}: FieldProps) {
  const id = useId();
  const ids = { control: `${id}-control`, help: `${id}-help`, error: `${id}-error` };
  const describedBy = [help && ids.help, error && ids.error].filter(Boolean).join(' ');
  const shared = { id: ids.control, describedBy: describedBy || undefined, isInvalid: !!error };
  return (
    <div className={classes('grid min-w-0 content-start gap-1', className)}>
      <div
        className={classes('flex items-baseline justify-between gap-2', isLabelHidden && 'sr-only')}
      >
        <label htmlFor={ids.control} id={`${id}-label`} className="text-label font-semibold">
          {label}
        </label>
        {note && <span className="text-caption text-text-3">{note}</span>}
      </div>
      <FieldContext value={{ ...shared, labelId: `${id}-label` }}>{children}</FieldContext>
      {help && (
        <p id={ids.help} className="text-label text-text-2">
          {help}
        </p>
      )}
      {error && (
        <p id={ids.error} className="text-label text-bad">
          {error}
        </p>
      )}
    </div>
  );
}

interface FieldFacts {
  id: string;
  labelId: string;
  describedBy: string | undefined;
  isInvalid: boolean;
}

const FieldContext = createContext<FieldFacts | null>(null);

/** For the control within a field: what connects it to label, help and error. */
export function useFieldAttributes(): FieldAttributes {
  const facts = useContext(FieldContext);
  if (!facts) return {};
  return {
    id: facts.id,
    ...(facts.describedBy ? { 'aria-describedby': facts.describedBy } : {}),
    ...(facts.isInvalid ? { 'aria-invalid': true } : {}),
  };
}

interface FieldAttributes {
  id?: string;
  'aria-describedby'?: string;
  'aria-invalid'?: true;
}

/** For groups, which a label cannot point to. */
export function useFieldLabelId(): string | undefined {
  return useContext(FieldContext)?.labelId;
}

/** How every control for text looks. */
export const inputClass =
  'w-full min-w-0 rounded-control border border-line-strong bg-surface px-2.5 text-body text-text fade hover:border-text-3 aria-invalid:border-bad disabled:opacity-50 [&:is(input,textarea):read-only]:bg-sunken data-invalid:border-bad';
