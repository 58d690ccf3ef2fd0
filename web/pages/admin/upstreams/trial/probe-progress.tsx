import { adminCommonText } from '../../../../i18n/admin-common-text.ts';
import { adminUpstreamsText } from '../../../../i18n/admin-upstreams-text.ts';
import { useFormats } from '../../../../i18n/formats.tsx';
import { useText } from '../../../../i18n/text.ts';
import { useObjectUrl } from '../../../../lib/object-url.ts';
import { formatElapsed } from '../../../../lib/time-format.ts';
import { ErrorNote } from '../../../../parts/error-note.tsx';
import { Facts } from '../../../../ui/facts.tsx';
import { Notice } from '../../../../ui/notice.tsx';
import { faultText, warningTexts } from '../../fault-text.ts';
import { useElapsed } from '../../use-elapsed.ts';
import type { MadePicture, ProbeFailure, ProbeResult, ProbeState } from './use-probe.ts';

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
  return result.type === 'made' ? <Made made={result} /> : <Failed failure={result} />;
}

function Failed({ failure }: { failure: ProbeFailure }) {
  const t = useText(adminUpstreamsText);
  const words = useText(adminCommonText);
  const { operation, fault, status, message } = failure;
  return (
    <Notice tone="bad" title={operationWords(operation, t.failedProbe)}>
      <p>
        {faultText(fault, words)}
        {status !== null && ` · HTTP ${status}`}
      </p>
      <p>
        {t.saidUpstream} <span translate="no">{message}</span>
      </p>
      {failure.possibly_charged && <p>{t.maybeCharged}</p>}
      <Facts facts={useSharedFacts(failure)} />
    </Notice>
  );
}

function Made({ made }: { made: MadePicture }) {
  const t = useText(adminUpstreamsText);
  const words = useText(adminCommonText);
  const formats = useFormats();
  const url = useObjectUrl(made.image);
  const { operation, bytes, format, size, warnings } = made;
  return (
    <figure className="grid gap-4 sm:grid-cols-[240px_minmax(0,1fr)]">
      <div className="grid min-h-60 place-items-center bg-mat p-3">
        {url !== null && <img src={url} alt={t.testImage} className="max-h-54 max-w-full" />}
      </div>
      <figcaption className="grid content-start gap-2">
        <h3 className="text-body">{operationWords(operation, t.made)}</h3>
        <Facts
          facts={[
            ...useSharedFacts(made),
            { label: t.bytes, value: `${formats.bytes(bytes)}, ${format}` },
            { label: t.pixels, value: size },
            {
              label: t.warnings,
              value:
                warnings.length === 0
                  ? null
                  : new Intl.ListFormat(formats.locale, { type: 'unit' }).format(
                      warningTexts(warnings, words),
                    ),
            },
          ]}
        />
      </figcaption>
    </figure>
  );
}

function useSharedFacts({ duration_ms: ms, upstream_request_id: id }: ProbeResult) {
  const t = useText(adminUpstreamsText);
  const formats = useFormats();
  return [
    { label: t.latency, value: formats.duration(ms) },
    {
      label: t.upstreamRequest,
      value: id && (
        <code className="text-label break-all" translate="no">
          {id}
        </code>
      ),
    },
  ];
}

function operationWords(operation: string | null, words: { generation: string; edit: string }) {
  return operation === 'edit' ? words.edit : words.generation;
}
