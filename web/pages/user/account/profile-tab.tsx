import { useQueryClient } from '@tanstack/react-query';
import { renameUser } from '../../../api/account.ts';
import { bootstrapQuery, useUser } from '../../../api/bootstrap.ts';
import { Form } from '../../../forms/form.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { accountText } from '../../../i18n/account-text.ts';
import { useText } from '../../../i18n/text.ts';
import { LeaveGuard } from '../../../parts/leave-guard.tsx';
import { Button } from '../../../ui/button.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { Field } from '../../../ui/field.tsx';
import { TextInput } from '../../../ui/text-input.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { type AccountPart, useRefreshAccount } from './account-matter.tsx';

export function ProfileTab({ account }: AccountPart) {
  const t = useText(accountText);
  const { role } = useUser();
  const queryClient = useQueryClient();
  const refresh = useRefreshAccount();
  const toast = useToast();
  const form = useForm({
    initial: { name: account.name },
    check: ({ name }) => ({ name: name.trim() === '' ? t.missing : null }),
    submit: async ({ name }) => {
      await renameUser(name.trim());
      toast({ title: t.saved });
      await Promise.all([
        refresh(),
        queryClient.invalidateQueries({ queryKey: bootstrapQuery.queryKey }),
      ]);
    },
  });
  return (
    <>
      <Facts
        facts={[
          {
            label: t.profile.email,
            value: (
              <>
                {account.email}
                <span className="block text-label text-text-2">{t.profile.emailHelp}</span>
              </>
            ),
          },
          { label: t.profile.role, value: t.profile.roles[role] },
        ]}
      />
      <Form form={form} className="max-w-96">
        <Field label={t.profile.name} help={t.profile.nameHelp} error={form.errors.name}>
          <TextInput {...form.input('name')} autoComplete="name" maxLength={100} />
        </Field>
        <div>
          <Button type="submit" look="primary" busy={form.isBusy}>
            {t.save}
          </Button>
        </div>
      </Form>
      <LeaveGuard isDirty={form.isDirty && !form.isBusy} />
    </>
  );
}
