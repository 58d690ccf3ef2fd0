import { CSPProvider } from '@base-ui/react/csp-provider';
import { Tooltip } from '@base-ui/react/tooltip';
import type { ReactNode } from 'react';
import { useBootstrap } from '../api/bootstrap.ts';
import { FormatsFor } from '../i18n/formats.tsx';
import { Toasts } from '../ui/toast.tsx';
import { NewVersionNotice } from './new-version-notice.tsx';
import { OfflineBanner } from './offline-banner.tsx';

/** What every page needs around it, signed in or not. */
export function AppFrame({ children }: { children: ReactNode }) {
  const { installation, user } = useBootstrap();
  return (
    // The policy allows no inline style sheet; ours are in files.
    <CSPProvider disableStyleElements>
      <FormatsFor zone={user?.preferences.zone ?? null} currency={installation.currency}>
        <Tooltip.Provider>
          <Toasts>
            <OfflineBanner />
            <NewVersionNotice />
            {children}
          </Toasts>
        </Tooltip.Provider>
      </FormatsFor>
    </CSPProvider>
  );
}
