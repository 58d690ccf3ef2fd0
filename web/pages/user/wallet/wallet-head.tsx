import { useState } from 'react';
import type { WalletView } from '../../../../shared/console/wallet.ts';
import { useFormats, type WireAmount } from '../../../i18n/formats.tsx';
import { useText } from '../../../i18n/text.ts';
import { uiText } from '../../../i18n/ui-text.ts';
import { walletText } from '../../../i18n/wallet-text.ts';
import { classes } from '../../../ui/classes.ts';
import { Money } from '../../../ui/money.tsx';

/** As long as an amount may be to be large on every phone. */
const figureLengthMax = 17;

/** What can be spent, for how much that is enough, and how it becomes more. */
export function WalletHead({ wallet }: { wallet: WalletView }) {
  const t = useText(walletText);
  const formats = useFormats();
  const { available, held, running } = wallet;
  const isLong = formats.total(available).length > figureLengthMax;
  return (
    <section
      aria-label={t.available}
      className="grid gap-x-10 gap-y-5 rounded-control border border-line bg-surface px-5 py-4 md:grid-cols-[auto_1fr] lg:grid-cols-[auto_minmax(0,auto)_minmax(200px,1fr)]"
    >
      <div className="grid content-start gap-0.5 md:min-w-44">
        <h2 className="text-label font-normal text-text-2">{t.available}</h2>
        <p className={classes('text-figure font-semibold', isLong && 'max-sm:text-title')}>
          <Money amount={available} as="total" />
        </p>
        {held.micros > 0 && (
          <p className="tabular text-label text-text-2">{t.held(formats.total(held), running)}</p>
        )}
      </div>
      <Estimates wallet={wallet} />
      <Funds wallet={wallet} />
    </section>
  );
}

type Estimate = WalletView['estimates'][number];

/** Of more models, the rest is a click away: the statement is to be in sight. */
const estimatesMax = 6;

function Estimates({ wallet: { estimates } }: { wallet: WalletView }) {
  const t = useText(walletText);
  const [isOpen, setOpen] = useState(false);
  const prices = estimates.map(({ price }) => price);
  const [first, rest] = [estimates.slice(0, estimatesMax), estimates.slice(estimatesMax)];
  return (
    <div className="grid content-start gap-1">
      <h2 className="text-label font-normal text-text-2">{t.enoughFor}</h2>
      {estimates.length === 0 && <p>{t.noEstimates}</p>}
      <EstimateList estimates={first} prices={prices} />
      {rest.length > 0 && (
        <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
          <summary className="rounded-small text-label">{t.moreModels(rest.length)}</summary>
          {isOpen && <EstimateList estimates={rest} prices={prices} />}
        </details>
      )}
    </div>
  );
}

function EstimateList({
  estimates,
  prices,
}: {
  estimates: readonly Estimate[];
  /** Of all of them. */
  prices: readonly WireAmount[];
}) {
  const t = useText(walletText);
  const { perRequest } = useText(uiText);
  return (
    <ul className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1 sm:grid-cols-[auto_auto_1fr]">
      {estimates.map(({ model, price, requests_left: left }) => (
        <li key={model} className="tabular col-span-full grid grid-cols-subgrid items-baseline">
          <span className="font-semibold whitespace-nowrap">{t.requestsAt(left)}</span>
          <span className="wrap-anywhere" translate="no">
            {model}
          </span>
          <span className="text-label text-text-3 max-sm:col-start-2 sm:whitespace-nowrap">
            <Money amount={price} as="price" among={prices} /> {perRequest}
          </span>
        </li>
      ))}
    </ul>
  );
}

function Funds({ wallet: { top_up_text: text, top_up: offer, contact } }: { wallet: WalletView }) {
  const t = useText(walletText);
  const unsaid = offer ? t.addFundsBelow : t.addFundsUnknown;
  return (
    <div className="grid content-start gap-1 md:col-span-full lg:col-auto">
      <h2 className="text-label font-normal text-text-2">{t.addFunds}</h2>
      <p className="whitespace-pre-line">{text === '' ? unsaid : text}</p>
      {contact !== '' && <p>{t.contact(contact)}</p>}
    </div>
  );
}
