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

/** What somebody wrote of an entry; of a code's, without what the service put before it of its source. */
export function writtenNote({
  source,
  note,
}: Pick<TransactionView, 'source' | 'note'>): string | null {
  if (source?.kind !== 'code' || note === null) return note;
  const begins = `Code ending ${source.name}`;
  return note === begins ? null : note.replace(`${begins}: `, '');
}
