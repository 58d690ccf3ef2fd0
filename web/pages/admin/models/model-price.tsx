import { useState } from 'react';
import { parseAmount } from '../../../../shared/money.ts';
import { useAdminChange } from '../../../api/admin-change.ts';
import { type ModelDetail, setPrice } from '../../../api/admin-models.ts';
import { adminCommonText } from '../../../i18n/admin-common-text.ts';
import { adminModelsText } from '../../../i18n/admin-models-text.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { useText } from '../../../i18n/text.ts';
import { uiText } from '../../../i18n/ui-text.ts';
import { LeaveGuard } from '../../../parts/leave-guard.tsx';
import { ResultLine } from '../../../parts/result-line.tsx';
import { Button } from '../../../ui/button.tsx';
import { FactSection } from '../../../ui/facts.tsx';
import { Field } from '../../../ui/field.tsx';
import { MoneyInput } from '../../../ui/money-input.tsx';
import { PriceDialog } from './price-dialog.tsx';

/** A new price is typed here, and agreed to in a dialog that shows what it changes. */
export function ModelPrice({ model }: { model: ModelDetail }) {
  const t = useText(adminModelsText);
  const words = useText(adminCommonText);
  const { perRequest, severalImages } = useText(uiText);
  const formats = useFormats();
  const [typed, setTyped] = useState<string | null>(null);
  const [isAsking, setAsking] = useState(false);
  const stored = model.price?.text ?? '';
  const text = typed ?? stored;
  const change = useAdminChange((confirmedFrom: string | null) =>
    setPrice(model.id, { price: text.trim(), confirmed_from: confirmedFrom }),
  );
  const amount = parseAmount(text);
  const isGood = amount !== null && amount > 0;
  const isSame = isGood && amount === model.price?.micros;
  const close = () => {
    change.reset();
    setAsking(false);
  };
  return (
    <FactSection title={t.priceSection}>
      <form
        noValidate
        className="flex flex-wrap items-start gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          if (isGood && !isSame) setAsking(true);
        }}
      >
        <Field
          label={t.price}
          className="w-60 max-sm:w-full"
          error={typed !== null && typed !== '' && !isGood ? words.badAmount : null}
        >
          <MoneyInput value={text} onChange={setTyped} unit={perRequest} name="price" />
        </Field>
        <div className="flex flex-wrap items-center gap-2 sm:mt-5.5">
          <Button
            type="submit"
            disabledReason={isGood ? (isSame ? t.same : null) : words.badAmount}
          >
            {t.review}
          </Button>
          <ResultLine>{change.isSuccess && !isAsking && isSame ? words.saved : null}</ResultLine>
        </div>
      </form>
      <p className="text-label text-text-2">{severalImages}</p>
      <LeaveGuard isDirty={text !== stored && !isSame && !change.isPending} />
      {isAsking && (
        <PriceDialog
          models={[model.id]}
          price={text.trim()}
          confirm={t.confirmPrice(formats.price({ micros: amount ?? 0 }))}
          isBusy={change.isPending}
          error={change.error}
          onClose={close}
          onConfirm={([shown]) =>
            // The price that was shown as the old one: another one in between is refused.
            change.mutate(shown?.from?.text ?? null, {
              onSuccess: () => {
                setTyped(null);
                setAsking(false);
              },
            })
          }
        />
      )}
    </FactSection>
  );
}
