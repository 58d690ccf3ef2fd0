import { useId } from 'react';
import type { AdminPayment } from '../../../../shared/console/admin-payments.ts';
import { useAfterAdminChange } from '../../../api/admin-change.ts';
import { settlePayment } from '../../../api/admin-payments.ts';
import { Form } from '../../../forms/form.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { adminCommonText } from '../../../i18n/admin-common-text.ts';
import { adminPaymentsText } from '../../../i18n/admin-payments-text.ts';
import { useText } from '../../../i18n/text.ts';
import { uiText } from '../../../i18n/ui-text.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { TextInput } from '../../../ui/text-input.tsx';

const reasonCharactersMax = 500;

/** Says that somebody has seen to it, and what they did. */
export function SettleDialog({ payment, onClose }: { payment: AdminPayment; onClose: () => void }) {
  const t = useText(adminPaymentsText);
  const words = useText(adminCommonText);
  const ui = useText(uiText);
  const refresh = useAfterAdminChange();
  const formId = useId();
  const form = useForm({
    initial: { reason: '' },
    check: ({ reason }) => ({ reason: reason.trim() === '' ? words.missing : null }),
    submit: async ({ reason }) => {
      await settlePayment({ id: payment.id, reason: reason.trim() });
      await refresh();
      onClose();
    },
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title={t.settleTitle}
      actions={
        <>
          <Button onClick={onClose}>{ui.cancel}</Button>
          <Button type="submit" form={formId} look="primary" busy={form.isBusy}>
            {t.settleConfirm}
          </Button>
        </>
      }
    >
      <p className="text-text-2">{t.settleText}</p>
      <Form form={form} id={formId}>
        <Field label={t.what} help={words.reasonHelp} error={form.errors.reason}>
          <TextInput {...form.input('reason')} autoComplete="off" maxLength={reasonCharactersMax} />
        </Field>
      </Form>
    </Dialog>
  );
}
