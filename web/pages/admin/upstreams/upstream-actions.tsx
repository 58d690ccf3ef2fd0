import { useState } from 'react';
import { useAdminChange } from '../../../api/admin-change.ts';
import { enableUpstream, type UpstreamDetail } from '../../../api/admin-upstreams.ts';
import { adminCommonText } from '../../../i18n/admin-common-text.ts';
import { adminUpstreamsText } from '../../../i18n/admin-upstreams-text.ts';
import { useText } from '../../../i18n/text.ts';
import { ErrorState } from '../../../parts/error-state.tsx';
import { Button } from '../../../ui/button.tsx';
import { DeleteUpstreamDialog } from './delete-upstream-dialog.tsx';
import { DisableUpstreamDialog } from './disable-upstream-dialog.tsx';

/** To enable is nothing; to disable says first what it costs. */
export function UpstreamActions({ upstream }: { upstream: UpstreamDetail }) {
  const t = useText(adminUpstreamsText);
  const words = useText(adminCommonText);
  const [asking, setAsking] = useState<'disable' | 'delete' | null>(null);
  const enabling = useAdminChange(() => enableUpstream(upstream.id, { enabled: true }));
  const close = () => setAsking(null);
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap gap-2">
        {upstream.enabled ? (
          <Button onClick={() => setAsking('disable')}>{words.disable}</Button>
        ) : (
          <Button busy={enabling.isPending} onClick={() => enabling.mutate(undefined)}>
            {words.enable}
          </Button>
        )}
        <Button
          look="quiet"
          disabledReason={upstream.enabled ? t.disableFirst : null}
          onClick={() => setAsking('delete')}
        >
          {words.delete}
        </Button>
      </div>
      {enabling.error && <ErrorState error={enabling.error} title={words.changeFailed} />}
      {asking === 'disable' && <DisableUpstreamDialog upstream={upstream} onClose={close} />}
      {asking === 'delete' && <DeleteUpstreamDialog upstream={upstream} onClose={close} />}
    </div>
  );
}
