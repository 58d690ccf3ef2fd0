import { useState } from 'react';
import type { RedeemedView } from '../../../../shared/console/payments.ts';
import type { WalletView } from '../../../../shared/console/wallet.ts';
import { parseAmount } from '../../../../shared/money.ts';
import { beginPayment, redeem, useAfterMoneyCame } from '../../../api/wallet.ts';
import { Form } from '../../../forms/form.tsx';
import { useForm } from '../../../forms/use-form.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { useText } from '../../../i18n/text.ts';
import { walletText } from '../../../i18n/wallet-text.ts';
import { useIsStillHere } from '../../../lib/still-here.ts';
import { Button } from '../../../ui/button.tsx';
import { classes } from '../../../ui/classes.ts';
import { Field } from '../../../ui/field.tsx';
import { MoneyInput } from '../../../ui/money-input.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { TextInput } from '../../../ui/text-input.tsx';

type Offer = NonNullable<WalletView['top_up']>;

/** How the balance becomes more: by paying, where one can, and by a code. */
export function AddFunds({ wallet: { top_up: offer } }: { wallet: WalletView }) {
  const t = useText(walletText);
  return (
    <section
      aria-label={t.addFunds}
      className={classes('grid items-start gap-4', offer && 'lg:grid-cols-2')}
    >
      {offer && <PayForm offer={offer} />}
      <RedeemForm />
    </section>
  );
}

const formClass = 'rounded-control border border-line bg-surface px-5 py-4';
const rowClass = 'grid items-start gap-3 sm:grid-cols-[minmax(0,1fr)_auto]';
// Level with the input, which has a label above it.
const buttonClass = 'sm:pt-5.5';

function PayForm({ offer }: { offer: Offer }) {
  const isStillHere = useIsStillHere();
  const t = useText(walletText);
  const formats = useFormats();
  const [min, max] = [formats.total(offer.min), formats.total(offer.max)];
  const form = useForm({
    initial: { amount: '' },
    check: ({ amount }) => ({ amount: isWithin(amount, offer) ? null : t.badPay(min, max) }),
    submit: async ({ amount }) => {
      const { url } = await beginPayment(amount.trim());
      if (isStillHere()) window.location.assign(url);
    },
  });
  const micros = parseAmount(form.values.amount);
  return (
    <Form form={form} aria-label={t.pay} className={formClass}>
      <div>
        <h2 className="text-body">{t.pay}</h2>
        <p className="text-label text-text-2">{t.payText(min, max)}</p>
      </div>
      <div className={rowClass}>
        <Field label={t.payAmount} error={form.errors.amount}>
          <MoneyInput {...form.input('amount')} />
        </Field>
        <div className={buttonClass}>
          <Button type="submit" look="primary" busy={form.isBusy}>
            {micros !== null && micros > 0 ? t.payButton(formats.total({ micros })) : t.payEmpty}
          </Button>
        </div>
      </div>
    </Form>
  );
}

function RedeemForm() {
  const t = useText(walletText);
  const formats = useFormats();
  const refresh = useAfterMoneyCame();
  const [redeemed, setRedeemed] = useState<RedeemedView | null>(null);
  const form = useForm({
    initial: { code: '' },
    check: ({ code }) => ({ code: code.trim() === '' ? t.badCode : null }),
    submit: async ({ code }) => {
      setRedeemed(null);
      const answer = await redeem(code.trim()).catch((thrown: unknown) => {
        // Without an answer it may have been redeemed all the same: the balance says so.
        void refresh();
        throw thrown;
      });
      setRedeemed(answer);
      form.set('code', '');
      await refresh();
    },
  });
  return (
    <Form form={form} aria-label={t.redeem} className={formClass}>
      <div>
        <h2 className="text-body">{t.redeem}</h2>
        <p className="text-label text-text-2">{t.redeemText}</p>
      </div>
      <div className={rowClass}>
        <Field label={t.code} error={form.errors.code}>
          <TextInput
            {...form.input('code')}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={100}
            placeholder={t.codeHint}
            className="font-mono"
          />
        </Field>
        <div className={buttonClass}>
          <Button type="submit" busy={form.isBusy}>
            {t.redeemButton}
          </Button>
        </div>
      </div>
      <div role="status" className="empty:hidden">
        {redeemed && (
          <Notice tone="ok">
            {t.redeemed(formats.total(redeemed.amount), formats.total(redeemed.balance))}
          </Notice>
        )}
      </div>
    </Form>
  );
}

function isWithin(text: string, { min, max }: Offer): boolean {
  const amount = parseAmount(text);
  return amount !== null && amount >= min.micros && amount <= max.micros;
}
