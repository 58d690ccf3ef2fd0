import type { Form } from '../../forms/use-form.ts';
import { entryText } from '../../i18n/entry-text.ts';
import { useText } from '../../i18n/text.ts';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { emailProblem, NewPasswordField, passwordProblem } from './new-password-field.tsx';

export interface NewAccount {
  email: string;
  name: string;
  password: string;
}

/** @param isEmailFixed it came with the link */
export function AccountFields({
  form,
  isEmailFixed,
}: {
  form: Form<NewAccount>;
  isEmailFixed: boolean;
}) {
  const t = useText(entryText);
  return (
    <>
      {isEmailFixed ? (
        <FixedEmail label={t.email} email={form.values.email} error={form.errors.email} />
      ) : (
        <Field label={t.email} error={form.errors.email}>
          <TextInput {...form.input('email')} type="email" autoComplete="username" />
        </Field>
      )}
      <Field label={t.name} help={t.nameHelp} error={form.errors.name}>
        <TextInput {...form.input('name')} autoComplete="name" />
      </Field>
      <NewPasswordField error={form.errors.password} input={form.input('password')} />
    </>
  );
}

/** As text, which shows all of it however narrow the page is. */
function FixedEmail({
  label,
  email,
  error,
}: {
  label: string;
  email: string;
  error: string | null | undefined;
}) {
  return (
    <div className="grid gap-1">
      <p className="text-label font-semibold">{label}</p>
      <p className="wrap-anywhere" translate="no">
        {email}
      </p>
      {/* So that a password manager knows whose password it is. */}
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      {error && <p className="text-label text-bad">{error}</p>}
    </div>
  );
}

export function accountProblems(
  { email, name, password }: NewAccount,
  words: { missing: string; notAnEmail: string; tooShort: string; tooLong: string },
) {
  return {
    email: emailProblem(email, words),
    name: name.trim() === '' ? words.missing : null,
    password: passwordProblem(password, words),
  };
}
