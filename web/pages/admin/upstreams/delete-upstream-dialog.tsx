import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  deleteUpstream,
  type UpstreamDetail,
  upstreamQuery,
  upstreamsQuery,
} from '../../../api/admin-upstreams.ts';
import { type ApiError, toApiError } from '../../../api/api-error.ts';
import { adminCommonText } from '../../../i18n/admin-common-text.ts';
import { adminUpstreamsText } from '../../../i18n/admin-upstreams-text.ts';
import { useText } from '../../../i18n/text.ts';
import { useLeadOn } from '../../../lib/still-here.ts';
import { ErrorState } from '../../../parts/error-state.tsx';
import { paths } from '../../../paths.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';

export function DeleteUpstreamDialog({
  upstream: { id, name },
  onClose,
}: {
  upstream: UpstreamDetail;
  onClose: () => void;
}) {
  const t = useText(adminUpstreamsText);
  const { changeFailed } = useText(adminCommonText);
  const leadOn = useLeadOn();
  const queryClient = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const remove = async () => {
    setBusy(true);
    try {
      await deleteUpstream(id);
    } catch (thrown) {
      setError(toApiError(thrown));
      setBusy(false);
      return;
    }
    // The page is left first: nothing there is to ask for what is gone, nor about what was typed of it.
    await leadOn({ to: paths.upstreams().path, ignoreBlocker: true });
    queryClient.removeQueries({ queryKey: upstreamQuery(id).queryKey });
    await queryClient.invalidateQueries({ queryKey: upstreamsQuery.queryKey });
    await queryClient.invalidateQueries({ queryKey: ['models'] });
  };
  return (
    <ConfirmDialog
      open
      isDanger
      title={t.deleteTitle(name)}
      confirm={t.deleteConfirm}
      typed={{ label: t.deleteTyped(name), expected: name }}
      isBusy={isBusy}
      onClose={onClose}
      onConfirm={() => void remove()}
    >
      <p>{t.deleteText}</p>
      {error && <ErrorState error={error} title={changeFailed} />}
    </ConfirmDialog>
  );
}
