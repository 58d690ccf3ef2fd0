import type { ResolvedRange } from '../../shared/console/ranges.ts';
import { useFormats } from '../i18n/formats.tsx';
import { defaultRange, type RangeState, rangeChanges } from '../lib/range-search.ts';
import { DateRange } from '../ui/date-range.tsx';

export interface RangeFilterProps {
  /** As the page's address has it. */
  state: RangeState;
  /** The days in force, as the server understood them; undefined until it has answered. */
  inForce: ResolvedRange | undefined;
  onChange: (changes: RangeState) => void;
}

/** Chooses the days that a page is about, which its address names. */
export function RangeFilter({ state, inForce, onChange }: RangeFilterProps) {
  const { zone } = useFormats();
  const { range, from, to, tz } = state;
  return (
    <DateRange
      value={{ range, from, to }}
      fallback={defaultRange}
      days={{ from: inForce?.from_day ?? '', to: inForce?.to_day ?? '' }}
      onChange={(chosen) => onChange(rangeChanges(chosen, { tz, zone }))}
    />
  );
}
