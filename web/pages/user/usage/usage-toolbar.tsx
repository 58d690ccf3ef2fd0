import type { ReactNode } from 'react';
import type { Query } from '../../../api/call-api.ts';
import { useText } from '../../../i18n/text.ts';
import { usageText } from '../../../i18n/usage-text.ts';
import { useSearchState } from '../../../lib/search-state.ts';
import { CsvLink } from '../../../parts/csv-link.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { usageSearch } from './usage-state.ts';

const groups = ['none', 'day', 'model', 'key'] as const;

/** What the table shows, and the same as a file. */
export function UsageToolbar({
  rows,
  query,
  children,
}: {
  rows: number;
  query: Query;
  /** Controls of one kind of table. */
  children?: ReactNode;
}) {
  const t = useText(usageText);
  const [{ group = 'none' }, change] = useSearchState(usageSearch);
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <Segmented
        label={t.group}
        value={group}
        choices={groups.map((value) => ({ value, label: t.groups[value] }))}
        onChange={(chosen) =>
          change({ group: chosen === 'none' ? undefined : chosen, cursor: undefined })
        }
      />
      <div className="flex flex-wrap items-center gap-2">
        {children}
        <CsvLink path="/usage.csv" query={query} rows={rows} />
      </div>
    </div>
  );
}
