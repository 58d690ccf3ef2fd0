import { passwordLengthFault } from '../../../shared/password-rule.ts';
import { entryText } from '../../i18n/entry-text.ts';
import { useText } from '../../i18n/text.ts';
import { Field } from '../../ui/field.tsx';
import { PasswordInput } from '../../ui/password-input.tsx';

/** One field with Show, that password managers and pasting can fill. */
export function NewPasswordField({
  label,
  error,
  input,
}: {
  label?: string;
  error: string | null | undefined;
  input: { name: string; value: string; onChange: (value: string) => void };
}) {
  const t = useText(entryText);
  return (
    <Field label={label ?? t.password} help={t.passwordHelp} error={error}>
      <PasswordInput {...input} autoComplete="new-password" />
    </Field>
  );
}

export function passwordProblem(
  password: string,
  words: { tooShort: string; tooLong: string },
): string | null {
  const fault = passwordLengthFault(password);
  if (fault === null) return null;
  return fault === 'too_short' ? words.tooShort : words.tooLong;
}

export function emailProblem(
  email: string,
  words: { missing: string; notAnEmail: string },
): string | null {
  if (email.trim() === '') return words.missing;
  return /^\S+@\S+$/.test(email.trim()) ? null : words.notAnEmail;
}
