import type { AdminPayment } from '../../../../shared/console/admin-payments.ts';
import { useAfterAdminChange } from '../../../api/admin-change.ts';
import { settlePayment } from '../../../api/admin-payments.ts';
import { FormDialog } from '../../../forms/form-dialog.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { adminCommonText } from '../../../i18n/admin-common-text.ts';
import { adminPaymentsText } from '../../../i18n/admin-payments-text.ts';
import { useText } from '../../../i18n/text.ts';
import { Field } from '../../../ui/field.tsx';
import { TextInput } from '../../../ui/text-input.tsx';

const reasonCharactersMax = 500;

/** Says that somebody has seen to it, and what they did. */
export function SettleDialog({ payment, onClose }: { payment: AdminPayment; onClose: () => void }) {
  const t = useText(adminPaymentsText);
  const words = useText(adminCommonText);
  const refresh = useAfterAdminChange();
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
    <FormDialog
      form={form}
      title={t.settleTitle}
      intro={t.settleText}
      confirm={t.settleConfirm}
      onClose={onClose}
    >
      <Field label={t.what} help={words.reasonHelp} error={form.errors.reason}>
        <TextInput {...form.input('reason')} autoComplete="off" maxLength={reasonCharactersMax} />
      </Field>
    </FormDialog>
  );
}
