import { adminUpstreamsText } from '../../../../i18n/admin-upstreams-text.ts';
import { useText } from '../../../../i18n/text.ts';
import { uiText } from '../../../../i18n/ui-text.ts';
import { Field } from '../../../../ui/field.tsx';
import { PasswordInput } from '../../../../ui/password-input.tsx';

/** A secret that goes in and never comes back. */
export function CredentialField({
  expected,
  isOptional = false,
  reason,
  lastFour = null,
  error,
  value,
  onChange,
}: {
  /** `API key`, `user:password`. */
  expected: string;
  isOptional?: boolean;
  /** Why it is asked for once more. */
  reason?: string;
  /** What the stored one ends in. */
  lastFour?: string | null;
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
          {reason !== undefined && <span className="block text-text">{reason}</span>}
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
        placeholder={lastFour === null ? '' : `••••••••${lastFour}`}
        data-1p-ignore=""
        data-lpignore="true"
        mono
      />
    </Field>
  );
}
