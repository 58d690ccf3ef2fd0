import { useEffect, useState } from 'react';
import { useFormats } from '../../i18n/formats.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';

/** How long ago, in lists that are looked at again and again; the time itself in the tooltip. */
export function RelativeTime({ at }: { at: string }) {
  const formats = useFormats();
  const now = useMinutes();
  return (
    <Tooltip text={formats.isoTime(at)}>
      <time dateTime={at} className="tabular whitespace-nowrap">
        {formats.relative(at, now)}
      </time>
    </Tooltip>
  );
}

const everyMs = 60_000;

/** The time, looked at again every minute. */
function useMinutes(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, []);
  return now;
}
