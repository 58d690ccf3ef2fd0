import { useState } from 'react';
import { useBootstrap } from '../../api/bootstrap.ts';
import { askForNewPassword, setNewPassword } from '../../api/entry.ts';
import { Form } from '../../forms/form.tsx';
import { useForm } from '../../forms/use-form.ts';
import { entryText } from '../../i18n/entry-text.ts';
import { fill } from '../../i18n/fill.tsx';
import { useText } from '../../i18n/text.ts';
import { useLinkSecret } from '../../lib/link-secret.ts';
import { EntryPage } from '../../parts/entry-page.tsx';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Link } from '../../ui/link.tsx';
import { Notice } from '../../ui/notice.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { emailProblem, NewPasswordField, passwordProblem } from './new-password-field.tsx';

/** With a link's secret sets a password; without one asks for a link. */
export function ResetPage() {
  const t = useText(entryText);
  const { installation } = useBootstrap();
  const { secret, isIncomplete } = useLinkSecret();
  return (
    <EntryPage
      title={secret === null ? t.reset.askTitle : t.reset.title}
      footer={
        <>
          <Link to={paths.login()}>{t.reset.toSignIn}</Link>
          {secret !== null && installation.sends_mail && (
            <Link to={paths.reset()}>{t.reset.another}</Link>
          )}
        </>
      }
    >
      {isIncomplete && <Notice tone="warn">{t.incompleteLink}</Notice>}
      {secret === null ? <AskForLink /> : <SetPassword secret={secret} />}
    </EntryPage>
  );
}

function AskForLink() {
  const t = useText(entryText);
  const { installation } = useBootstrap();
  const [sentTo, setSentTo] = useState<string | null>(null);
  const form = useForm({
    initial: { email: '' },
    check: ({ email }) => ({ email: emailProblem(email, t) }),
    submit: async ({ email }) => {
      await askForNewPassword(email.trim());
      setSentTo(email.trim());
    },
  });
  if (!installation.sends_mail) return <Notice>{t.reset.noMail}</Notice>;
  if (sentTo !== null) {
    return (
      <Notice tone="ok">
        <p>{fill(t.reset.sent, { email: <strong>{sentTo}</strong> })}</p>
      </Notice>
    );
  }
  return (
    <Form form={form}>
      <p className="text-text-2">{t.reset.askText}</p>
      <Field label={t.email} error={form.errors.email}>
        <TextInput {...form.input('email')} type="email" autoComplete="username" />
      </Field>
      <Button type="submit" look="primary" size="large" busy={form.isBusy}>
        {t.reset.ask}
      </Button>
    </Form>
  );
}

function SetPassword({ secret }: { secret: string }) {
  const t = useText(entryText);
  const [isDone, setDone] = useState(false);
  const form = useForm({
    initial: { password: '' },
    check: ({ password }) => ({ password: passwordProblem(password, t) }),
    submit: async ({ password }) => {
      await setNewPassword(secret, password);
      setDone(true);
    },
  });
  if (isDone) return <Notice tone="ok">{t.reset.done}</Notice>;
  return (
    <Form form={form}>
      <NewPasswordField
        label={t.newPassword}
        error={form.errors.password}
        input={form.input('password')}
      />
      <Button type="submit" look="primary" size="large" busy={form.isBusy}>
        {t.reset.submit}
      </Button>
    </Form>
  );
}
