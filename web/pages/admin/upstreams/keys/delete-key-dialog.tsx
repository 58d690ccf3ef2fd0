import { useAdminChange } from '../../../../api/admin-change.ts';
import { deleteKey } from '../../../../api/admin-upstreams.ts';
import { adminCommonText } from '../../../../i18n/admin-common-text.ts';
import { adminUpstreamsText } from '../../../../i18n/admin-upstreams-text.ts';
import { useText } from '../../../../i18n/text.ts';
import { ErrorState } from '../../../../parts/error-state.tsx';
import { ConfirmDialog } from '../../../../ui/confirm-dialog.tsx';

export function DeleteKeyDialog({
  upstreamId,
  name,
  onClose,
}: {
  upstreamId: string;
  name: string;
  onClose: () => void;
}) {
  const t = useText(adminUpstreamsText);
  const { changeFailed } = useText(adminCommonText);
  const deletion = useAdminChange(() => deleteKey(upstreamId, name));
  return (
    <ConfirmDialog
      open
      isDanger
      title={t.deleteKeyTitle(name)}
      confirm={t.deleteKeyConfirm}
      isBusy={deletion.isPending}
      onClose={onClose}
      onConfirm={() => deletion.mutate(undefined, { onSuccess: onClose })}
    >
      <p>{t.deleteKeyText}</p>
      {deletion.error && <ErrorState error={deletion.error} title={changeFailed} />}
    </ConfirmDialog>
  );
}
