import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { adminUsersText } from '../../../i18n/admin-users-text.ts';
import { useText } from '../../../i18n/text.ts';
import { useSearchState } from '../../../lib/search-state.ts';
import { Page } from '../../../parts/page.tsx';
import { TabLinks } from '../../../parts/tab-links.tsx';
import { useListKeys } from '../../../parts/use-list-keys.ts';
import { paths } from '../../../paths.ts';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { icon } from '../../../ui/icon.ts';
import { Link } from '../../../ui/link.tsx';
import { ReadinessBanner } from '../readiness-banner.tsx';
import { InvitationList } from './invitation-list.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { UserList } from './user-list.tsx';
import { usersSearch } from './users-state.ts';

/** Who may use the service, and with what money. */
export function UsersPage() {
  const t = useText(adminUsersText);
  const [{ list }] = useSearchState(usersSearch);
  const [isInviting, setInviting] = useState(false);
  useListKeys();
  return (
    <Page title={t.title} part={t.lists[list]}>
      <ReadinessBanner />
      <TabLinks
        label={t.parts}
        value={list}
        tabs={[
          { value: 'users', label: t.lists.users, to: paths.users() },
          {
            value: 'invitations',
            label: t.lists.invitations,
            to: paths.users({ list: 'invitations' }),
          },
        ]}
        actions={
          <>
            <Button onClick={() => setInviting(true)}>{t.invite}</Button>
            <Link to={paths.newUser()} look="plain" className={buttonClass('secondary')}>
              <UserPlus {...icon} /> {t.create}
            </Link>
          </>
        }
      />
      {list === 'users' ? <UserList /> : <InvitationList />}
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
    </Page>
  );
}
