import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type Amount, parseAmount } from '../../../../shared/money.ts';
import { orderMoney } from '../../../api/admin-users.ts';
import { ApiError, toApiError } from '../../../api/api-error.ts';
import { bootstrapQuery, useUser } from '../../../api/bootstrap.ts';
import { setupCatalogQuery } from '../../../api/setup.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { setupText } from '../../../i18n/setup-text.ts';
import { shellText } from '../../../i18n/shell-text.ts';
import { useText } from '../../../i18n/text.ts';
import { Field } from '../../../ui/field.tsx';
import { MoneyInput } from '../../../ui/money-input.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { StepForm } from './step-form.tsx';
import type { StepProps } from './step-props.ts';
import { useKeptForm } from './use-kept-form.ts';
import { useKeptReference } from './use-kept-reference.ts';

export function WalletStep(step: StepProps) {
  const t = useText(setupText).wallet;
  const places = useText(shellText).nav;
  const formats = useFormats();
  const { id, wallet } = useUser();
  // However often one order is sent, the money comes once.
  const { reference, renew } = useKeptReference();
  const queryClient = useQueryClient();
  const cheapest = useCheapestPrice(step.upstream);
  const form = useKeptForm({
    name: 'wallet',
    initial: { amount: '5.00' },
    check: ({ amount }) => ({ amount: (parseAmount(amount) ?? 0) > 0 ? null : t.badAmount }),
    submit: async ({ amount }) => {
      const order = { reference, change: 'add', amount, reason: t.reason } as const;
      await orderMoney(id, order).catch((thrown: unknown) => {
        // Without an answer the money may have come all the same: the balance says so.
        void queryClient.invalidateQueries({ queryKey: bootstrapQuery.queryKey });
        const error = toApiError(thrown);
        if (error.param !== 'reference') throw error;
        renew();
        throw new ApiError({ ...error, message: t.otherAdded });
      });
      await step.onDone();
      renew();
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
