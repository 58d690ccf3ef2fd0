import { useState } from 'react';
import type { AdminUser } from '../../../../shared/console/admin-users.ts';
import { useAdminChange } from '../../../api/admin-change.ts';
import { eraseUser } from '../../../api/admin-users.ts';
import { adminCommonText } from '../../../i18n/admin-common-text.ts';
import { adminUsersText } from '../../../i18n/admin-users-text.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { useText } from '../../../i18n/text.ts';
import { ErrorState } from '../../../parts/error-state.tsx';
import { Section } from '../../../parts/section.tsx';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';

/** For good: what is left tells of nobody. */
export function ErasureSection({ user: { id, email, balance } }: { user: AdminUser }) {
  const t = useText(adminUsersText);
  const { changeFailed } = useText(adminCommonText);
  const formats = useFormats();
  const [isAsking, setAsking] = useState(false);
  const [forfeit, setForfeit] = useState(false);
  const erasure = useAdminChange(() => eraseUser(id, { email, forfeit }));
  const close = () => {
    erasure.reset();
    setForfeit(false);
    setAsking(false);
  };
  return (
    <Section title={t.personalData}>
      <div className="grid justify-items-start gap-2">
        <p className="text-label text-text-2">{t.eraseText}</p>
        <Button onClick={() => setAsking(true)}>{t.eraseUser}</Button>
      </div>
      {isAsking && (
        <ConfirmDialog
          open
          isDanger
          title={t.eraseTitle(email)}
          confirm={t.eraseUser}
          isBusy={erasure.isPending}
          typed={{ label: t.eraseTyped, expected: email }}
          onClose={close}
          onConfirm={() => erasure.mutate(undefined, { onSuccess: close })}
        >
          <p>{t.eraseWarning}</p>
          {balance.micros !== 0 && (
            <Checkbox
              label={t.forfeit(formats.total(balance))}
              help={t.forfeitHelp}
              checked={forfeit}
              onChange={setForfeit}
            />
          )}
          {erasure.error && <ErrorState error={erasure.error} title={changeFailed} />}
        </ConfirmDialog>
      )}
    </Section>
  );
}
