import { useQuery } from '@tanstack/react-query';
import { type UpstreamDetail, upstreamKindsQuery } from '../../../../api/admin-upstreams.ts';
import { adminUpstreamsText } from '../../../../i18n/admin-upstreams-text.ts';
import { useText } from '../../../../i18n/text.ts';
import { ErrorState } from '../../../../parts/error-state.tsx';
import { Skeleton } from '../../../../ui/skeleton.tsx';
import { KeysSection } from '../keys/keys-section.tsx';
import { ConnectionForm } from './connection-form.tsx';
import { LimitsForm } from './limits-form.tsx';

/** How it is reached: each part is saved on its own. */
export function ConnectionTab({ upstream }: { upstream: UpstreamDetail }) {
  const t = useText(adminUpstreamsText);
  const { data, error, refetch } = useQuery(upstreamKindsQuery);
  const kind = data?.find((each) => each.kind === upstream.kind);
  return (
    <div className="grid items-start gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      {error && (
        <ErrorState error={error} title={t.upstreamFailed} onRetry={() => void refetch()} />
      )}
      {!data && !error && <Skeleton className="h-80 rounded-control" />}
      {kind && <ConnectionForm upstream={upstream} kind={kind} />}
      <div className="grid min-w-0 gap-8">
        {kind?.credential !== 'unused' && (
          <KeysSection upstream={upstream} expected={kind?.credential_form ?? ''} />
        )}
        <LimitsForm upstream={upstream} />
      </div>
    </div>
  );
}
