import { useState } from 'react';
import type { AdminUser } from '../../../../shared/console/admin-users.ts';
import { useAdminChange, useAfterAdminChange } from '../../../api/admin-change.ts';
import {
  issuePasswordReset,
  removeAuthenticator,
  type ShownLink,
} from '../../../api/admin-users.ts';
import { useBootstrap } from '../../../api/bootstrap.ts';
import { useAction } from '../../../forms/use-action.ts';
import { useStayWhile } from '../../../forms/use-stay-while.ts';
import { adminCommonText } from '../../../i18n/admin-common-text.ts';
import { adminUsersText } from '../../../i18n/admin-users-text.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { useText } from '../../../i18n/text.ts';
import { publicUrl } from '../../../lib/base-url.ts';
import { ErrorNote } from '../../../parts/error-note.tsx';
import { ErrorState } from '../../../parts/error-state.tsx';
import { ResultLine } from '../../../parts/result-line.tsx';
import { SecretOnce } from '../../../parts/secret-once.tsx';
import { Section } from '../../../parts/section.tsx';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';

/** For who cannot get in any more. */
export function AccessSection({ user }: { user: AdminUser }) {
  const t = useText(adminUsersText);
  return (
    <Section title={t.access}>
      <PasswordLink userId={user.id} />
      <AuthenticatorRemoval userId={user.id} />
    </Section>
  );
}

function PasswordLink({ userId }: { userId: string }) {
  const t = useText(adminUsersText);
  const formats = useFormats();
  const { installation } = useBootstrap();
  const refresh = useAfterAdminChange();
  // Here and nowhere else: what a mutation answers is remembered for a while.
  const [made, setMade] = useState<ShownLink | null>(null);
  const issuing = useAction(async () => {
    setMade(await issuePasswordReset(userId));
    await refresh();
  });
  useStayWhile(issuing.isBusy && made === null);
  return (
    <div className="grid justify-items-start gap-2">
      <p className="text-label text-text-2">{t.resetText}</p>
      <Button busy={issuing.isBusy} onClick={issuing.run}>
        {t.resetPassword}
      </Button>
      {issuing.failure && <ErrorNote error={issuing.failure} />}
      {made && (
        <SecretOnce
          title={t.resetLink}
          text={t.resetLinkText(formats.time(made.expires_at))}
          label={t.resetLink}
          secret={`${publicUrl(installation)}${made.link}`}
          words={{ stored: t.storedLink, storedFirst: t.storeFirst, done: t.done }}
          onDone={() => setMade(null)}
        />
      )}
    </div>
  );
}

function AuthenticatorRemoval({ userId }: { userId: string }) {
  const t = useText(adminUsersText);
  const { changeFailed } = useText(adminCommonText);
  const [isAsking, setAsking] = useState(false);
  const removal = useAdminChange(() => removeAuthenticator(userId));
  return (
    <div className="grid justify-items-start gap-2">
      <p className="text-label text-text-2">{t.authenticatorText}</p>
      <Button onClick={() => setAsking(true)}>{t.removeAuthenticator}</Button>
      <ResultLine>{removal.isSuccess ? t.authenticatorRemoved : null}</ResultLine>
      {isAsking && (
        <ConfirmDialog
          open
          isDanger
          title={t.removeAuthenticatorTitle}
          confirm={t.removeAuthenticator}
          isBusy={removal.isPending}
          onClose={() => {
            removal.reset();
            setAsking(false);
          }}
          onConfirm={() => removal.mutate(undefined, { onSuccess: () => setAsking(false) })}
        >
          <p>{t.removeAuthenticatorText}</p>
          {removal.error && <ErrorState error={removal.error} title={changeFailed} />}
        </ConfirmDialog>
      )}
    </div>
  );
}
