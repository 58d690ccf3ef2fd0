import { accountText } from '../../../i18n/account-text.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { useText } from '../../../i18n/text.ts';
import { AccountMatter, type AccountPart } from './account-matter.tsx';
import { AuthenticatorSection } from './authenticator-section.tsx';
import { PasskeysSection } from './passkeys-section.tsx';
import { PasswordSection } from './password-section.tsx';

/** By what I sign in. */
export function SecurityTab({ account }: AccountPart) {
  return (
    <>
      <PasswordSection account={account} />
      <AuthenticatorSection account={account} />
      <PasskeysSection account={account} />
      <OutsideSection account={account} />
    </>
  );
}

function OutsideSection({ account: { outside_identities: identities } }: AccountPart) {
  const t = useText(accountText).outside;
  const formats = useFormats();
  if (identities.length === 0) return null;
  return (
    <AccountMatter title={t.title}>
      <ul className="grid gap-1">
        {identities.map(({ issuer, created_at: at }) => (
          <li key={issuer}>{t.linked(issuer, formats.date(at))}</li>
        ))}
      </ul>
    </AccountMatter>
  );
}
