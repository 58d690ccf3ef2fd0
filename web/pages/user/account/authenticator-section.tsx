import { Download } from 'lucide-react';
import { useState } from 'react';
import {
  beginAuthenticator,
  type NewAuthenticator,
  removeAuthenticator,
  renewRecoveryCodes,
} from '../../../api/account.ts';
import { useAction } from '../../../forms/use-action.ts';
import { useStayWhile } from '../../../forms/use-stay-while.ts';
import { accountText } from '../../../i18n/account-text.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { useText } from '../../../i18n/text.ts';
import { recoveryCodesFew } from '../../../lib/recovery-codes-few.ts';
import { saveFile } from '../../../lib/save-file.ts';
import { ErrorNote } from '../../../parts/error-note.tsx';
import { SecretOnce } from '../../../parts/secret-once.tsx';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { icon } from '../../../ui/icon.ts';
import { Notice } from '../../../ui/notice.tsx';
import { AccountMatter, type AccountPart, useRefreshAccount } from './account-matter.tsx';
import { AuthenticatorDialog } from './authenticator-dialog.tsx';
import { RemoveDialog } from './remove-dialog.tsx';

type Open =
  | { kind: 'set_up'; begun: NewAuthenticator }
  | { kind: 'codes'; codes: readonly string[] }
  | { kind: 'renew' }
  | { kind: 'remove' };

/** A code from an app besides the password. */
export function AuthenticatorSection({ account: { authenticator } }: AccountPart) {
  const t = useText(accountText).authenticator;
  const formats = useFormats();
  const [open, setOpen] = useState<Open | null>(null);
  const begin = useAction(async () =>
    setOpen({ kind: 'set_up', begun: await beginAuthenticator() }),
  );
  return (
    <AccountMatter
      title={t.title}
      text={
        authenticator
          ? t.on(formats.date(authenticator.confirmed_at), authenticator.recovery_codes_left)
          : t.off
      }
      actions={
        authenticator ? (
          <>
            <Button onClick={() => setOpen({ kind: 'renew' })}>{t.newCodes}</Button>
            <Button onClick={() => setOpen({ kind: 'remove' })}>{t.remove}</Button>
          </>
        ) : (
          <Button busy={begin.isBusy} onClick={begin.run}>
            {t.setUp}
          </Button>
        )
      }
    >
      {begin.failure && <ErrorNote error={begin.failure} />}
      {authenticator && authenticator.recovery_codes_left <= recoveryCodesFew && (
        <Notice tone="warn" title={t.few(authenticator.recovery_codes_left)}>
          {t.fewText}
        </Notice>
      )}
      <Dialogs open={open} setOpen={setOpen} />
    </AccountMatter>
  );
}

function Dialogs({ open, setOpen }: { open: Open | null; setOpen: (open: Open | null) => void }) {
  const refresh = useRefreshAccount();
  const close = () => setOpen(null);
  const showCodes = (codes: readonly string[]) => setOpen({ kind: 'codes', codes });
  switch (open?.kind) {
    case undefined:
      return null;
    case 'set_up':
      return <AuthenticatorDialog begun={open.begun} onClose={close} onConfirmed={showCodes} />;
    case 'codes':
      return (
        <RecoveryCodes
          codes={open.codes}
          onDone={() => {
            close();
            void refresh();
          }}
        />
      );
    case 'renew':
      return <RenewDialog onClose={close} onRenewed={showCodes} />;
    case 'remove':
      return <RemoveAuthenticator onClose={close} />;
  }
}

function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const t = useText(accountText).authenticator;
  const text = codes.join('\n');
  return (
    <SecretOnce
      title={t.codesTitle}
      text={t.codesText}
      label={t.codes}
      secret={text}
      words={t}
      onDone={onDone}
      actions={
        <Button
          size="small"
          icon={<Download {...icon} />}
          onClick={() =>
            saveFile(new Blob([`${text}\n`], { type: 'text/plain' }), 'recovery-codes.txt')
          }
        >
          {t.download}
        </Button>
      }
    />
  );
}

function RenewDialog({
  onClose,
  onRenewed,
}: {
  onClose: () => void;
  onRenewed: (codes: readonly string[]) => void;
}) {
  const t = useText(accountText).authenticator;
  const { run, isBusy, failure } = useAction(async () => onRenewed(await renewRecoveryCodes()));
  useStayWhile(isBusy);
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={t.newCodesTitle}
      confirm={t.makeCodes}
      isBusy={isBusy}
      onConfirm={run}
    >
      <p>{t.newCodesText}</p>
      {failure && <ErrorNote error={failure} />}
    </ConfirmDialog>
  );
}

function RemoveAuthenticator({ onClose }: { onClose: () => void }) {
  const t = useText(accountText).authenticator;
  const words = {
    title: t.removeTitle,
    text: t.removeText,
    confirm: t.removeConfirm,
    done: t.removed,
  };
  return <RemoveDialog words={words} onRemove={() => removeAuthenticator()} onClose={onClose} />;
}
