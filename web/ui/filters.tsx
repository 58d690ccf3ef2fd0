import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useText } from '../i18n/text.ts';
import { uiText } from '../i18n/ui-text.ts';
import { Button } from './button.tsx';
import { keepFocusAtFilters } from './focus-first-filter.ts';
import { icon } from './icon.ts';

export interface FiltersProps {
  /** Fields with their controls; each has a width of its own (`className="w-40"`). */
  children: ReactNode;
  /** What is set, in words, each with how to take it away. */
  active: readonly ActiveFilter[];
  onClear: () => void;
  /** At the end of the row: an export, for instance. */
  end?: ReactNode;
}

export interface ActiveFilter {
  /** "Model: gen-image-2" */
  label: string;
  onRemove: () => void;
}

/** A row of labelled controls, each of which changes the address at once. */
export function Filters({ children, active, onClear, end }: FiltersProps) {
  const t = useText(uiText);
  return (
    <>
      {active.length > 0 && (
        // On paper nothing else says that not all is there.
        <ul className="hidden flex-wrap gap-x-5 text-label text-text-2 print:flex">
          {active.map(({ label }) => (
            <li key={label}>{label}</li>
          ))}
        </ul>
      )}
      <section aria-label={t.filters} data-filters className="grid gap-3">
        <div className="flex flex-wrap items-end gap-3">
          {children}
          {active.length > 0 && (
            <Button
              look="quiet"
              onClick={(event) => {
                keepFocusAtFilters(event);
                onClear();
              }}
            >
              {t.clear}
            </Button>
          )}
          {end && <div className="ml-auto flex flex-wrap items-end gap-2">{end}</div>}
        </div>
        {active.length > 0 && (
          <ul className="flex flex-wrap gap-2 sm:hidden">
            {active.map(({ label, onRemove }) => (
              <li key={label}>
                <button
                  type="button"
                  aria-label={t.removeFilter(label)}
                  onClick={(event) => {
                    keepFocusAtFilters(event);
                    onRemove();
                  }}
                  className="inline-flex min-h-6 items-center gap-1 rounded-small bg-accent-soft px-2 text-label text-accent pointer-coarse:min-h-11"
                >
                  {label}
                  <X {...icon} size={12} />
                </button>
              </li>
            ))}
          </ul>
        )}
      </section>
    </>
  );
}
