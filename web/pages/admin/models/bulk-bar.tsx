import { useState } from 'react';
import type { AdminModel } from '../../../../shared/console/admin-models.ts';
import { parseAmount } from '../../../../shared/money.ts';
import { useAdminChange } from '../../../api/admin-change.ts';
import { changeModels, type ModelsAction } from '../../../api/admin-models.ts';
import { adminCommonText } from '../../../i18n/admin-common-text.ts';
import { adminModelsText } from '../../../i18n/admin-models-text.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { useText } from '../../../i18n/text.ts';
import { uiText } from '../../../i18n/ui-text.ts';
import { ErrorState } from '../../../parts/error-state.tsx';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Field } from '../../../ui/field.tsx';
import { MoneyInput } from '../../../ui/money-input.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useFocusInPlace } from '../../../ui/use-focus-in-place.ts';
import { PriceDialog } from './price-dialog.tsx';

type Step = 'enable' | 'disable' | 'price' | { price: string };

interface BulkBarProps {
  models: readonly AdminModel[];
  onDone: () => void;
}

/** What can be done to several models at once; all of it or nothing is. */
export function BulkBar(props: BulkBarProps) {
  return props.models.length > 0 && <Bar {...props} />;
}

function Bar({ models, onDone }: BulkBarProps) {
  const t = useText(adminModelsText);
  const words = useText(adminCommonText);
  const formats = useFormats();
  const toast = useToast();
  const [step, setStep] = useState<Step | null>(null);
  const bar = useFocusInPlace<HTMLDivElement>();
  const ids = models.map(({ id }) => id);
  const { mutateAsync, isPending, error, reset } = useAdminChange((action: ModelsAction) =>
    changeModels(ids, action),
  );
  const count = ids.length;
  const close = () => {
    reset();
    setStep(null);
  };
  const tellDone = ({ changed }: { changed: number }) => {
    close();
    onDone();
    toast({ title: t.bulkDone(changed) });
  };
  // Told also when none of them is in the list any more, and this bar is gone with the last. The dialog shows the `error`.
  const run = (action: ModelsAction) => mutateAsync(action).then(tellDone, () => {});
  const failure = error && <ErrorState error={error} title={words.changeFailed} />;
  return (
    <div
      ref={bar}
      role="region"
      aria-label={t.selected(count)}
      className="flex flex-wrap items-center gap-2 rounded-control bg-accent-soft px-3 py-2"
    >
      <span className="mr-auto">{t.selected(count)}</span>
      <Button onClick={() => setStep('enable')}>{words.enable}</Button>
      <Button onClick={() => setStep('disable')}>{words.disable}</Button>
      <Button onClick={() => setStep('price')}>{t.setPrice}</Button>
      <Button look="quiet" onClick={onDone}>
        {t.clear}
      </Button>
      {(step === 'enable' || step === 'disable') && (
        <ConfirmDialog
          open
          title={t.bulkTitle[step](count)}
          confirm={t.bulkConfirm[step](count)}
          isBusy={isPending}
          onClose={close}
          onConfirm={() => void run({ kind: step })}
        >
          <p>{t.bulkText[step]}</p>
          {failure}
        </ConfirmDialog>
      )}
      {step === 'price' && <AmountDialog onClose={close} onNext={(price) => setStep({ price })} />}
      {step !== null && typeof step === 'object' && (
        <PriceDialog
          models={ids}
          price={step.price}
          confirm={t.confirmPrices(count, formats.price({ micros: parseAmount(step.price) ?? 0 }))}
          isBusy={isPending}
          error={error}
          onClose={close}
          onConfirm={(changes) =>
            // The prices that were shown as the old ones: another one in between is refused.
            void run({
              kind: 'set_price',
              price: step.price,
              confirmed_from: Object.fromEntries(
                changes.map(({ model, from }) => [model, from?.text ?? null]),
              ),
            })
          }
        />
      )}
    </div>
  );
}

function AmountDialog({
  onNext,
  onClose,
}: {
  onNext: (price: string) => void;
  onClose: () => void;
}) {
  const t = useText(adminModelsText);
  const words = useText(adminCommonText);
  const ui = useText(uiText);
  const [price, setPrice] = useState('');
  const amount = parseAmount(price);
  const isGood = amount !== null && amount > 0;
  return (
    <Dialog
      open
      onClose={onClose}
      title={t.setPrice}
      width="narrow"
      actions={
        <>
          <Button onClick={onClose}>{ui.cancel}</Button>
          <Button
            look="primary"
            disabledReason={isGood ? null : words.badAmount}
            onClick={() => onNext(price.trim())}
          >
            {t.review}
          </Button>
        </>
      }
    >
      <Field label={t.newPrice} error={price !== '' && !isGood ? words.badAmount : null}>
        <MoneyInput value={price} onChange={setPrice} unit={ui.perRequest} />
      </Field>
    </Dialog>
  );
}
