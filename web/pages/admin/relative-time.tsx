import { useFormats } from '../../i18n/formats.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';

/** How long ago, in lists that are looked at again and again; the time itself in the tooltip. */
export function RelativeTime({ at }: { at: string }) {
  const formats = useFormats();
  return (
    <Tooltip text={formats.isoTime(at)}>
      <time dateTime={at} className="tabular whitespace-nowrap">
        {formats.relative(at, Date.now())}
      </time>
    </Tooltip>
  );
}
