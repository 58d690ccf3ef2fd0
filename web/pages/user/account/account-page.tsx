import { useQuery } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import { accountQuery } from '../../../api/account.ts';
import { accountText } from '../../../i18n/account-text.ts';
import { useText } from '../../../i18n/text.ts';
import { oneOfOr, useSearchState } from '../../../lib/search-state.ts';
import { ErrorState } from '../../../parts/error-state.tsx';
import { Page } from '../../../parts/page.tsx';
import { TabLinks } from '../../../parts/tab-links.tsx';
import { paths } from '../../../paths.ts';
import { Skeleton } from '../../../ui/skeleton.tsx';
import type { AccountPart } from './account-matter.tsx';
import { BrowserData } from './browser-data.tsx';
import { PreferencesTab } from './preferences-tab.tsx';
import { ProfileTab } from './profile-tab.tsx';
import { SecurityTab } from './security-tab.tsx';
import { SessionsTab } from './sessions-tab.tsx';
import { TokensTab } from './tokens-tab.tsx';

const tabs = ['profile', 'preferences', 'security', 'sessions', 'tokens', 'browser'] as const;

const accountSearch = { tab: oneOfOr(tabs, 'profile') };

/** Who I am here, how I sign in, and how the console looks to me. */
export function AccountPage() {
  const t = useText(accountText);
  const [{ tab }] = useSearchState(accountSearch);
  return (
    <Page title={t.title} part={t.tabs[tab]} width="reading">
      <TabLinks
        label={t.title}
        value={tab}
        tabs={tabs.map((value) => ({
          value,
          label: t.tabs[value],
          to: paths.account(value === 'profile' ? undefined : value),
        }))}
      />
      <TabContent key={tab} tab={tab} />
    </Page>
  );
}

const contents: Readonly<Record<(typeof tabs)[number], ComponentType<AccountPart>>> = {
  profile: ProfileTab,
  preferences: PreferencesTab,
  security: SecurityTab,
  sessions: SessionsTab,
  tokens: TokensTab,
  browser: BrowserData,
};

function TabContent({ tab }: { tab: (typeof tabs)[number] }) {
  const t = useText(accountText);
  const { data, error, refetch } = useQuery(accountQuery);
  const Content = contents[tab];
  return (
    <>
      {error && <ErrorState error={error} title={t.loadFailed} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton className="h-60" />}
      {/* What is typed here, or shown this once, stays when it cannot be asked for again. */}
      {data && <Content account={data} />}
    </>
  );
}
