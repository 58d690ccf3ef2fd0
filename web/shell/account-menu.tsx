import { useNavigate } from '@tanstack/react-router';
import { ChevronsUpDown, CircleUser, Keyboard, LogOut } from 'lucide-react';
import { Suspense, useCallback, useState } from 'react';
import { useUser } from '../api/bootstrap.ts';
import { shellText } from '../i18n/shell-text.ts';
import { useText } from '../i18n/text.ts';
import { lazyPart } from '../parts/lazy-part.tsx';
import { pages } from '../paths.ts';
import { icon } from '../ui/icon.ts';
import { Menu } from '../ui/menu.tsx';
import { useShellActions } from './shell-actions.ts';

const SignOut = lazyPart(async () => (await import('../gallery/sign-out.tsx')).SignOut, 'over');

/** Who is signed in, and the way out. */
export function AccountMenu() {
  const t = useText(shellText);
  const user = useUser();
  const navigate = useNavigate();
  const { openShortcuts } = useShellActions();
  const [isLeaving, setLeaving] = useState(false);
  const stay = useCallback(() => setLeaving(false), []);
  return (
    <>
      <Menu
        align="start"
        side="top"
        trigger={
          <button
            type="button"
            aria-label={t.signedInAs(user.email)}
            className="fade flex min-h-10 w-full items-center gap-2 rounded-control px-2 text-left hover:bg-hover pointer-coarse:min-h-11"
          >
            <span className="min-w-0 flex-1">
              <span className="block truncate text-label font-semibold">{user.name}</span>
              {user.name !== user.email && (
                <span className="block truncate text-caption text-text-3">{user.email}</span>
              )}
            </span>
            <ChevronsUpDown {...icon} className="shrink-0 text-text-3" />
          </button>
        }
        items={[
          {
            label: t.nav.account,
            icon: <CircleUser {...icon} />,
            onSelect: () => void navigate({ to: pages.account }),
          },
          { label: t.shortcuts.title, icon: <Keyboard {...icon} />, onSelect: openShortcuts },
          { kind: 'separator' },
          {
            label: t.signOut,
            icon: <LogOut {...icon} />,
            onSelect: () => setLeaving(true),
          },
        ]}
      />
      {isLeaving && (
        <Suspense>
          <SignOut onClose={stay} />
        </Suspense>
      )}
    </>
  );
}
