import type { TransactionView } from '../../../../shared/console/wallet.ts';
import { useText } from '../../../i18n/text.ts';
import { walletText } from '../../../i18n/wallet-text.ts';
import { providerName } from '../../../lib/provider-name.ts';

/** Where a top-up came from, in words; the entry's own note where there is nothing else to say. */
export function useNote(): (entry: Pick<TransactionView, 'source' | 'note'>) => string | null {
  const { sourceOf } = useText(walletText);
  return ({ source, note }) => {
    if (source === null) return note;
    return source.kind === 'code'
      ? sourceOf.code(source.name)
      : sourceOf.payment(providerName(source.name));
  };
}
