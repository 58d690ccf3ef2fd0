import type { ResolvedRange } from '../../shared/console/ranges.ts';
import { useFormats } from '../i18n/formats.tsx';
import { useText } from '../i18n/text.ts';
import { uiText } from '../i18n/ui-text.ts';
import { formatDay, zoneLabel } from '../lib/time-format.ts';

/** The days and the zone in force, as the server understood them. */
export function RangeNote({ range }: { range: ResolvedRange }) {
  const t = useText(uiText);
  const formats = useFormats();
  const day = (text: string) => formatDay(text, formats.locale);
  // The end is the first moment that is not of the range.
  const lastMoment = new Date(Date.parse(range.to) - 1);
  return (
    <p className="tabular text-label text-text-2">
      {t.resolvedRange({
        from: day(range.from_day),
        to: day(range.to_day),
        zone: zoneLabel(range.zone, { from: new Date(range.from), to: lastMoment }),
      })}
    </p>
  );
}
