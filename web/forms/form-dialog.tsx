import { type ReactNode, useId } from 'react';
import { useText } from '../i18n/text.ts';
import { uiText } from '../i18n/ui-text.ts';
import { LeaveGuard } from '../parts/leave-guard.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Form, type FormProps } from './form.tsx';

export interface FormDialogProps {
  form: FormProps['form'] & { isBusy: boolean; isDirty: boolean };
  title: ReactNode;
  /** Stands before the fields. */
  intro?: ReactNode;
  /** On the button that sends the form. */
  confirm: ReactNode;
  /** Whether it cannot be closed while it is being sent, because what comes of it is shown only once. */
  staysWhileBusy?: boolean;
  onClose: () => void;
  /** The fields. */
  children: ReactNode;
}

/** A dialog with one form, and the buttons that cancel and send it. Whoever leaves the page is asked first. */
export function FormDialog({
  form,
  title,
  intro,
  confirm,
  staysWhileBusy = false,
  onClose,
  children,
}: FormDialogProps) {
  const t = useText(uiText);
  const formId = useId();
  const isForced = staysWhileBusy && form.isBusy;
  return (
    <Dialog
      open
      isForced={isForced}
      onClose={onClose}
      title={title}
      actions={
        <>
          <Button busy={isForced} onClick={onClose}>
            {t.cancel}
          </Button>
          <Button type="submit" form={formId} look="primary" busy={form.isBusy}>
            {confirm}
          </Button>
        </>
      }
    >
      {intro !== undefined && <p className="text-text-2">{intro}</p>}
      <Form form={form} id={formId}>
        {children}
      </Form>
      <LeaveGuard isDirty={form.isDirty && !form.isBusy} />
    </Dialog>
  );
}
