import type { ReactNode } from 'react';
import { useBootstrap } from '../api/bootstrap.ts';
import { FormatsFor } from '../i18n/formats.tsx';
import { NewVersionNotice } from './new-version-notice.tsx';
import { OfflineBanner } from './offline-banner.tsx';

/** What every page has around it, signed in or not. */
export function AppFrame({ children }: { children: ReactNode }) {
  const { installation, user } = useBootstrap();
  return (
    <FormatsFor zone={user?.preferences.zone ?? null} currency={installation.currency}>
      <OfflineBanner />
      <NewVersionNotice />
      {children}
    </FormatsFor>
  );
}
