import { useState } from 'react';
import type { LogDetail } from '../../../../shared/console/admin-log.ts';
import { parseAmount } from '../../../../shared/money.ts';
import { useAfterAdminChange } from '../../../api/admin-change.ts';
import { type Refunded, refund } from '../../../api/admin-log.ts';
import { FormDialog } from '../../../forms/form-dialog.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { adminCommonText } from '../../../i18n/admin-common-text.ts';
import { adminLogText } from '../../../i18n/admin-log-text.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { useText } from '../../../i18n/text.ts';
import { uiText } from '../../../i18n/ui-text.ts';
import { ResultLine } from '../../../parts/result-line.tsx';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { MoneyInput } from '../../../ui/money-input.tsx';
import { TextInput } from '../../../ui/text-input.tsx';

/** Returns a charge or a part of it, once. */
export function RefundButton({ record }: { record: LogDetail }) {
  const t = useText(adminLogText);
  const formats = useFormats();
  const [isAsking, setAsking] = useState(false);
  const [done, setDone] = useState<Refunded | null>(null);
  const { charge, refund: earlier } = record;
  return (
    <>
      <ResultLine>
        {done && t.refunded(formats.price(done.refunded), formats.total(done.balance))}
      </ResultLine>
      <Button
        disabledReason={charge ? (earlier ? t.alreadyRefunded : null) : t.noCharge}
        onClick={() => setAsking(true)}
      >
        {t.refund}
      </Button>
      {isAsking && charge && (
        <RefundDialog
          traceId={record.trace_id}
          chargedMicros={Math.abs(charge.amount.micros)}
          onClose={() => setAsking(false)}
          onDone={(answer) => {
            setDone(answer);
            setAsking(false);
          }}
        />
      )}
    </>
  );
}

function RefundDialog({
  traceId,
  chargedMicros,
  onClose,
  onDone,
}: {
  traceId: string;
  chargedMicros: number;
  onClose: () => void;
  onDone: (answer: Refunded) => void;
}) {
  const t = useText(adminLogText);
  const words = useText(adminCommonText);
  const ui = useText(uiText);
  const formats = useFormats();
  const refresh = useAfterAdminChange();
  const form = useForm({
    initial: { amount: '', reason: '' },
    check: ({ amount, reason }) => ({
      amount: microsOf(amount, chargedMicros) === null ? words.badAmount : null,
      reason: reason.trim() === '' ? words.missing : null,
    }),
    submit: async ({ amount, reason }) => {
      const order = { amount: amount.trim() === '' ? null : amount.trim(), reason: reason.trim() };
      const answer = await refund(traceId, order);
      await refresh();
      onDone(answer);
    },
  });
  const micros = microsOf(form.values.amount, chargedMicros) ?? chargedMicros;
  return (
    <FormDialog
      form={form}
      title={t.refundTitle}
      intro={t.refundText}
      confirm={t.refundConfirm(formats.price({ micros }))}
      onClose={onClose}
    >
      <Field
        label={t.refundAmount}
        note={ui.optional}
        help={t.refundAmountHelp(formats.price({ micros: chargedMicros }))}
        error={form.errors.amount}
      >
        <MoneyInput {...form.input('amount')} />
      </Field>
      <Field label={t.reason} error={form.errors.reason}>
        <TextInput {...form.input('reason')} autoComplete="off" />
      </Field>
    </FormDialog>
  );
}

/** Null for what is no part of the charge. */
function microsOf(text: string, chargedMicros: number): number | null {
  if (text.trim() === '') return chargedMicros;
  const amount = parseAmount(text);
  return amount !== null && amount > 0 && amount <= chargedMicros ? amount : null;
}
