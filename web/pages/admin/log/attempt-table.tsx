import type { LogDetail } from '../../../../shared/console/admin-log.ts';
import { adminCommonText } from '../../../i18n/admin-common-text.ts';
import { adminLogText } from '../../../i18n/admin-log-text.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { useText } from '../../../i18n/text.ts';
import { classes } from '../../../ui/classes.ts';
import { FactSection } from '../../../ui/facts.tsx';
import { markScrollEdges } from '../../../ui/scroll-edges.ts';
import { faultText, skipText, warningTexts } from '../fault-text.ts';
import { UpstreamLink } from '../upstream-link.tsx';

type Attempt = LogDetail['attempt_list'][number];

/** Which upstreams were called one after the other, and which were passed over. */
export function AttemptTable({ record }: { record: LogDetail }) {
  const t = useText(adminLogText);
  const { attempt_list: attempts, started_at: begun, images_requested: pictures } = record;
  if (attempts.length === 0) {
    return (
      <FactSection title={t.route}>
        <p className="text-text-2">{t.noAttempts}</p>
      </FactSection>
    );
  }
  return (
    <FactSection title={t.route}>
      <div
        ref={markScrollEdges}
        role="region"
        aria-label={t.route}
        tabIndex={0}
        className="fade-edges overflow-x-auto"
      >
        <table className="w-full border-collapse text-left text-label">
          <thead className="text-text-2">
            <tr className="border-b border-line">
              {pictures > 1 && <Head title={t.picture} />}
              <Head title={t.attempt} />
              <Head title={t.upstream} />
              <Head title={t.began} isEnd />
              <Head title={t.took} isEnd />
              <Head title={t.outcome} />
            </tr>
          </thead>
          <tbody>
            {attempts.map((attempt) => (
              <Row
                // Two pictures may have a first try each, and one may be passed over twice.
                key={`${attempt.picture} ${attempt.attempt} ${attempt.upstream} ${attempt.upstream_model} ${attempt.started_at}`}
                attempt={attempt}
                begun={begun}
                hasPicture={pictures > 1}
              />
            ))}
          </tbody>
        </table>
      </div>
    </FactSection>
  );
}

function Head({ title, isEnd = false }: { title: string; isEnd?: boolean }) {
  return (
    <th
      scope="col"
      className={classes('py-1 pr-4 font-normal whitespace-nowrap', isEnd && 'text-right')}
    >
      {title}
    </th>
  );
}

function Row({
  attempt,
  begun,
  hasPicture,
}: {
  attempt: Attempt;
  begun: string;
  hasPicture: boolean;
}) {
  const t = useText(adminLogText);
  const formats = useFormats();
  const { attempt: number, upstream, upstream_model: entry, key, duration_ms: took } = attempt;
  const isCalled = number > 0;
  const afterMs = Math.max(0, Date.parse(attempt.started_at) - Date.parse(begun));
  return (
    <tr className={classes('border-b border-line align-top', !isCalled && 'text-text-3')}>
      {hasPicture && <td className="tabular py-1.5 pr-4">{formats.number(attempt.picture)}</td>}
      <td className="tabular py-1.5 pr-4">{isCalled ? formats.number(number) : t.none}</td>
      <td className="py-1.5 pr-4">
        <UpstreamLink name={upstream} />
        <code className="block text-caption wrap-anywhere" translate="no">
          {entry}
          {key !== null && ` · ${key}`}
        </code>
      </td>
      <td className="tabular py-1.5 pr-4 text-right whitespace-nowrap">
        {isCalled ? t.after(formats.duration(afterMs, { isInColumn: true })) : ''}
      </td>
      <td className="tabular py-1.5 pr-4 text-right whitespace-nowrap">
        {isCalled ? formats.duration(took, { isInColumn: true }) : ''}
      </td>
      <td className="py-1.5">
        <Outcome attempt={attempt} />
      </td>
    </tr>
  );
}

function Outcome({ attempt }: { attempt: Attempt }) {
  const t = useText(adminLogText);
  const formats = useFormats();
  const words = useText(adminCommonText);
  const { fault, skipped, status, upstream_code: code, upstream_param: param, warnings } = attempt;
  if (skipped !== null) return <>{t.skipped(skipText(skipped, words))}</>;
  return (
    <>
      <span className={fault === null ? 'text-ok' : 'text-bad'}>
        {fault === null ? t.success : faultText(fault, words)}
      </span>
      {status !== null && <span className="text-text-2"> · HTTP {status}</span>}
      {code !== null && (
        <code className="block text-caption break-all" translate="no">
          {code}
        </code>
      )}
      {param !== null && (
        <code className="block text-caption break-all" translate="no">
          {param}
        </code>
      )}
      {attempt.queued_behind !== null && (
        <span className="block text-text-2">{t.queuedBehind(attempt.queued_behind)}</span>
      )}
      {attempt.upstream_request_id !== null && (
        <code className="block text-caption break-all text-text-2" translate="no">
          {attempt.upstream_request_id}
        </code>
      )}
      {attempt.possibly_charged && fault !== null && (
        <span className="block text-warn">{t.maybeCharged}</span>
      )}
      {warnings.length > 0 && (
        <span className="block text-text-2">
          {new Intl.ListFormat(formats.locale, { type: 'unit' }).format(
            warningTexts(warnings, words),
          )}
        </span>
      )}
    </>
  );
}
