import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type ProbePlan,
  probePlanQuery,
  type UpstreamDetail,
} from '../../../../api/admin-upstreams.ts';
import { adminUpstreamsText } from '../../../../i18n/admin-upstreams-text.ts';
import { useFormats } from '../../../../i18n/formats.tsx';
import { useText } from '../../../../i18n/text.ts';
import { uiText } from '../../../../i18n/ui-text.ts';
import { ErrorState } from '../../../../parts/error-state.tsx';
import { Section } from '../../../../parts/section.tsx';
import { Button } from '../../../../ui/button.tsx';
import { Checkbox } from '../../../../ui/checkbox.tsx';
import { Field } from '../../../../ui/field.tsx';
import { Notice } from '../../../../ui/notice.tsx';
import { Select } from '../../../../ui/select.tsx';
import { Skeleton } from '../../../../ui/skeleton.tsx';
import { KeyChoice } from './key-choice.tsx';
import { ProbeProgress } from './probe-progress.tsx';
import { useProbe } from './use-probe.ts';

/** Step two: real images, for money. */
export function ProbeTest({ upstream }: { upstream: UpstreamDetail }) {
  const t = useText(adminUpstreamsText);
  const entries = upstream.model_list.filter(({ gone_at }) => gone_at === null);
  const first = entries.find(({ serves }) => serves.length > 0) ?? entries[0];
  const [entry, setEntry] = useState(first?.upstream_model ?? '');
  const [key, setKey] = useState('');
  // Once, and to nothing else: another test, or a plan that has become another one, asks anew.
  const [agreed, setAgreed] = useState<string | null>(null);
  const plan = useQuery(probePlanQuery(upstream.id, entry));
  const planned = plan.data ? JSON.stringify(plan.data) : null;
  const isAgreed = planned !== null && agreed === planned;
  const { state, run, cancel } = useProbe();
  const isRunning = state.phase === 'running';
  const isNothing = plan.data?.operations.length === 0;
  return (
    <Section title={t.probe} text={t.probeText}>
      {entries.length === 0 ? (
        <p className="text-text-2">{t.listEmpty}</p>
      ) : (
        <>
          <div className="flex flex-wrap items-end gap-3">
            <Field label={t.probeEntry} className="w-72 max-sm:w-full">
              <Select
                value={entry}
                disabled={isRunning}
                choices={entries.map(({ upstream_model: value }) => ({ value, label: value }))}
                onChange={setEntry}
              />
            </Field>
            <KeyChoice upstream={upstream} unchosen={t.firstKey} value={key} onChange={setKey} />
          </div>
          {plan.data && <Plan plan={plan.data} />}
          {plan.isPending && <Skeleton className="h-14" />}
          {plan.error && (
            <ErrorState
              error={plan.error}
              title={t.upstreamFailed}
              onRetry={() => void plan.refetch()}
            />
          )}
          <Checkbox
            label={t.agree}
            checked={isAgreed}
            disabled={planned === null || isRunning}
            onChange={(isOn) => setAgreed(isOn ? planned : null)}
          />
          <div className="flex flex-wrap items-center gap-3">
            <Button
              busy={isRunning}
              disabledReason={
                isNothing ? t.planNothing : isAgreed || isRunning ? null : t.agreeFirst
              }
              onClick={() => {
                setAgreed(null);
                void run({
                  upstreamId: upstream.id,
                  upstreamModel: entry,
                  key: key === '' ? null : key,
                });
              }}
            >
              {t.runProbe}
            </Button>
            {isRunning && <Button onClick={cancel}>{t.cancelProbe}</Button>}
          </div>
          <ProbeProgress state={state} />
        </>
      )}
    </Section>
  );
}

function Plan({ plan }: { plan: ProbePlan }) {
  const t = useText(adminUpstreamsText);
  const { sentences } = useText(uiText);
  const formats = useFormats();
  const { operations, quality, size, limit_ms: limit, upstream } = plan;
  if (operations.length === 0) return <Notice tone="warn">{t.planNothing}</Notice>;
  const words = operations.map((operation) => t.planOperations[operation]);
  const list = new Intl.ListFormat(formats.locale).format(words);
  return (
    <Notice tone="warn" title={t.planCost({ upstream, count: operations.length })}>
      <p>
        {sentences([t.planOf({ what: list, quality, size }), t.planLimit(formats.duration(limit))])}
      </p>
    </Notice>
  );
}
