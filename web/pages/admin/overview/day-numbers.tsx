import type { OverviewView } from '../../../../shared/console/admin-overview.ts';
import { adminOverviewText } from '../../../i18n/admin-overview-text.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { useText } from '../../../i18n/text.ts';
import { paths } from '../../../paths.ts';
import { StatStrip } from '../../../ui/stat-strip.tsx';
import { useDaysOf } from './use-days-of.ts';

/** Four numbers of the last 24 hours. */
export function DayNumbers({ overview }: { overview: OverviewView }) {
  const t = useText(adminOverviewText);
  const formats = useFormats();
  const days = useDaysOf(overview);
  const { requests, running, succeeded, success_rate: rate, spend } = overview;
  const { median_ms: median, p90_ms: p90 } = overview;
  return (
    <StatStrip
      label={t.last24h}
      stats={[
        {
          label: t.requests,
          value: formats.number(requests),
          note: running > 0 ? t.running(running) : t.last24h,
          to: paths.log(days),
        },
        {
          label: t.successRate,
          value: rate === null ? t.nothing : formats.percent(rate),
          note: t.successNote(succeeded),
          to: paths.log({ ...days, status: 'failed' }),
        },
        { label: t.spend, value: spend ? formats.total(spend) : t.nothing, note: t.spendNote },
        {
          label: t.duration,
          value: median === null ? t.nothing : formats.duration(median),
          note: p90 === null ? t.nothing : t.p90(formats.duration(p90)),
        },
      ]}
    />
  );
}
