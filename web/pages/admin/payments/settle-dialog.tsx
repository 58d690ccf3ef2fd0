import { useState } from 'react';
import type { AdminPayment, SettledPayment } from '../../../../shared/console/admin-payments.ts';
import { useAfterAdminChange } from '../../../api/admin-change.ts';
import { settlePayment } from '../../../api/admin-payments.ts';
import { FormDialog } from '../../../forms/form-dialog.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { adminCommonText } from '../../../i18n/admin-common-text.ts';
import { adminPaymentsText } from '../../../i18n/admin-payments-text.ts';
import { useText } from '../../../i18n/text.ts';
import { uiText } from '../../../i18n/ui-text.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { Field } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { TextInput } from '../../../ui/text-input.tsx';
import { Time } from '../../../ui/time.tsx';
import { ActorName } from '../actor-name.tsx';

const reasonCharactersMax = 500;

/** Says that somebody has seen to it, and what they did. */
export function SettleDialog({ payment, onClose }: { payment: AdminPayment; onClose: () => void }) {
  const t = useText(adminPaymentsText);
  const words = useText(adminCommonText);
  const refresh = useAfterAdminChange();
  const [late, setLate] = useState<SettledPayment | null>(null);
  const form = useForm({
    initial: { reason: '' },
    check: ({ reason }) => ({ reason: reason.trim() === '' ? words.missing : null }),
    submit: async ({ reason }) => {
      const settled = await settlePayment({ id: payment.id, reason: reason.trim() });
      await refresh();
      if (settled.is_noted) onClose();
      else setLate(settled);
    },
  });
  if (late) return <NotNoted payment={late} onClose={onClose} />;
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

/** Somebody else was first. */
function NotNoted({
  payment: { settled_at: at, earlier },
  onClose,
}: {
  payment: SettledPayment;
  onClose: () => void;
}) {
  const t = useText(adminPaymentsText);
  const ui = useText(uiText);
  return (
    <Dialog
      open
      onClose={onClose}
      title={at === null ? t.noProblem : t.settledBefore}
      actions={
        <Button look="primary" onClick={onClose}>
          {ui.close}
        </Button>
      }
    >
      <Notice tone="warn">{t.notNoted}</Notice>
      {at !== null && (
        <Facts
          facts={[
            { label: t.settledAt, value: <Time at={at} /> },
            ...(earlier
              ? [
                  {
                    label: t.settledBy,
                    value: <ActorName actor={earlier.actor} email={earlier.actor_email} />,
                  },
                  { label: t.what, value: earlier.reason },
                ]
              : []),
          ]}
        />
      )}
    </Dialog>
  );
}
