import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAdminChange } from '../../../api/admin-change.ts';
import { enableUpstream, impactQuery, type UpstreamDetail } from '../../../api/admin-upstreams.ts';
import { adminCommonText } from '../../../i18n/admin-common-text.ts';
import { adminUpstreamsText } from '../../../i18n/admin-upstreams-text.ts';
import { useText } from '../../../i18n/text.ts';
import { uiText } from '../../../i18n/ui-text.ts';
import { ErrorState } from '../../../parts/error-state.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { TextInput } from '../../../ui/text-input.tsx';

/** Says which models would lose their last upstream. */
export function DisableUpstreamDialog({
  upstream: { id, name },
  onClose,
}: {
  upstream: UpstreamDetail;
  onClose: () => void;
}) {
  const t = useText(adminUpstreamsText);
  const { listed } = useText(uiText);
  const words = useText(adminCommonText);
  const ui = useText(uiText);
  const [reason, setReason] = useState('');
  const impact = useQuery(impactQuery(id));
  const disabling = useAdminChange(() => enableUpstream(id, { enabled: false, reason }));
  const losing = impact.data ?? [];
  return (
    <ConfirmDialog
      open
      isDanger={losing.length > 0}
      title={t.disableTitle(name)}
      confirm={t.disableConfirm}
      isBusy={disabling.isPending}
      isReady={!impact.isPending}
      onClose={onClose}
      onConfirm={() => disabling.mutate(undefined, { onSuccess: onClose })}
    >
      <p>{t.disableText}</p>
      {impact.isPending && <Skeleton className="h-10" />}
      {impact.data &&
        (losing.length > 0 ? (
          <Notice tone="warn">
            <span translate="no">{t.losing(listed(losing))}</span>
          </Notice>
        ) : (
          <p className="text-text-2">{t.losingNothing}</p>
        ))}
      <Field label={words.reason} help={words.reasonHelp} note={ui.optional}>
        <TextInput value={reason} onChange={setReason} maxLength={500} />
      </Field>
      {impact.error && (
        <ErrorState
          error={impact.error}
          title={t.upstreamFailed}
          onRetry={() => void impact.refetch()}
        />
      )}
      {disabling.error && <ErrorState error={disabling.error} title={words.changeFailed} />}
    </ConfirmDialog>
  );
}
