import { useState } from 'react';
import type { AdminUser } from '../../../../shared/console/admin-users.ts';
import { useAfterAdminChange } from '../../../api/admin-change.ts';
import { editUser } from '../../../api/admin-users.ts';
import { Form } from '../../../forms/form.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { adminCommonText } from '../../../i18n/admin-common-text.ts';
import { adminUsersText } from '../../../i18n/admin-users-text.ts';
import { useText } from '../../../i18n/text.ts';
import { uiText } from '../../../i18n/ui-text.ts';
import { LeaveGuard } from '../../../parts/leave-guard.tsx';
import { ResultLine } from '../../../parts/result-line.tsx';
import { Section } from '../../../parts/section.tsx';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { NumberInput } from '../../../ui/number-input.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { TextInput } from '../../../ui/text-input.tsx';
import { isEmail } from './is-email.ts';
import { isSlots, slotsOf } from './slots.ts';
import { roles } from './users-state.ts';

export function ProfileForm({ user }: { user: AdminUser }) {
  const t = useText(adminUsersText);
  const words = useText(adminCommonText);
  const ui = useText(uiText);
  const refresh = useAfterAdminChange();
  const [isSaved, setSaved] = useState(false);
  const form = useForm({
    initial: valuesOf(user),
    check: ({ email, name, slots_max: slots }) => ({
      email: isEmail(email) ? null : t.badEmail,
      name: name.trim() === '' ? words.missing : null,
      slots_max: isSlots(slots) ? null : t.badSlots,
    }),
    submit: async (_values, { email, name, role, slots_max: slots }) => {
      const edited = await editUser(user.id, {
        email: email?.trim(),
        name: name?.trim(),
        role,
        slots_max: slots === undefined ? undefined : slotsOf(slots),
      });
      await refresh();
      setSaved(true);
      return valuesOf(edited);
    },
  });
  return (
    <Section title={t.profile}>
      <Form form={form}>
        <Field label={t.email} error={form.errors.email}>
          <TextInput {...form.input('email')} type="email" autoComplete="off" />
        </Field>
        <Field label={t.name} error={form.errors.name}>
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
          label={t.slots}
          note={ui.optional}
          help={t.slotsHelp}
          error={form.errors.slots_max}
          className="max-w-60"
        >
          <NumberInput {...form.input('slots_max')} />
        </Field>
        <div className="flex items-center gap-3">
          <Button type="submit" look="primary" busy={form.isBusy}>
            {words.save}
          </Button>
          <ResultLine>{isSaved && !form.isDirty ? words.saved : null}</ResultLine>
        </div>
      </Form>
      <LeaveGuard isDirty={form.isDirty && !form.isBusy} />
    </Section>
  );
}

function valuesOf({ email, name, role, slots_max: slots }: AdminUser) {
  return { email, name, role, slots_max: slots === null ? '' : String(slots) };
}
