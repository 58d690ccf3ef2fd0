import { adminUpstreamsText } from '../../../i18n/admin-upstreams-text.ts';
import { useText } from '../../../i18n/text.ts';
import { uiText } from '../../../i18n/ui-text.ts';
import { Field } from '../../../ui/field.tsx';
import { PasswordInput } from '../../../ui/password-input.tsx';

/** A secret that goes in and never comes back. */
export function CredentialField({
  expected,
  isOptional = false,
  error,
  value,
  onChange,
}: {
  /** `API key`, `user:password`. */
  expected: string;
  isOptional?: boolean;
  error: string | null | undefined;
  value: string;
  onChange: (value: string) => void;
}) {
  const t = useText(adminUpstreamsText);
  const ui = useText(uiText);
  return (
    <Field
      label={t.credential}
      note={isOptional ? ui.optional : null}
      help={
        <>
          {expected !== '' && <>{t.credentialForm(expected)} · </>}
          {t.credentialHelp}
        </>
      }
      error={error}
    >
      <PasswordInput
        value={value}
        onChange={onChange}
        name="credential"
        autoComplete="off"
        data-1p-ignore=""
        data-lpignore="true"
        mono
      />
    </Field>
  );
}
