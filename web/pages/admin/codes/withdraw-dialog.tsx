import { useAdminChange } from '../../../api/admin-change.ts';
import { withdrawCodes } from '../../../api/admin-codes.ts';
import { adminCodesText } from '../../../i18n/admin-codes-text.ts';
import { adminCommonText } from '../../../i18n/admin-common-text.ts';
import { useText } from '../../../i18n/text.ts';
import { ErrorState } from '../../../parts/error-state.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';

/** Of one code, or of what is left of a batch. */
export type Withdrawal =
  | { kind: 'code'; id: string; ending: string }
  | { kind: 'batch'; id: string };

export function WithdrawDialog({
  withdrawal,
  onClose,
}: {
  withdrawal: Withdrawal;
  onClose: () => void;
}) {
  const t = useText(adminCodesText);
  const words = useText(adminCommonText);
  const withdrawing = useAdminChange(withdrawCodes);
  const isBatch = withdrawal.kind === 'batch';
  return (
    <ConfirmDialog
      open
      isDanger
      title={isBatch ? t.withdrawBatchTitle : t.withdrawTitle(withdrawal.ending)}
      confirm={isBatch ? t.withdrawBatch : t.withdraw}
      isBusy={withdrawing.isPending}
      onClose={onClose}
      onConfirm={() => withdrawing.mutate(withdrawal.id, { onSuccess: onClose })}
    >
      <p>{isBatch ? t.withdrawBatchText : t.withdrawText}</p>
      {withdrawing.error && <ErrorState error={withdrawing.error} title={words.changeFailed} />}
    </ConfirmDialog>
  );
}
