import { type MadeToken, makeAccessToken } from '../../../api/account.ts';
import { Form } from '../../../forms/form.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { useStayWhile } from '../../../forms/use-stay-while.ts';
import { accountText } from '../../../i18n/account-text.ts';
import { useText } from '../../../i18n/text.ts';
import { LeaveGuard } from '../../../parts/leave-guard.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { Select } from '../../../ui/select.tsx';
import { TextInput } from '../../../ui/text-input.tsx';

const expiries = ['30', '90', '365', 'none'] as const;

interface Values {
  name: string;
  days: (typeof expiries)[number];
}

const initial: Values = { name: '', days: '90' };

export function NewTokenDialog({
  onClose,
  onMade,
}: {
  onClose: () => void;
  onMade: (made: MadeToken) => void;
}) {
  const words = useText(accountText);
  const t = words.tokens;
  const form = useForm({
    initial,
    check: ({ name }) => ({ name: name.trim() === '' ? words.missing : null }),
    submit: async ({ name, days }) => {
      const wanted = { name: name.trim(), days: days === 'none' ? null : Number(days) };
      onMade(await makeAccessToken(wanted));
    },
  });
  useStayWhile(form.isBusy);
  return (
    <Dialog open isForced={form.isBusy} onClose={onClose} title={t.createTitle} width="narrow">
      <Form form={form} aria-label={t.createTitle}>
        <Field label={words.name} help={t.nameHelp} error={form.errors.name}>
          <TextInput {...form.input('name')} maxLength={100} autoComplete="off" />
        </Field>
        <Field label={t.expiry} error={form.errors.days}>
          <Select
            {...form.input('days')}
            choices={expiries.map((value) => ({ value, label: t.expiries[value] }))}
          />
        </Field>
        <div className="flex justify-end gap-2">
          <Button busy={form.isBusy} onClick={onClose}>
            {words.cancel}
          </Button>
          <Button type="submit" look="primary" busy={form.isBusy}>
            {t.create}
          </Button>
        </div>
      </Form>
      <LeaveGuard isDirty={form.isDirty && !form.isBusy} />
    </Dialog>
  );
}
