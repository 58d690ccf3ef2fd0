import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { changePassword } from '../../../api/account.ts';
import { Form } from '../../../forms/form.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { accountText } from '../../../i18n/account-text.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { useText } from '../../../i18n/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { PasswordInput } from '../../../ui/password-input.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { passwordProblem } from '../../entry/new-password-field.tsx';
import { AccountMatter, type AccountPart, useRefreshAccount } from './account-matter.tsx';

export function PasswordSection({ account }: AccountPart) {
  const t = useText(accountText).password;
  const formats = useFormats();
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const { password } = account;
  const close = () => {
    // Drawn before the focus can go there.
    flushSync(() => setOpen(false));
    button.current?.focus();
  };
  return (
    <AccountMatter
      title={t.title}
      text={password ? t.changed(formats.date(password.changed_at)) : t.none}
      actions={
        !isOpen && (
          <Button ref={button} onClick={() => setOpen(true)}>
            {password ? t.change : t.set}
          </Button>
        )
      }
    >
      {isOpen && <PasswordForm account={account} onClose={close} />}
    </AccountMatter>
  );
}

function PasswordForm({ account, onClose }: AccountPart & { onClose: () => void }) {
  const words = useText(accountText);
  const t = words.password;
  const refresh = useRefreshAccount();
  const toast = useToast();
  const input = useRef<HTMLInputElement>(null);
  // The button that opened it is gone.
  useEffect(() => input.current?.focus(), []);
  const form = useForm({
    initial: { password: '' },
    check: ({ password }) => ({ password: passwordProblem(password, t) }),
    submit: async ({ password }) => {
      await changePassword(password);
      toast({ title: t.done });
      onClose();
      await refresh();
    },
  });
  return (
    <Form form={form} className="max-w-96" aria-label={t.title}>
      {/* So that a password manager knows whose password it is. */}
      <input type="text" autoComplete="username" value={account.email} readOnly hidden />
      <Field label={t.new} help={t.help} error={form.errors.password}>
        <PasswordInput ref={input} {...form.input('password')} autoComplete="new-password" />
      </Field>
      <div className="flex gap-2">
        <Button type="submit" look="primary" busy={form.isBusy}>
          {t.set}
        </Button>
        <Button onClick={onClose}>{words.cancel}</Button>
      </div>
    </Form>
  );
}
