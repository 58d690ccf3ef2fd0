import type { AdminUser } from '../../../../shared/console/admin-users.ts';
import { adminCommonText } from '../../../i18n/admin-common-text.ts';
import { adminUsersText } from '../../../i18n/admin-users-text.ts';
import { useText } from '../../../i18n/text.ts';
import { Facts } from '../../../ui/facts.tsx';
import { Pill } from '../../../ui/pill.tsx';
import { Time } from '../../../ui/time.tsx';
import { RelativeTime } from '../relative-time.tsx';
import { AccessSection } from './access-section.tsx';
import { AccountSection } from './account-section.tsx';
import { ErasureSection } from './erasure-section.tsx';
import { ProfileForm } from './profile-form.tsx';

export function OverviewTab({ user }: { user: AdminUser }) {
  const t = useText(adminUsersText);
  const words = useText(adminCommonText);
  const {
    id,
    state,
    last_active_at: lastActive,
    created_at: createdAt,
    disabled_at: disabledAt,
    erased_at: erasedAt,
  } = user;
  return (
    <div className="grid items-start gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      {erasedAt === null ? (
        <ProfileForm user={user} />
      ) : (
        <p className="text-label text-text-2">{t.erasedText}</p>
      )}
      <div className="grid min-w-0 gap-8">
        <Facts
          facts={[
            {
              label: t.status,
              value: <Pill tone={state === 'active' ? 'ok' : 'neutral'}>{t.states[state]}</Pill>,
            },
            {
              label: t.id,
              value: (
                <code className="text-label break-all" translate="no">
                  {id}
                </code>
              ),
            },
            {
              label: t.lastActive,
              value: lastActive === null ? words.never : <RelativeTime at={lastActive} />,
            },
            { label: t.created, value: <Time at={createdAt} /> },
            { label: t.disabledSince, value: disabledAt && <Time at={disabledAt} /> },
            { label: t.erasedAt, value: erasedAt && <Time at={erasedAt} /> },
          ]}
        />
        {erasedAt === null && (
          <>
            <AccessSection user={user} />
            <AccountSection user={user} />
            <ErasureSection user={user} />
          </>
        )}
      </div>
    </div>
  );
}
