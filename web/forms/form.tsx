import type { FormEventHandler, ReactNode } from 'react';
import type { ApiError } from '../api/api-error.ts';
import { ErrorNote } from '../parts/error-note.tsx';
import { classes } from '../ui/classes.ts';

export interface FormProps {
  form: { onSubmit: FormEventHandler<HTMLFormElement>; failure: ApiError | null };
  className?: string;
  children: ReactNode;
  /** For a button outside of it, such as a dialog's. */
  id?: string;
  'aria-label'?: string;
}

/** Fields one below the other; what the service found wrong with the whole stands at its end. */
export function Form({ form, className, children, ...rest }: FormProps) {
  return (
    <form
      noValidate
      onSubmit={form.onSubmit}
      className={classes('grid content-start gap-4', className)}
      {...rest}
    >
      {children}
      {form.failure && <ErrorNote error={form.failure} />}
    </form>
  );
}
