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
      <Field label={t.email} error={form.errors.email}>
        <TextInput
          {...form.input('email')}
          type="email"
          autoComplete="username"
          readOnly={isEmailFixed}
        />
      </Field>
      <Field label={t.name} help={t.nameHelp} error={form.errors.name}>
        <TextInput {...form.input('name')} autoComplete="name" />
      </Field>
      <NewPasswordField error={form.errors.password} input={form.input('password')} />
    </>
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
