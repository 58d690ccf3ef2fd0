import type { ReactNode } from 'react';
import type { UpstreamDetail } from '../../../api/admin-upstreams.ts';
import { adminCommonText } from '../../../i18n/admin-common-text.ts';
import { adminUpstreamsText } from '../../../i18n/admin-upstreams-text.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { useText } from '../../../i18n/text.ts';
import { Notice } from '../../../ui/notice.tsx';
import { faultText } from '../fault-text.ts';
import { HealthPill } from '../health-pill.tsx';
import { RelativeTime } from '../relative-time.tsx';

/** How it does, in one line. */
export function UpstreamFacts({ upstream }: { upstream: UpstreamDetail }) {
  const t = useText(adminUpstreamsText);
  const words = useText(adminCommonText);
  const formats = useFormats();
  const { check, in_flight: running, concurrency_max: max, waiting, breaker } = upstream;
  const { attempts_24h: attempts, failed_24h: failed, median_ms_24h: median } = upstream;
  return (
    <div className="grid min-w-0 gap-3">
      <dl className="flex flex-wrap gap-x-8 gap-y-2.5">
        <Part name={t.health}>
          <HealthPill health={upstream.health} />
        </Part>
        <Part name={t.kind}>
          <code className="text-label" translate="no">
            {upstream.kind}
          </code>
        </Part>
        <Part name={t.lastCheck}>
          {check ? <RelativeTime at={check.checked_at} /> : t.neverChecked}
          {check?.fault && (
            <span className="text-bad">
              {' · '}
              {faultText(check.fault, words)}
              {check.status !== null && `, HTTP ${check.status}`}
              {check.failures > 1 && ` · ${t.failures(check.failures)}`}
            </span>
          )}
        </Part>
        <Part name={t.inFlight}>
          {formats.number(running)} / {max === null ? words.unlimited : formats.number(max)}
          {waiting > 0 && ` · ${t.waiting(waiting)}`}
          {breaker !== 'closed' && <span className="text-warn"> · {t.breaker[breaker]}</span>}
        </Part>
        <Part name={t.attempts}>
          {failed > 0 ? t.attemptsOf(failed, attempts) : formats.number(attempts)}
        </Part>
        <Part name={t.median}>{median === null ? t.none : formats.duration(median)}</Part>
      </dl>
      {upstream.disabled_reason !== null && (
        <Notice tone="bad">{t.retired(faultText(upstream.disabled_reason, words))}</Notice>
      )}
    </div>
  );
}

function Part({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-0.5">
      <dt className="text-caption text-text-3">{name}</dt>
      <dd className="tabular">{children}</dd>
    </div>
  );
}
