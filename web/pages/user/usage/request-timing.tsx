import type { UsageDetail } from '../../../../shared/console/usage.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { useText } from '../../../i18n/text.ts';
import { usageText } from '../../../i18n/usage-text.ts';
import { FactSection } from '../../../ui/facts.tsx';

/** The duration in its parts, as a line and in numbers. */
export function RequestTiming({ record }: { record: UsageDetail }) {
  const t = useText(usageText);
  const formats = useFormats();
  const { timing, duration_ms: duration } = record;
  if (!timing || duration === null) return null;
  const { waited_ms: waited, upstream_ms: upstream } = timing;
  const parts = [
    { name: t.waited, ms: waited, fill: 'fill-series-3', from: 0 },
    { name: t.upstream, ms: upstream, fill: 'fill-series-1', from: waited },
    {
      name: t.rest,
      ms: Math.max(0, duration - waited - upstream),
      fill: 'fill-series-2',
      from: waited + upstream,
    },
  ];
  const share = (ms: number) => `${duration === 0 ? 0 : (ms / duration) * 100}%`;
  return (
    <FactSection title={t.timing}>
      <svg aria-hidden width="100%" height={10} className="rounded-small">
        <rect width="100%" height={10} className="fill-pressed" />
        {parts.map(({ name, ms, fill, from }) => (
          <rect key={name} x={share(from)} width={share(ms)} height={10} className={fill} />
        ))}
      </svg>
      <dl className="grid gap-1">
        {parts.map(({ name, ms, fill }) => (
          <div key={name} className="flex items-center gap-2">
            <svg width={10} height={10} aria-hidden>
              <rect width={10} height={10} rx={2} className={fill} />
            </svg>
            <dt className="flex-1 text-text-2">{name}</dt>
            <dd className="tabular">{formats.duration(ms)}</dd>
          </div>
        ))}
      </dl>
    </FactSection>
  );
}
