import { useQuery } from '@tanstack/react-query';
import { type PriceChange, previewPrices } from '../../../api/admin-models.ts';
import { adminCommonText } from '../../../i18n/admin-common-text.ts';
import { adminModelsText } from '../../../i18n/admin-models-text.ts';
import { useText } from '../../../i18n/text.ts';
import { ErrorState } from '../../../parts/error-state.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { PriceChanges } from './price-changes.tsx';

export interface PriceDialogProps {
  models: readonly string[];
  /** Decimal. */
  price: string;
  confirm: string;
  isBusy: boolean;
  /** What went wrong with the change itself. */
  error: Error | null;
  onConfirm: (changes: readonly PriceChange[]) => void;
  onClose: () => void;
}

/** Nobody changes a price by a slip: what it was and what it becomes is shown first. */
export function PriceDialog(props: PriceDialogProps) {
  const { models, price, confirm, isBusy, error, onConfirm, onClose } = props;
  const t = useText(adminModelsText);
  const { changeFailed } = useText(adminCommonText);
  const preview = useQuery({
    queryKey: ['admin', 'price-preview', models, price],
    queryFn: () => previewPrices(models, price),
    staleTime: 0,
    gcTime: 0,
  });
  const { data } = preview;
  return (
    <ConfirmDialog
      open
      title={t.confirmPriceTitle}
      confirm={confirm}
      isBusy={isBusy}
      isReady={!preview.isPending}
      refusal={preview.error ? t.modelFailed : null}
      onClose={onClose}
      onConfirm={() => {
        if (data) onConfirm(data);
      }}
    >
      {data && <PriceChanges changes={data} />}
      {preview.isPending && <Skeleton className="h-14" />}
      <p className="text-text-2">{t.keepsOld}</p>
      {preview.error && (
        <ErrorState
          error={preview.error}
          title={t.modelFailed}
          onRetry={() => void preview.refetch()}
        />
      )}
      {error !== null && <ErrorState error={error} title={changeFailed} />}
    </ConfirmDialog>
  );
}
