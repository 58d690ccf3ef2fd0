import { ArrowLeft } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useBootstrap } from '../api/bootstrap.ts';
import { shellText } from '../i18n/shell-text.ts';
import { useText } from '../i18n/text.ts';
import type { Target } from '../paths.ts';
import { TopBar } from '../shell/top-bar.tsx';
import { classes } from '../ui/classes.ts';
import { FloatContainer } from '../ui/float-container.tsx';
import { icon } from '../ui/icon.ts';
import { Link } from '../ui/link.tsx';

export interface PageProps {
  title: string;
  /** Which of its parts is shown, where it has several: for the browser's tabs and history. */
  part?: string | undefined;
  /** One level up; a detail page has it. */
  back?: { to: Target; label: string };
  /** Buttons for the page as a whole. */
  actions?: ReactNode;
  /** `reading` for forms and text, `full` without any margin. */
  width?: 'wide' | 'reading' | 'full';
  children: ReactNode;
}

/** A page of the console behind the sign-in: its title in the top bar, and its content. */
export function Page({ title, part, back, actions, width = 'wide', children }: PageProps) {
  const t = useText(shellText);
  const { installation } = useBootstrap();
  const heading = useFocusAfterNavigation();
  const [floats, setFloats] = useState<HTMLElement | null>(null);
  useEffect(() => {
    document.title = [...(part === undefined ? [] : [part]), title, installation.name].join(' · ');
  }, [part, title, installation.name]);
  return (
    <FloatContainer element={floats}>
      <TopBar>
        {back && (
          <Link
            to={back.to}
            look="plain"
            aria-label={t.back(back.label)}
            className="fade pointer-coarse:min-h-11 -ml-1 grid size-8 shrink-0 place-items-center rounded-control text-text-2 hover:bg-hover hover:text-text"
          >
            <ArrowLeft {...icon} />
          </Link>
        )}
        <h1
          ref={heading}
          tabIndex={-1}
          className="truncate text-title max-sm:text-body max-sm:leading-7"
        >
          {title}
        </h1>
      </TopBar>
      <main id="content" tabIndex={-1} className="flex min-w-0 flex-1 flex-col">
        <div className={classes('min-w-0', widths[width])}>
          {actions && <div className="flex flex-wrap justify-end gap-2">{actions}</div>}
          {children}
        </div>
        <div ref={setFloats} />
      </main>
    </FloatContainer>
  );
}

const roomy =
  'grid w-full grid-cols-[minmax(0,1fr)] content-start gap-5 p-5 max-sm:gap-4 max-sm:p-4';

const widths = {
  wide: classes(roomy, 'max-w-360'),
  reading: classes(roomy, 'max-w-190'),
  full: 'flex flex-1 flex-col',
} as const;

/** The first page of a visit leaves the focus where browsers put it. */
let isFirstPage = true;

/** Whoever cannot see the page hears its title, and goes on from there. */
export function useFocusAfterNavigation() {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // Somebody may have opened a dialog while the page was loaded: they go on there.
    const isInDialog = document.activeElement?.closest('[role="dialog"]:not([data-closed])');
    if (!isFirstPage && !isInDialog) heading.current?.focus({ preventScroll: true });
    isFirstPage = false;
  }, []);
  return heading;
}
