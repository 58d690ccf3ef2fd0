import { parseAmount } from '../../../../shared/money.ts';
import { useAfterAdminChange } from '../../../api/admin-change.ts';
import { createUser } from '../../../api/admin-users.ts';
import { Form } from '../../../forms/form.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { adminCommonText } from '../../../i18n/admin-common-text.ts';
import { adminUsersText } from '../../../i18n/admin-users-text.ts';
import { useText } from '../../../i18n/text.ts';
import { uiText } from '../../../i18n/ui-text.ts';
import { useLeadOn } from '../../../lib/still-here.ts';
import { LeaveGuard } from '../../../parts/leave-guard.tsx';
import { Page } from '../../../parts/page.tsx';
import { paths } from '../../../paths.ts';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { MoneyInput } from '../../../ui/money-input.tsx';
import { NumberInput } from '../../../ui/number-input.tsx';
import { PasswordInput } from '../../../ui/password-input.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { TextInput } from '../../../ui/text-input.tsx';
import { isEmail } from './is-email.ts';
import { isSlots, slotsOf } from './slots.ts';
import { roles } from './users-state.ts';

export function NewUserPage() {
  const t = useText(adminUsersText);
  return (
    <Page title={t.newTitle} back={{ to: paths.users(), label: t.title }} width="reading">
      <NewUserForm />
    </Page>
  );
}

interface Values {
  email: string;
  name: string;
  role: (typeof roles)[number];
  slots_max: string;
  top_up: string;
  password: string;
}

const beginning: Values = {
  email: '',
  name: '',
  role: 'user',
  slots_max: '',
  top_up: '',
  password: '',
};

function NewUserForm() {
  const t = useText(adminUsersText);
  const words = useText(adminCommonText);
  const ui = useText(uiText);
  const leadOn = useLeadOn();
  const refresh = useAfterAdminChange();
  const form = useForm({
    initial: beginning,
    check: ({ email, slots_max: slots, top_up: topUp }) => ({
      email: isEmail(email) ? null : t.badEmail,
      slots_max: isSlots(slots) ? null : t.badSlots,
      top_up: topUp.trim() === '' || (parseAmount(topUp) ?? -1) >= 0 ? null : words.badAmount,
    }),
    submit: async ({ email, name, role, slots_max: slots, top_up: topUp, password }) => {
      const { id } = await createUser({
        email: email.trim(),
        name: name.trim() === '' ? email.trim() : name.trim(),
        role,
        slots_max: slotsOf(slots),
        top_up: (parseAmount(topUp) ?? 0) > 0 ? topUp.trim() : null,
        password: password === '' ? null : password,
      });
      await refresh();
      await leadOn({ to: paths.user(id).path });
    },
  });
  return (
    <Form form={form} className="max-w-120">
      <Field label={t.email} error={form.errors.email}>
        <TextInput {...form.input('email')} type="email" autoComplete="off" />
      </Field>
      <Field label={t.name} note={ui.optional} error={form.errors.name}>
        <TextInput {...form.input('name')} autoComplete="off" />
      </Field>
      <Field label={t.role} error={form.errors.role}>
        <Segmented
          value={form.values.role}
          choices={roles.map((value) => ({ value, label: t.roles[value] }))}
          onChange={(role) => form.set('role', role)}
        />
      </Field>
      <Field
        label={t.password}
        note={ui.optional}
        help={t.passwordHelp}
        error={form.errors.password}
      >
        <PasswordInput {...form.input('password')} autoComplete="new-password" />
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={t.topUp} note={ui.optional} help={t.topUpHelp} error={form.errors.top_up}>
          <MoneyInput {...form.input('top_up')} />
        </Field>
        <Field label={t.slots} note={ui.optional} help={t.slotsHelp} error={form.errors.slots_max}>
          <NumberInput {...form.input('slots_max')} />
        </Field>
      </div>
      <div className="border-t border-line pt-4">
        <Button type="submit" look="primary" busy={form.isBusy}>
          {t.createConfirm}
        </Button>
      </div>
      <LeaveGuard isDirty={form.isDirty && !form.isBusy} />
    </Form>
  );
}
