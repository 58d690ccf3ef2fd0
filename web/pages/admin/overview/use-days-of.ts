import type { OverviewView } from '../../../../shared/console/admin-overview.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { dayOf } from '../../../lib/buckets.ts';

/** The days that the last 24 hours touch, as the log's address names them. */
export function useDaysOf({ from, to }: Pick<OverviewView, 'from' | 'to'>) {
  const { zone } = useFormats();
  return { from: dayOf(from, zone), to: dayOf(to, zone), tz: zone };
}
