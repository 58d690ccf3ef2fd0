import { useState } from 'react';
import type { AdminUser } from '../../../../shared/console/admin-users.ts';
import { useAdminChange } from '../../../api/admin-change.ts';
import { enableUser } from '../../../api/admin-users.ts';
import { adminCommonText } from '../../../i18n/admin-common-text.ts';
import { adminUsersText } from '../../../i18n/admin-users-text.ts';
import { useText } from '../../../i18n/text.ts';
import { ErrorState } from '../../../parts/error-state.tsx';
import { Section } from '../../../parts/section.tsx';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';

/** Whether the account can be used at all. */
export function AccountSection({ user: { id, email, state } }: { user: AdminUser }) {
  const t = useText(adminUsersText);
  const { changeFailed } = useText(adminCommonText);
  const [isAsking, setAsking] = useState(false);
  const change = useAdminChange((isWanted: boolean) => enableUser(id, isWanted));
  const failure = change.error && <ErrorState error={change.error} title={changeFailed} />;
  return (
    <Section title={t.account}>
      <div className="grid justify-items-start gap-2">
        <p className="text-label text-text-2">
          {state === 'active' ? t.disableText : t.enableText}
        </p>
        {state === 'active' ? (
          <Button onClick={() => setAsking(true)}>{t.disableUser}</Button>
        ) : (
          <Button busy={change.isPending} onClick={() => change.mutate(true)}>
            {t.enableUser}
          </Button>
        )}
        {!isAsking && failure}
      </div>
      {isAsking && (
        <ConfirmDialog
          open
          isDanger
          title={t.disableTitle(email)}
          confirm={t.disableUser}
          isBusy={change.isPending}
          onClose={() => setAsking(false)}
          onConfirm={() => change.mutate(false, { onSuccess: () => setAsking(false) })}
        >
          <p>{t.disableText}</p>
          {failure}
        </ConfirmDialog>
      )}
    </Section>
  );
}
