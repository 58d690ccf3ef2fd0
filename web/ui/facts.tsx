import type { ReactNode } from 'react';

export interface Fact {
  label: string;
  /** Null and undefined leave the fact out. */
  value: ReactNode;
}

/** What is known of one thing, name by name. */
export function Facts({ facts, label }: { facts: readonly Fact[]; label?: string }) {
  return (
    <dl
      {...(label ? { 'aria-label': label } : {})}
      className="grid grid-cols-[minmax(104px,auto)_minmax(0,1fr)] gap-x-6 gap-y-1.5"
    >
      {facts.map(({ label: name, value }) =>
        value === null || value === undefined ? null : (
          <div key={name} className="col-span-2 grid grid-cols-subgrid">
            <dt className="text-text-2">{name}</dt>
            <dd className="tabular min-w-0 break-words">{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}

/** A part of a record, with its title. */
export function FactSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid gap-2 border-t border-line pt-4">
      <h2 className="text-body">{title}</h2>
      {children}
    </section>
  );
}
