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
      <div ref={measureNotices}>
        <OfflineBanner />
        <NewVersionNotice />
      </div>
      {children}
    </FormatsFor>
  );
}

/** What fills the window leaves room for them, so that its end is in sight. */
function measureNotices(notices: HTMLElement | null): (() => void) | undefined {
  if (!notices) return undefined;
  const { style } = document.documentElement;
  const observer = new ResizeObserver(() =>
    style.setProperty('--notices-height', `${notices.offsetHeight}px`),
  );
  observer.observe(notices);
  return () => observer.disconnect();
}
