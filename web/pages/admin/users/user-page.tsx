import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { AdminUser } from '../../../../shared/console/admin-users.ts';
import { userQuery } from '../../../api/admin-users.ts';
import { adminUsersText } from '../../../i18n/admin-users-text.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { useText } from '../../../i18n/text.ts';
import { useSearchState } from '../../../lib/search-state.ts';
import { MissingOr } from '../../../parts/missing.tsx';
import { Page } from '../../../parts/page.tsx';
import { TabLinks } from '../../../parts/tab-links.tsx';
import { paths } from '../../../paths.ts';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { KeysTab } from './keys-tab.tsx';
import { OverviewTab } from './overview-tab.tsx';
import { SessionsTab } from './sessions-tab.tsx';
import { UsageTab } from './usage-tab.tsx';
import { UserNumbers } from './user-numbers.tsx';
import { userSearch, userTabs } from './user-state.ts';
import { WalletTab } from './wallet-tab.tsx';

/** One user: who they are, what they have, what they did. */
export function UserPage() {
  const t = useText(adminUsersText);
  // The route has this parameter.
  const { id = '' }: { id?: string } = useParams({ strict: false });
  const { zone } = useFormats();
  const user = useQuery(userQuery(id, zone));
  const [{ tab }] = useSearchState(userSearch);
  const list = { to: paths.users(), label: t.title };
  return (
    // Each user is a page of its own, also to the focus.
    <Page key={id} title={user.data?.email ?? id} part={t.tabs[tab]} back={list}>
      {user.isPending && <SkeletonRows />}
      {user.error && !user.data && (
        <MissingOr id={id} list={list} title={t.userFailed} query={user} />
      )}
      {/* Another user has other forms. */}
      {user.data && <User key={user.data.id} user={user.data} />}
    </Page>
  );
}

function User({ user }: { user: AdminUser }) {
  const t = useText(adminUsersText);
  const [{ tab }] = useSearchState(userSearch);
  return (
    <>
      <UserNumbers user={user} />
      <TabLinks
        label={t.userParts}
        value={tab}
        tabs={userTabs.map((value) => ({
          value,
          label: t.tabs[value],
          to: paths.user(user.id, value === 'overview' ? {} : { tab: value }),
        }))}
      />
      {tab === 'overview' && <OverviewTab user={user} />}
      {tab === 'wallet' && <WalletTab user={user} />}
      {tab === 'keys' && <KeysTab userId={user.id} />}
      {tab === 'usage' && <UsageTab user={user} />}
      {tab === 'sessions' && <SessionsTab userId={user.id} />}
    </>
  );
}
