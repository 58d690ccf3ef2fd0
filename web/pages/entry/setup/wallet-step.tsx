import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Amount, parseAmount } from '../../../../shared/money.ts';
import { orderMoney } from '../../../api/admin-users.ts';
import { useUser } from '../../../api/bootstrap.ts';
import { setupCatalogQuery } from '../../../api/setup.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { setupText } from '../../../i18n/setup-text.ts';
import { shellText } from '../../../i18n/shell-text.ts';
import { useText } from '../../../i18n/text.ts';
import { randomId } from '../../../lib/random-id.ts';
import { Field } from '../../../ui/field.tsx';
import { MoneyInput } from '../../../ui/money-input.tsx';
import { Notice } from '../../../ui/notice.tsx';
import type { StepProps } from './setup-page.tsx';
import { StepForm } from './step-form.tsx';
import { useKeptForm } from './use-kept-form.ts';

export function WalletStep(step: StepProps) {
  const t = useText(setupText).wallet;
  const places = useText(shellText).nav;
  const formats = useFormats();
  const { id, wallet } = useUser();
  // However often one order is sent, the money comes once.
  const [reference, setReference] = useState(randomId);
  const cheapest = useCheapestPrice(step.upstream);
  const form = useKeptForm({
    name: 'wallet',
    initial: { amount: '5.00' },
    check: ({ amount }) => ({ amount: (parseAmount(amount) ?? 0) > 0 ? null : t.badAmount }),
    submit: async ({ amount }) => {
      await orderMoney(id, { reference, change: 'add', amount, reason: t.reason });
      setReference(randomId());
      await step.onDone();
    },
  });
  const amount = parseAmount(form.values.amount);
  const shown = amount === null ? '' : formats.total({ micros: amount });
  return (
    <StepForm form={form} lead={t.lead} submit={t.submit(shown)} later={places.users} step={step}>
      {wallet.balance.micros > 0 && (
        <Notice tone="ok">{t.has(formats.total(wallet.balance))}</Notice>
      )}
      <Field
        label={t.opening}
        help={
          amount !== null && cheapest !== null ? t.enough(countOf(amount, cheapest)) : undefined
        }
        error={form.errors.amount}
        className="max-w-60"
      >
        <MoneyInput {...form.input('amount')} />
      </Field>
    </StepForm>
  );
}

/** Null when nothing is offered, or for nothing. */
function useCheapestPrice(upstream: string | undefined): number | null {
  const { data } = useQuery(setupCatalogQuery(upstream));
  const prices = (data?.models ?? []).flatMap(({ is_available: isAvailable, price }) =>
    isAvailable && price && price.micros > 0 ? [price.micros] : [],
  );
  return prices.length === 0 ? null : Math.min(...prices);
}

function countOf(amount: Amount, price: number): number {
  return Math.floor(amount / price);
}
