import { Download } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import type { CodeBatchView } from '../../../../shared/console/admin-codes.ts';
import { parseAmount } from '../../../../shared/money.ts';
import { useAfterAdminChange } from '../../../api/admin-change.ts';
import { type CodeOrderForm, createCodes, withdrawCodes } from '../../../api/admin-codes.ts';
import { isUncertain, toApiError } from '../../../api/api-error.ts';
import { Form } from '../../../forms/form.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { useStayWhile } from '../../../forms/use-stay-while.ts';
import { adminCodesText } from '../../../i18n/admin-codes-text.ts';
import { adminCommonText } from '../../../i18n/admin-common-text.ts';
import { useText } from '../../../i18n/text.ts';
import { uiText } from '../../../i18n/ui-text.ts';
import { randomId } from '../../../lib/random-id.ts';
import { saveFile } from '../../../lib/save-file.ts';
import { LeaveGuard } from '../../../parts/leave-guard.tsx';
import { SecretOnce } from '../../../parts/secret-once.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { icon } from '../../../ui/icon.ts';
import { MoneyInput } from '../../../ui/money-input.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { NumberInput } from '../../../ui/number-input.tsx';
import { Select } from '../../../ui/select.tsx';
import { TextInput } from '../../../ui/text-input.tsx';

const countMax = 1_000;
const noteCharactersMax = 200;
const dayMs = 86_400_000;

const expiries = ['never', '30d', '90d', '365d'] as const;

interface Values {
  amount: string;
  count: string;
  note: string;
  expires_at: (typeof expiries)[number];
}

const beginning: Values = { amount: '', count: '1', note: '', expires_at: '365d' };

/** Ends with the codes, which are shown this once. */
export function CreateCodes({ onClose }: { onClose: () => void }) {
  const [made, setMade] = useState<CodeBatchView | null>(null);
  if (made === null) return <OrderForm onClose={onClose} onMade={setMade} />;
  return <MadeCodes made={made} onDone={onClose} />;
}

function OrderForm({
  onClose,
  onMade,
}: {
  onClose: () => void;
  onMade: (batch: CodeBatchView) => void;
}) {
  const t = useText(adminCodesText);
  const words = useText(adminCommonText);
  const ui = useText(uiText);
  const refresh = useAfterAdminChange();
  const { create, isUnsure } = useCreateSeen(refresh);
  const formId = useId();
  const form = useForm({
    initial: beginning,
    check: ({ amount, count }) => ({
      amount: (parseAmount(amount) ?? 0) > 0 ? null : words.badAmount,
      count: isCount(count) ? null : t.badCount(countMax),
    }),
    submit: async ({ amount, count, note, expires_at: expiry }) => {
      const wanted = {
        amount: amount.trim(),
        count: Number(count),
        note: note.trim() === '' ? null : note.trim(),
        expires_at: timeOf(expiry),
      };
      onMade(await create(wanted));
      await refresh();
    },
  });
  useStayWhile(form.isBusy);
  return (
    <Dialog
      open
      isForced={form.isBusy}
      onClose={onClose}
      title={t.create}
      actions={
        <>
          <Button busy={form.isBusy} onClick={onClose}>
            {ui.cancel}
          </Button>
          <Button type="submit" form={formId} look="primary" busy={form.isBusy}>
            {t.createConfirm}
          </Button>
        </>
      }
    >
      <p className="text-text-2">{t.createText}</p>
      <Form form={form} id={formId}>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label={t.amount} error={form.errors.amount}>
            <MoneyInput {...form.input('amount')} />
          </Field>
          <Field label={t.count} error={form.errors.count}>
            <NumberInput {...form.input('count')} />
          </Field>
        </div>
        <Field label={t.expiry} error={form.errors.expires_at}>
          <Select
            {...form.input('expires_at')}
            choices={expiries.map((value) => ({ value, label: t.expiries[value] }))}
          />
        </Field>
        <Field label={t.note} note={ui.optional} help={t.noteHelp} error={form.errors.note}>
          <TextInput {...form.input('note')} autoComplete="off" maxLength={noteCharactersMax} />
        </Field>
      </Form>
      <LeaveGuard isDirty={form.isDirty && !form.isBusy} />
      {isUnsure && <Notice tone="warn">{t.unsure}</Notice>}
    </Dialog>
  );
}

/** Makes codes so that none are left which nobody has seen, because an answer got lost. */
function useCreateSeen(refresh: () => Promise<void>) {
  const batch = useRef(newBatch());
  const [isUnsure, setUnsure] = useState(false);
  const order = (wanted: CodeOrderForm) => createCodes({ ...wanted, batch: batch.current });
  const create = async (wanted: CodeOrderForm) => {
    try {
      return await order(wanted);
    } catch (thrown) {
      if (toApiError(thrown).param !== 'batch') {
        // Without an answer they may have been made all the same: the list says so.
        void refresh();
        if (isUncertain(toApiError(thrown))) setUnsure(true);
        throw thrown;
      }
    }
    // So they were, and nobody has seen them.
    await withdrawCodes(batch.current);
    batch.current = newBatch();
    return order(wanted);
  };
  return { create, isUnsure };
}

function newBatch(): string {
  return `bat_${randomId().slice(0, 26)}`;
}

function MadeCodes({ made, onDone }: { made: CodeBatchView; onDone: () => void }) {
  const t = useText(adminCodesText);
  const { codes, amount, expires_at: expiresAt, batch } = made;
  const count = codes.length;
  const download = () => {
    const rows = codes.map((code) => [code, amount.text, expiresAt ?? '', batch].join(','));
    const lines = ['code,amount,expires_at,batch', ...rows].map((row) => `${row}\r\n`);
    saveFile(new Blob(lines, { type: 'text/csv' }), `codes_${batch}.csv`);
  };
  return (
    <SecretOnce
      title={t.madeTitle(count)}
      text={t.madeText(count)}
      label={t.secret}
      secret={codes.join('\n')}
      words={{ stored: t.stored(count), storedFirst: t.storedFirst(count), done: t.done }}
      isInGroups
      onDone={onDone}
      actions={
        <Button size="small" icon={<Download {...icon} />} onClick={download}>
          {t.download}
        </Button>
      }
    />
  );
}

function isCount(text: string): boolean {
  return /^\d{1,4}$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= countMax;
}

function timeOf(expiry: Values['expires_at']): string | null {
  if (expiry === 'never') return null;
  return new Date(Date.now() + Number.parseInt(expiry, 10) * dayMs).toISOString();
}
