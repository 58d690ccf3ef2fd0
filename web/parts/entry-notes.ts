import { useMemo } from 'react';
import type { TransactionView } from '../../shared/console/wallet.ts';
import { useText } from '../i18n/text.ts';
import { walletText } from '../i18n/wallet-text.ts';
import { providerName } from '../lib/provider-name.ts';
import { useSaid } from './use-error-words.ts';

type Noted = Pick<TransactionView, 'by' | 'source' | 'note'>;

/** What is to be said of an entry of a wallet, each null where there is nothing. */
export interface EntryNotes {
  /** Where a top-up came from. */
  source(entry: Noted): string | null;
  /** What was written of it; of a code's, without what the service put before it of its source. */
  written(entry: Noted): string | null;
  /** Where there is room for one of them. */
  short(entry: Noted): string | null;
  /** Both at once. What is written of a payment says of itself where it came from. */
  whole(entry: Noted): string | null;
}

export function useEntryNotes(): EntryNotes {
  const { sourceOf } = useText(walletText);
  const said = useSaid();
  return useMemo(() => {
    const source = ({ source: from }: Noted) => {
      if (from === null) return null;
      return from.kind === 'code'
        ? sourceOf.code(from.name)
        : sourceOf.payment(providerName(from.name));
    };
    const written = (entry: Noted) => {
      const own = ownNote(entry);
      return own !== null && isOfService(entry) ? said(own) : own;
    };
    return {
      source,
      written,
      short: (entry) => source(entry) ?? written(entry),
      whole: (entry) => {
        const note = written(entry);
        if (entry.source?.kind !== 'code') return note;
        return note === null ? source(entry) : sourceOf.codeFor(entry.source.name, note);
      },
    };
  }, [sourceOf, said]);
}

/** By the system, or where it writes in the name of whoever erased somebody. */
function isOfService({ by, note }: Noted): boolean {
  return by.kind === 'system' || note === 'forfeited when the account was erased';
}

function ownNote({ source, note }: Noted): string | null {
  if (source?.kind !== 'code' || note === null) return note;
  const begins = `Code ending ${source.name}`;
  return note === begins ? null : note.replace(`${begins}: `, '');
}
