import { Dialog } from '@base-ui/react/dialog';
import { Outlet, useMatches, useRouter } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { Suspense, useEffect, useMemo, useState } from 'react';
import { useUser } from '../api/bootstrap.ts';
import { useSessionNews } from '../api/session-news.ts';
import { shellText } from '../i18n/shell-text.ts';
import { useText } from '../i18n/text.ts';
import { lazyPart } from '../parts/lazy-part.tsx';
import { FloatContainer } from '../ui/float-container.tsx';
import { icon } from '../ui/icon.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { PageBoundary } from './broken-page.tsx';
import { ForbiddenPage } from './forbidden-page.tsx';
import { usePreferencesInForce } from './preferences-in-force.ts';
import { SessionDialog } from './session-dialog.tsx';
import { type ShellActions, ShellActionsContext } from './shell-actions.ts';
import { Sidebar } from './sidebar.tsx';
import { useShellShortcuts } from './use-shell-shortcuts.ts';

const JobsKeeper = lazyPart(
  async () => (await import('../jobs/jobs-keeper.tsx')).JobsKeeper,
  'unseen',
);
const Palette = lazyPart(async () => (await import('./palette.tsx')).Palette, 'over');
const ShortcutsDialog = lazyPart(
  async () => (await import('./shortcuts-dialog.tsx')).ShortcutsDialog,
  'over',
);

/** The frame of every page behind the sign-in. */
export function Shell() {
  const t = useText(shellText);
  const [open, setOpen] = useState<'menu' | 'palette' | 'shortcuts' | null>(null);
  const actions = useMemo<ShellActions>(
    () => ({
      openMenu: () => setOpen('menu'),
      openPalette: () => setOpen('palette'),
      openShortcuts: () => setOpen('shortcuts'),
    }),
    [],
  );
  const [aside, setAside] = useState<HTMLElement | null>(null);
  const close = () => setOpen(null);
  const router = useRouter();
  // Whoever goes back leaves what is over the page as well.
  useEffect(
    () =>
      router.subscribe('onBeforeNavigate', ({ pathChanged }) => {
        if (pathChanged) setOpen(null);
      }),
    [router],
  );
  useShellShortcuts(actions);
  useSessionNews();
  usePreferencesInForce();
  return (
    <ShellActionsContext value={actions}>
      <a
        href="#content"
        className="sr-only rounded-control bg-ink px-3 py-2 text-on-ink focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50"
      >
        {t.skipToContent}
      </a>
      <div className="grid min-h-[calc(100dvh-var(--notices-height))] grid-cols-[224px_minmax(0,1fr)] max-md:grid-cols-[minmax(0,1fr)]">
        <aside className="border-r border-line bg-sunken max-md:hidden">
          <div ref={setAside} className="sticky top-0 h-[calc(100dvh-var(--notices-height))]">
            <FloatContainer element={aside}>
              <Sidebar />
            </FloatContainer>
          </div>
        </aside>
        <div className="flex min-w-0 flex-col">
          <AllowedPage />
        </div>
      </div>
      <Drawer isOpen={open === 'menu'} onClose={close} />
      <Suspense>
        {open === 'palette' && <Palette onClose={close} />}
        {open === 'shortcuts' && <ShortcutsDialog onClose={close} />}
      </Suspense>
      <SessionDialog />
      <Suspense>
        <JobsKeeper />
      </Suspense>
    </ShellActionsContext>
  );
}

/** The page, unless it needs a right that the user has not; the server would refuse as well. */
function AllowedPage() {
  const { rights } = useUser();
  const matches = useMatches();
  const missing = matches
    .map(({ staticData }) => staticData.right)
    .find((right) => right !== undefined && !rights.includes(right));
  if (missing !== undefined) return <ForbiddenPage />;
  return (
    <PageBoundary>
      <Outlet />
    </PageBoundary>
  );
}

/** The sidebar, where there is no room for it. */
function Drawer({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const t = useText(shellText);
  const [popup, setPopup] = useState<HTMLElement | null>(null);
  return (
    <Dialog.Root open={isOpen} onOpenChange={(stays) => (stays ? undefined : onClose())}>
      <Dialog.Portal>
        <Dialog.Backdrop className="appear fixed inset-0 z-30 bg-scrim" />
        <Dialog.Popup
          ref={setPopup}
          aria-label={t.navigation}
          className="appear fixed inset-y-0 left-0 z-40 w-[min(280px,85vw)] border-r border-line bg-sunken text-text"
        >
          <FloatContainer element={popup}>
            <Sidebar onLeave={onClose} />
            <div className="absolute top-3 right-3 pointer-coarse:top-1.5 pointer-coarse:right-1.5">
              <Dialog.Close render={<IconButton label={t.closeMenu} icon={<X {...icon} />} />} />
            </div>
          </FloatContainer>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
