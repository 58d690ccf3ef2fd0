import { type ReactNode, useEffect, useState } from 'react';
import { useBootstrap } from '../api/bootstrap.ts';
import { entryText } from '../i18n/entry-text.ts';
import { changeLocale, type Locale, useLocale } from '../i18n/locale.ts';
import { useText } from '../i18n/text.ts';
import { classes } from '../ui/classes.ts';
import { FloatContainer } from '../ui/float-container.tsx';
import { Mark } from '../ui/mark.tsx';
import { Segmented } from '../ui/segmented.tsx';
import { useFocusAfterNavigation } from './page.tsx';

/** A page before the sign-in: a sheet on the mat. */
export function EntryPage({
  title,
  lead,
  footer,
  width = 'narrow',
  children,
}: {
  title: string;
  /** A sentence below the title. */
  lead?: ReactNode;
  /** Links to the other ways in. */
  footer?: ReactNode;
  width?: 'narrow' | 'wide';
  children: ReactNode;
}) {
  const { installation } = useBootstrap();
  const heading = useFocusAfterNavigation();
  const [floats, setFloats] = useState<HTMLElement | null>(null);
  useEffect(() => {
    document.title = `${title} · ${installation.name}`;
  }, [title, installation.name]);
  return (
    <div className="flex min-h-dvh flex-col bg-mat max-sm:bg-surface">
      <main
        ref={setFloats}
        className={classes(
          'w-full border border-line bg-surface px-10 py-9 max-sm:border-0 max-sm:px-5 max-sm:py-6',
          // What is wide changes its height from step to step: its head stays where it is.
          width === 'narrow'
            ? 'sm:m-auto sm:max-w-105'
            : 'sm:mx-auto sm:mt-12 sm:mb-auto sm:max-w-170',
        )}
      >
        {/* What floats is put beside this: as one of its rows it would make the page higher. */}
        <div className="grid gap-6">
          <p className="flex items-center gap-2 text-label font-semibold text-text-2">
            <Mark /> {installation.name}
          </p>
          <div className="grid gap-1.5">
            <h1 ref={heading} tabIndex={-1} className="text-title">
              {title}
            </h1>
            {lead && <p className="text-text-2">{lead}</p>}
          </div>
          <FloatContainer element={floats}>{children}</FloatContainer>
          {footer && (
            <div className="flex flex-wrap gap-x-5 gap-y-1 border-t border-line pt-4 text-label">
              {footer}
            </div>
          )}
        </div>
      </main>
      <footer className="flex justify-center p-4">
        <LanguageChoice />
      </footer>
    </div>
  );
}

const languages: readonly { value: Locale; label: ReactNode }[] = [
  { value: 'en', label: <span lang="en">English</span> },
  { value: 'zh-CN', label: <span lang="zh-CN">简体中文</span> },
];

function LanguageChoice() {
  const t = useText(entryText);
  const locale = useLocale();
  // Its words are loaded first: until then the choice shows what was asked for.
  const [asked, setAsked] = useState<Locale | null>(null);
  return (
    <Segmented
      label={t.language}
      value={asked ?? locale}
      choices={languages}
      onChange={(chosen) => {
        setAsked(chosen);
        void changeLocale(chosen).finally(() => setAsked(null));
      }}
    />
  );
}
