import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { paymentQuery, useAfterMoneyCame } from '../../../api/wallet.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { useText } from '../../../i18n/text.ts';
import { walletText } from '../../../i18n/wallet-text.ts';
import { text, useSearchState } from '../../../lib/search-state.ts';
import { ErrorState } from '../../../parts/error-state.tsx';
import { paths } from '../../../paths.ts';
import { Button } from '../../../ui/button.tsx';
import { Link } from '../../../ui/link.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';

/** Set by the address that the provider sends the browser back to. */
const returnSearch = { payment: text };

/**
 * What became of the payment that somebody comes back from: only the provider's word counts. One that is over
 * may have been paid all the same, where that word is missing.
 */
export function PaymentReturn() {
  const [{ payment: id }, change] = useSearchState(returnSearch);
  if (id === undefined) return null;
  return <Outcome id={id} onClose={() => change({ payment: undefined }, 'replace')} />;
}

function Outcome({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useText(walletText);
  const formats = useFormats();
  const { data, error, refetch } = useQuery(paymentQuery(id));
  const refresh = useAfterMoneyCame();
  const isPaid = data?.state === 'paid';
  // The balance beside it was asked for before.
  useEffect(() => {
    if (isPaid) void refresh();
  }, [isPaid, refresh]);
  if (error) {
    return <ErrorState error={error} title={t.paymentFailed} onRetry={() => void refetch()} />;
  }
  if (!data) return <Skeleton className="h-16 rounded-control" />;
  return (
    <div role="status" aria-label={t.payment}>
      <Notice
        tone={tones[data.state]}
        title={t.payment}
        actions={
          <>
            {data.transaction_id !== null && (
              <Link to={paths.walletEntry(data.transaction_id)}>{t.seeEntry}</Link>
            )}
            {data.state !== 'open' && (
              <Button size="small" onClick={onClose}>
                {t.dismiss}
              </Button>
            )}
          </>
        }
      >
        <p>{t.paymentStates[data.state](formats.total(data.amount))}</p>
      </Notice>
    </div>
  );
}

const tones = {
  open: 'accent',
  paid: 'ok',
  expired: 'warn',
  failed: 'warn',
  refused: 'warn',
} as const;
