import { adminCommonText } from '../../../i18n/admin-common-text.ts';
import { adminUpstreamsText } from '../../../i18n/admin-upstreams-text.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { useText } from '../../../i18n/text.ts';
import { formatElapsed } from '../../../lib/time-format.ts';
import { ErrorNote } from '../../../parts/error-note.tsx';
import { Facts } from '../../../ui/facts.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { faultText } from '../fault-text.ts';
import { useElapsed } from './use-elapsed.ts';
import type { ProbeResult, ProbeState } from './use-probe.ts';

/** What is being made and for how long, and what came of each. */
export function ProbeProgress({ state }: { state: ProbeState }) {
  const t = useText(adminUpstreamsText);
  const { phase, operation, results, error } = state;
  return (
    <div className="grid gap-4 empty:hidden">
      {phase === 'running' && <Timer operation={operation} />}
      {results.map((result) => (
        <Result key={result.operation} result={result} />
      ))}
      {error && <ErrorNote error={error} />}
      <div role="status" className="empty:hidden">
        {phase === 'canceled' && <Notice tone="warn">{t.probeCanceled}</Notice>}
        {phase === 'cut' && <Notice tone="bad">{t.probeCut}</Notice>}
        {phase === 'done' && !error && <p className="text-label text-text-2">{t.probeDone}</p>}
      </div>
    </div>
  );
}

function Timer({ operation }: { operation: string | null }) {
  const t = useText(adminUpstreamsText);
  const elapsed = useElapsed(true);
  return (
    <p className="flex items-baseline gap-3">
      <span>{operationWords(operation, t.probing)}</span>
      <span role="timer" className="tabular text-title font-semibold">
        {formatElapsed(elapsed)}
      </span>
    </p>
  );
}

function Result({ result }: { result: ProbeResult }) {
  const t = useText(adminUpstreamsText);
  const words = useText(adminCommonText);
  const formats = useFormats();
  const took = { label: t.latency, value: formats.duration(result.duration_ms) };
  const requestId = {
    label: t.requestId,
    value: result.upstream_request_id && (
      <code className="text-label break-all" translate="no">
        {result.upstream_request_id}
      </code>
    ),
  };
  if (result.type === 'failed') {
    return (
      <Notice tone="bad" title={operationWords(result.operation, t.failedProbe)}>
        <p>
          {faultText(result.fault, words)}
          {result.status !== null && ` · HTTP ${result.status}`}
        </p>
        <p>
          {t.saidUpstream} <span translate="no">{result.message}</span>
        </p>
        {result.possibly_charged && <p>{t.maybeCharged}</p>}
        <Facts facts={[took, requestId]} />
      </Notice>
    );
  }
  return (
    <figure className="grid gap-4 sm:grid-cols-[240px_minmax(0,1fr)]">
      <div className="grid place-items-center bg-mat p-3">
        <img src={result.picture} alt={t.testImage} className="max-h-54 max-w-full" />
      </div>
      <figcaption className="grid content-start gap-2">
        <h3 className="text-body">{operationWords(result.operation, t.made)}</h3>
        <Facts
          facts={[
            took,
            { label: t.bytes, value: `${formats.bytes(result.bytes)}, ${result.format}` },
            { label: t.pixels, value: result.size },
            requestId,
            {
              label: t.warnings,
              value: result.warnings.length > 0 && (
                <span translate="no">{result.warnings.join(', ')}</span>
              ),
            },
          ].map((fact) => ({ ...fact, value: fact.value || null }))}
        />
      </figcaption>
    </figure>
  );
}

function operationWords(operation: string | null, words: { generation: string; edit: string }) {
  return operation === 'edit' ? words.edit : words.generation;
}
