import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  firstTestQuery,
  type KeyTest,
  testUpstream,
  type UpstreamDetail,
  type UpstreamTest,
} from '../../../../api/admin-upstreams.ts';
import { adminCommonText } from '../../../../i18n/admin-common-text.ts';
import { adminUpstreamsText } from '../../../../i18n/admin-upstreams-text.ts';
import { useFormats } from '../../../../i18n/formats.tsx';
import { useText } from '../../../../i18n/text.ts';
import { ErrorState } from '../../../../parts/error-state.tsx';
import { Section } from '../../../../parts/section.tsx';
import { paths } from '../../../../paths.ts';
import { Button } from '../../../../ui/button.tsx';
import { Link } from '../../../../ui/link.tsx';
import { Notice } from '../../../../ui/notice.tsx';
import { faultText } from '../../fault-text.ts';
import { ListDifference } from '../models/list-difference.tsx';
import { KeyChoice } from './key-choice.tsx';

/** Step one: whether it answers at all, with each of its keys. */
export function ListTest({ upstream }: { upstream: UpstreamDetail }) {
  const t = useText(adminUpstreamsText);
  const { changeFailed } = useText(adminCommonText);
  const queryClient = useQueryClient();
  const [key, setKey] = useState('');
  const test = useMutation({
    mutationFn: () => testUpstream(upstream.id, key === '' ? null : key),
    // An answer counts as a check.
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['admin', 'upstreams'] }),
  });
  const first = useQuery(firstTestQuery(upstream.id));
  const shown = test.isIdle ? first.data : test.data;
  return (
    <Section title={t.listTest} text={t.listTestText}>
      <div className="flex flex-wrap items-end gap-3">
        <KeyChoice upstream={upstream} unchosen={t.eachKey} value={key} onChange={setKey} />
        <Button busy={test.isPending} onClick={() => test.mutate()}>
          {t.runListTest}
        </Button>
      </div>
      <div role="status" className="grid gap-3 empty:hidden">
        {shown && <Outcome upstreamId={upstream.id} test={shown} />}
      </div>
      {test.error && <ErrorState error={test.error} title={changeFailed} />}
    </Section>
  );
}

function Outcome({ upstreamId, test }: { upstreamId: string; test: UpstreamTest }) {
  const t = useText(adminUpstreamsText);
  const { keys, added, gone } = test;
  return (
    <>
      {keys.map((each) => (
        <KeyOutcome key={each.name} test={each} isOneOfMany={keys.length > 1} />
      ))}
      {added.length + gone.length > 0 && (
        <div className="grid gap-1 text-label text-text-2">
          <p>
            {t.listDiffers}{' '}
            <Link to={paths.upstream(upstreamId, { tab: 'models' })}>{t.tabs.models}</Link>
          </p>
          <ListDifference added={added} gone={gone} />
        </div>
      )}
    </>
  );
}

function KeyOutcome({ test, isOneOfMany }: { test: KeyTest; isOneOfMany: boolean }) {
  const t = useText(adminUpstreamsText);
  const words = useText(adminCommonText);
  const formats = useFormats();
  const { name, answers, took_ms: ms, models, fault, status, message } = test;
  const took = formats.duration(ms);
  const who = isOneOfMany && name !== null ? t.withKey(name) : '';
  if (answers) return <Notice tone="ok">{`${who}${t.answers(models ?? 0, took)}`}</Notice>;
  return (
    <Notice tone="bad" title={`${who}${t.answersNot(took)}`}>
      {fault !== null && (
        <p>
          {faultText(fault, words)}
          {status !== null && ` · HTTP ${status}`}
        </p>
      )}
      {message !== null && (
        <p>
          {fault !== null && `${t.saidUpstream} `}
          <span translate="no">{message}</span>
        </p>
      )}
    </Notice>
  );
}
