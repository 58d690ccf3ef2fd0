import { useFormats } from '../../../../i18n/formats.tsx';
import { playgroundText } from '../../../../i18n/playground-text.ts';
import { useText } from '../../../../i18n/text.ts';
import { TraceLink } from '../../../../parts/trace-link.tsx';
import { Pill } from '../../../../ui/pill.tsx';
import type { Finished } from '../../../../viewer/finished.ts';
import { usePrices } from '../use-prices.ts';
import { labelOf, useUsedText } from './use-used-text.ts';

/** "Charged $0.0400 · Balance $4.92 · 48.2 s · 1536 × 1024 · PNG 2.1 MB · trace" */
export function Receipt({ finished }: { finished: Finished }) {
  const t = useText(playgroundText);
  const formats = useFormats();
  const price = usePrices();
  const differences = useUsedText();
  const { costMicros, durationMs, used, bytes, traceId, job, run } = finished;
  const isComposited = run !== null && run.madeOf !== null;
  const facts = [
    job && t.balanceNow(formats.spendable(job.state.result.balance)),
    durationMs === null ? null : formats.duration(durationMs),
    labelOf({}, used.size),
    `${labelOf(t.formats, used.output_format)} ${formats.bytes(bytes)}`,
    ...differences(finished),
  ].filter((fact) => fact !== null);
  return (
    // Each fact has its point before it; the first of a line lies outside of what is seen.
    <div data-testid="receipt" className="-mx-1 overflow-x-clip px-1">
      <p className="tabular -ml-4 flex flex-wrap items-center gap-y-0.5 text-label text-text-2 *:pl-4">
        <strong className="font-semibold text-text">
          {isComposited ? <Pill>{t.composited}</Pill> : t.charged(price({ micros: costMicros }))}
        </strong>
        {facts.map((fact) => (
          <span key={fact} className="relative">
            <span aria-hidden className="absolute left-1.5 text-text-3">
              ·
            </span>
            {fact}
          </span>
        ))}
        <span>
          <TraceLink traceId={traceId} />
        </span>
      </p>
    </div>
  );
}
