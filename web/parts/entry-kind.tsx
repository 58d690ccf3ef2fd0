import type { TransactionView } from '../../shared/console/wallet.ts';
import { requestText } from '../i18n/request-text.ts';
import { useText } from '../i18n/text.ts';

/** What an entry of a wallet is; on a phone, where the model has no column, also of which model. */
export function EntryKind({ kind, request }: Pick<TransactionView, 'kind' | 'request'>) {
  const { kinds } = useText(requestText);
  return (
    <>
      <span className="whitespace-nowrap">{kinds[kind]}</span>
      {request?.model && (
        <span className="font-normal text-text-2 sm:hidden" translate="no">
          {` ${request.model}`}
        </span>
      )}
    </>
  );
}
