import { Menu as MenuPicture, Search } from 'lucide-react';
import type { ReactNode } from 'react';
import { useBootstrap, useUser } from '../api/bootstrap.ts';
import { useFormats } from '../i18n/formats.tsx';
import { shellText } from '../i18n/shell-text.ts';
import { useText } from '../i18n/text.ts';
import { modifierKey } from '../lib/modifier-key.ts';
import { useRunningJobs } from '../lib/running-jobs.ts';
import { paths } from '../paths.ts';
import { icon } from '../ui/icon.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { Link } from '../ui/link.tsx';
import { Tooltip } from '../ui/tooltip.tsx';
import { useShellActions } from './shell-actions.ts';

/** Title at the left; balance, running requests and search at the right. */
export function TopBar({ children }: { children: ReactNode }) {
  const t = useText(shellText);
  const { openMenu, openPalette } = useShellActions();
  return (
    <header className="sticky top-0 z-20 flex min-h-12 items-center gap-2 border-b border-line bg-bg px-5 max-sm:px-4">
      <div className="flex min-w-0 flex-1 items-center gap-1">{children}</div>
      <PrintedFor />
      <RunningJobs />
      <Balance />
      <button
        type="button"
        onClick={openPalette}
        className="fade pointer-coarse:min-h-11 flex min-h-8 items-center gap-2 rounded-control border border-line px-2.5 text-label text-text-2 hover:bg-hover hover:text-text max-md:hidden"
      >
        <Search {...icon} />
        {t.search}
        <kbd className="text-caption text-text-3 pointer-coarse:hidden">{modifierKey()} K</kbd>
      </button>
      <span className="md:hidden">
        <IconButton label={t.openMenu} icon={<MenuPicture {...icon} />} onClick={openMenu} />
      </span>
    </header>
  );
}

/** On paper, where nothing else says whose it is. */
function PrintedFor() {
  const { installation } = useBootstrap();
  const { email } = useUser();
  return (
    <p data-print className="hidden text-label text-text-2 print:block" translate="no">
      {installation.name} · {email}
    </p>
  );
}

function RunningJobs() {
  const t = useText(shellText);
  const running = useRunningJobs();
  if (running === 0) return null;
  return (
    <Link
      to={paths.playground()}
      look="plain"
      className="tabular flex min-h-6 items-center gap-1.5 rounded-small bg-accent-soft px-2 text-label text-accent"
    >
      {t.running(running)}
    </Link>
  );
}

/** Rounded down, so that it never promises more than there is; exactly in the tooltip. */
function Balance() {
  const t = useText(shellText);
  const formats = useFormats();
  const { wallet } = useUser();
  const shown = formats.spendable(wallet.available);
  return (
    <Tooltip text={t.exactBalance(formats.total(wallet.available))} side="bottom">
      <Link
        to={paths.wallet()}
        look="plain"
        aria-label={t.balance(shown)}
        className="tabular fade pointer-coarse:min-h-11 inline-flex min-h-8 items-center rounded-control px-2 font-semibold hover:bg-hover"
      >
        {shown}
      </Link>
    </Tooltip>
  );
}
