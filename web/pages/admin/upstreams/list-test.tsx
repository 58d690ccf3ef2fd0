import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import {
  testUpstream,
  type UpstreamDetail,
  type UpstreamTest,
} from '../../../api/admin-upstreams.ts';
import { adminCommonText } from '../../../i18n/admin-common-text.ts';
import { adminUpstreamsText } from '../../../i18n/admin-upstreams-text.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { useText } from '../../../i18n/text.ts';
import { ErrorState } from '../../../parts/error-state.tsx';
import { Section } from '../../../parts/section.tsx';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { faultText } from '../fault-text.ts';
import { KeyChoice } from './key-choice.tsx';

/** Step one: whether it answers at all. */
export function ListTest({ upstream }: { upstream: UpstreamDetail }) {
  const t = useText(adminUpstreamsText);
  const { changeFailed } = useText(adminCommonText);
  const [key, setKey] = useState('');
  const test = useMutation({
    mutationFn: () =>
      testUpstream(upstream.id, key === '' ? null : key, new AbortController().signal),
  });
  return (
    <Section title={t.listTest} text={t.listTestText}>
      <div className="flex flex-wrap items-end gap-3">
        <KeyChoice upstream={upstream} value={key} onChange={setKey} />
        <Button busy={test.isPending} onClick={() => test.mutate()}>
          {t.runListTest}
        </Button>
      </div>
      <div role="status" className="empty:hidden">
        {test.data && <Outcome test={test.data} />}
      </div>
      {test.error && <ErrorState error={test.error} title={changeFailed} />}
    </Section>
  );
}

function Outcome({ test }: { test: UpstreamTest }) {
  const t = useText(adminUpstreamsText);
  const words = useText(adminCommonText);
  const formats = useFormats();
  const took = formats.duration(test.took_ms);
  if (test.answers) return <Notice tone="ok">{t.answers(test.models ?? 0, took)}</Notice>;
  return (
    <Notice tone="bad" title={t.answersNot(took)}>
      {test.fault !== null && (
        <p>
          {faultText(test.fault, words)}
          {test.status !== null && ` · HTTP ${test.status}`}
        </p>
      )}
      {test.message !== null && (
        <p>
          {t.saidUpstream} <span translate="no">{test.message}</span>
        </p>
      )}
    </Notice>
  );
}
