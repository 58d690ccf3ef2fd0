import { useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { fill } from '../i18n/fill.tsx';
import { shellText } from '../i18n/shell-text.ts';
import { useText } from '../i18n/text.ts';
import { useFocusAfterNavigation } from '../parts/page.tsx';
import { paths } from '../paths.ts';
import { buttonClass } from '../ui/button.tsx';
import { Link } from '../ui/link.tsx';

/** Stands on its own: what was not found may be anywhere, also where nobody is signed in. */
export function NotFoundPage() {
  const address = useMissingAddress();
  // Each address is a page of its own, also to the focus.
  return <Missing key={address} address={address} />;
}

function Missing({ address }: { address: string }) {
  const t = useText(shellText).notFound;
  const heading = useFocusAfterNavigation();
  useEffect(() => {
    document.title = t.title;
  }, [t.title]);
  return (
    <main className="mx-auto grid min-h-dvh max-w-120 content-center justify-items-start gap-3 p-6">
      <h1 ref={heading} tabIndex={-1} className="text-title">
        {t.title}
      </h1>
      <p className="text-text-2">
        {fill(t.text, {
          address: (
            <code className="text-label break-all text-text" translate="no">
              {address}
            </code>
          ),
        })}
      </p>
      <Link to={paths.home()} look="plain" className={buttonClass('secondary')}>
        {t.home}
      </Link>
    </main>
  );
}

/** What was not found; the router's own address is another as soon as somebody leaves for it. */
function useMissingAddress(): string {
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  const isLeaving = useRouterState({ select: ({ isLoading }) => isLoading });
  const [missing, setMissing] = useState(pathname);
  if (!isLeaving && missing !== pathname) setMissing(pathname);
  return missing;
}
