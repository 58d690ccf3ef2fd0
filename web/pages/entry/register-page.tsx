import { useState } from 'react';
import { useBootstrap } from '../../api/bootstrap.ts';
import { askForRegistration, confirmRegistration, register } from '../../api/entry.ts';
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
import { AccountFields, accountProblems } from './account-fields.tsx';
import { useGoOn } from './login-page.tsx';
import { emailProblem, NewPasswordField, passwordProblem } from './new-password-field.tsx';

/** Opens an account: by a mailed link where the service sends mail, else at once. */
export function RegisterPage() {
  const words = useText(entryText);
  const t = words.register;
  const { registration, sends_mail: sendsMail } = useBootstrap().installation;
  const { secret, isIncomplete } = useLinkSecret();
  return (
    <EntryPage title={t.title} footer={<Link to={paths.login()}>{t.haveAccount}</Link>}>
      {isIncomplete && <Notice tone="warn">{words.incompleteLink}</Notice>}
      {secret !== null && <Confirmation secret={secret} />}
      {secret === null && registration === 'closed' && <Notice>{t.closed}</Notice>}
      {secret === null && registration === 'invitation' && <Notice>{t.byInvitation}</Notice>}
      {secret === null && registration === 'open' && (sendsMail ? <AskForLink /> : <AtOnce />)}
    </EntryPage>
  );
}

function AskForLink() {
  const t = useText(entryText);
  const [sentTo, setSentTo] = useState<string | null>(null);
  const form = useForm({
    initial: { email: '' },
    check: ({ email }) => ({ email: emailProblem(email, t) }),
    submit: async ({ email }) => {
      await askForRegistration(email.trim());
      setSentTo(email.trim());
    },
  });
  if (sentTo !== null) {
    return (
      <Notice tone="ok">
        <p>{fill(t.register.sent, { email: <strong>{sentTo}</strong> })}</p>
      </Notice>
    );
  }
  return (
    <Form form={form}>
      <p className="text-text-2">{t.register.mailText}</p>
      <Field label={t.email} error={form.errors.email}>
        <TextInput {...form.input('email')} type="email" autoComplete="username" />
      </Field>
      <Button type="submit" look="primary" size="large" busy={form.isBusy}>
        {t.register.mailSubmit}
      </Button>
    </Form>
  );
}

function Confirmation({ secret }: { secret: string }) {
  const t = useText(entryText);
  const goOn = useGoOn();
  const form = useForm({
    initial: { name: '', password: '' },
    check: ({ name, password }) => ({
      name: name.trim() === '' ? t.missing : null,
      password: passwordProblem(password, t),
    }),
    submit: async ({ name, password }) => {
      await confirmRegistration(secret, { name: name.trim(), password });
      goOn();
    },
  });
  return (
    <Form form={form}>
      <Field label={t.name} help={t.nameHelp} error={form.errors.name}>
        <TextInput {...form.input('name')} autoComplete="name" />
      </Field>
      <NewPasswordField error={form.errors.password} input={form.input('password')} />
      <Button type="submit" look="primary" size="large" busy={form.isBusy}>
        {t.register.submit}
      </Button>
    </Form>
  );
}

function AtOnce() {
  const t = useText(entryText);
  const goOn = useGoOn();
  const form = useForm({
    initial: { email: '', name: '', password: '' },
    check: (values) => accountProblems(values, t),
    submit: async ({ email, name, password }) => {
      await register({ email: email.trim(), name: name.trim(), password });
      goOn();
    },
  });
  return (
    <Form form={form}>
      <AccountFields form={form} isEmailFixed={false} />
      <Button type="submit" look="primary" size="large" busy={form.isBusy}>
        {t.register.submit}
      </Button>
    </Form>
  );
}
