import type { ReactNode } from 'react';

/** A part of a page with its title, and what can be done to it. */
export function Section({
  title,
  text,
  actions,
  children,
}: {
  title: string;
  /** A sentence below the title. */
  text?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className="grid min-w-0 content-start gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <h2 className="text-body">{title}</h2>
          {text && <p className="max-w-[72ch] text-label text-text-2">{text}</p>}
        </div>
        {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </div>
      {children}
    </section>
  );
}
