import { useFormats } from '../../../i18n/formats.tsx';
import { playgroundText } from '../../../i18n/playground-text.ts';
import { useText } from '../../../i18n/text.ts';
import { TraceLink } from '../../../parts/trace-link.tsx';
import type { Finished } from './stage-items.ts';
import { usePrices } from './use-prices.ts';

/** "Charged $0.0400 · Balance $4.92 · 48.2 s · 1536 × 1024 · PNG 2.1 MB · trace" */
export function Receipt({ finished }: { finished: Finished }) {
  const t = useText(playgroundText);
  const formats = useFormats();
  const price = usePrices();
  const { costMicros, durationMs, used, bytes, traceId, job } = finished;
  const facts = [
    job && t.balanceNow(formats.total(job.state.result.balance)),
    durationMs === null ? null : formats.duration(durationMs),
    used.size.replace('x', ' × '),
    `${formatName(used.output_format)} ${formats.bytes(bytes)}`,
    ...differences(finished, t),
  ].filter((fact) => fact !== null);
  return (
    <p
      data-testid="receipt"
      className="tabular flex flex-wrap items-center gap-x-2 gap-y-0.5 text-label text-text-2"
    >
      <strong className="font-semibold text-text">
        {t.charged(price({ micros: costMicros }))}
      </strong>
      {facts.map((fact) => (
        <span key={fact}>
          <span aria-hidden className="pr-2 text-text-3">
            ·
          </span>
          {fact}
        </span>
      ))}
      <TraceLink traceId={traceId} />
    </p>
  );
}

/** What was asked for and not done: nothing of what was left to the model. */
function differences({ asked, used }: Finished, t: Words): readonly string[] {
  const pairs = [
    [t.size, asked.size, used.size],
    [t.quality, asked.quality, used.quality],
    [t.format, asked.output_format ?? 'png', used.output_format],
    [t.background, asked.background, used.background],
  ] as const;
  return pairs.flatMap(([name, wanted, got]) =>
    wanted === undefined || wanted === 'auto' || wanted === got
      ? []
      : [t.usedPair(name, wanted, got)],
  );
}

interface Words {
  size: string;
  quality: string;
  format: string;
  background: string;
  usedPair: (name: string, asked: string, used: string) => string;
}

function formatName(format: string): string {
  return format === 'webp' ? 'WebP' : format.toUpperCase();
}
