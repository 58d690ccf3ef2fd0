import type { TransactionView } from '../../../../shared/console/wallet.ts';
import { useText } from '../../../i18n/text.ts';
import { walletText } from '../../../i18n/wallet-text.ts';
import { RequestStatus } from '../../../parts/request-status.tsx';

/** What became of the entry, and of the image request that caused it. */
export function EntryStatus({ entry: { status, request } }: { entry: TransactionView }) {
  const t = useText(walletText);
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
      {request && <RequestStatus status={request.status} code={null} />}
      <span className={status === 'settled' ? 'text-text-2' : 'text-warn'}>{t[status]}</span>
    </span>
  );
}
