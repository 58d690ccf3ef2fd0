import { useState } from 'react';
import { languages } from '../../../../shared/languages.ts';
import { parseAmount } from '../../../../shared/money.ts';
import { useAfterAdminChange } from '../../../api/admin-change.ts';
import { invite } from '../../../api/admin-users.ts';
import { useBootstrap } from '../../../api/bootstrap.ts';
import { FormDialog } from '../../../forms/form-dialog.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { useStayWhile } from '../../../forms/use-stay-while.ts';
import { adminCommonText } from '../../../i18n/admin-common-text.ts';
import { adminUsersText } from '../../../i18n/admin-users-text.ts';
import { useText } from '../../../i18n/text.ts';
import { uiText } from '../../../i18n/ui-text.ts';
import { publicUrl } from '../../../lib/base-url.ts';
import { SecretOnce } from '../../../parts/secret-once.tsx';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { Field } from '../../../ui/field.tsx';
import { MoneyInput } from '../../../ui/money-input.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { TextInput } from '../../../ui/text-input.tsx';
import { isEmail } from './is-email.ts';
import { roles } from './users-state.ts';

const mailLanguages = ['setting', ...languages] as const;

const beginning: {
  email: string;
  role: (typeof roles)[number];
  top_up: string;
  mail: boolean;
  mail_language: (typeof mailLanguages)[number];
} = {
  email: '',
  role: 'user',
  top_up: '',
  mail: false,
  mail_language: 'setting',
};

/** Ends with a link that is shown this once. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const t = useText(adminUsersText);
  const { installation } = useBootstrap();
  const [link, setLink] = useState<string | null>(null);
  if (link === null) return <InviteForm onClose={onClose} onMade={setLink} />;
  return (
    <SecretOnce
      title={t.inviteTitle}
      text={t.inviteLinkText}
      label={t.inviteLink}
      secret={`${publicUrl(installation)}${link}`}
      words={{ stored: t.storedLink, storedFirst: t.storeFirst, done: t.done }}
      onDone={onClose}
    />
  );
}

function InviteForm({ onClose, onMade }: { onClose: () => void; onMade: (link: string) => void }) {
  const t = useText(adminUsersText);
  const words = useText(adminCommonText);
  const ui = useText(uiText);
  const { sends_mail: canMail } = useBootstrap().installation;
  const refresh = useAfterAdminChange();
  const form = useForm({
    initial: beginning,
    check: ({ email, top_up: topUp }) => ({
      email: email.trim() === '' || isEmail(email) ? null : t.badEmail,
      top_up: topUp.trim() === '' || parseAmount(topUp) !== null ? null : words.badAmount,
    }),
    submit: async ({ email, role, top_up: topUp, mail, mail_language: language }) => {
      const { link } = await invite({
        email: email.trim() === '' ? null : email.trim(),
        role,
        top_up: topUp.trim() === '' ? '0' : topUp.trim(),
        send_mail: mail && email.trim() !== '',
        mail_language: language === 'setting' ? null : language,
      });
      onMade(link);
      await refresh();
    },
  });
  useStayWhile(form.isBusy);
  return (
    <FormDialog
      form={form}
      title={t.inviteTitle}
      intro={t.inviteText}
      confirm={t.inviteConfirm}
      staysWhileBusy
      onClose={onClose}
    >
      <Field
        label={t.inviteEmail}
        note={ui.optional}
        help={t.inviteEmailHelp}
        error={form.errors.email}
      >
        <TextInput {...form.input('email')} type="email" autoComplete="off" />
      </Field>
      <Field label={t.role} error={form.errors.role}>
        <Segmented
          value={form.values.role}
          choices={roles.map((value) => ({ value, label: t.roles[value] }))}
          onChange={(role) => form.set('role', role)}
        />
      </Field>
      <Field label={t.topUp} note={ui.optional} error={form.errors.top_up} className="max-w-60">
        <MoneyInput {...form.input('top_up')} />
      </Field>
      <Checkbox
        label={t.sendMail}
        help={canMail ? undefined : t.noMail}
        disabled={!canMail || form.values.email.trim() === ''}
        checked={form.values.mail}
        onChange={(isOn) => form.set('mail', isOn)}
      />
      {form.values.mail && form.values.email.trim() !== '' && (
        <Field label={t.mailLanguage} error={form.errors.mail_language}>
          <Segmented
            value={form.values.mail_language}
            choices={mailLanguages.map((value) => ({ value, label: t.mailLanguages[value] }))}
            onChange={(language) => form.set('mail_language', language)}
          />
        </Field>
      )}
    </FormDialog>
  );
}
