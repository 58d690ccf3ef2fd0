import { useFormats } from '../i18n/formats.tsx';
import { Tooltip } from './tooltip.tsx';

export interface TimeProps {
  /** ISO 8601 in UTC. */
  at: string;
  /** By default the zone of the page's user. */
  zone?: string;
  /** `full` writes the offset as well: for details. */
  look?: 'time' | 'date' | 'full';
}

/** Local, with seconds; the full ISO time with its offset in the tooltip. */
export function Time({ at, zone, look = 'time' }: TimeProps) {
  const formats = useFormats();
  const iso = formats.isoTime(at, zone);
  if (look === 'full') return <time dateTime={at}>{iso}</time>;
  return (
    <Tooltip text={iso}>
      <time dateTime={at} className="tabular whitespace-nowrap">
        {look === 'date' ? formats.date(at, zone) : formats.time(at, zone)}
      </time>
    </Tooltip>
  );
}
