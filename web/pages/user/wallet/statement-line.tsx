import type { TransactionList } from '../../../../shared/console/wallet.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { useText } from '../../../i18n/text.ts';
import { walletText } from '../../../i18n/wallet-text.ts';
import { commonDecimals } from '../../../lib/money-format.ts';
import { useSearchState } from '../../../lib/search-state.ts';
import { paths, type Target } from '../../../paths.ts';
import { classes } from '../../../ui/classes.ts';
import { Link } from '../../../ui/link.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { walletSearch } from './wallet-state.ts';

interface Term {
  label: string;
  /** As it is added up: with its sign, but for the balances at both ends. */
  text: string;
  note?: string;
  to?: Target;
  isBalance?: boolean;
}

/** Opening + added − spent + refunded ± adjusted = closing, to the last micro. */
export function StatementLine({ statement }: { statement: TransactionList['statement'] }) {
  const t = useText(walletText);
  return (
    <section aria-label={t.statement} className="grid gap-3">
      {/* As many in a row as fit: cut off, a large amount would read as a smaller one. */}
      <dl className="flex flex-wrap gap-px overflow-hidden rounded-control border border-line bg-line">
        {useTerms(statement).map((term) => (
          <TermCell key={term.label} term={term} />
        ))}
      </dl>
      {!statement.adds_up && <Notice tone="bad">{t.doesNotAddUp}</Notice>}
    </section>
  );
}

function TermCell({ term: { label, text, note, to, isBalance = false } }: { term: Term }) {
  return (
    <div
      className={classes(
        'relative flex flex-1 items-baseline justify-between gap-x-3 px-4 py-2.5 max-sm:basis-full sm:max-lg:basis-[30%] sm:grid sm:content-start sm:gap-0.5 sm:py-3',
        isBalance ? 'bg-sunken' : 'bg-surface',
      )}
    >
      <dt className="text-label text-text-2">
        {to ? (
          // The whole cell is the link.
          <Link to={to} look="plain" className="after:absolute after:inset-0 hover:underline">
            {label}
          </Link>
        ) : (
          label
        )}
      </dt>
      <dd className="tabular font-semibold whitespace-nowrap">{text}</dd>
      {note && <dd className="text-caption text-text-3 max-sm:hidden">{note}</dd>}
    </div>
  );
}

function useTerms(statement: TransactionList['statement']): readonly Term[] {
  const t = useText(walletText);
  const formats = useFormats();
  const [state] = useSearchState(walletSearch);
  const { opening, added, spent, returned, adjusted, closing } = statement;
  const changes = [added, spent, returned, adjusted].map(({ sum }) => sum);
  const decimals = commonDecimals([opening, closing, ...changes]);
  const term = (label: string, kind: string, { sum, count }: typeof added): Term => ({
    label,
    text: formats.change(sum, decimals),
    note: t.entries(count),
    to: paths.wallet({ ...state, kind, cursor: undefined }),
  });
  const balance = (label: string, amount: typeof opening): Term => ({
    label,
    text: formats.prices([opening, closing, ...changes])(amount),
    isBalance: true,
    to: paths.wallet({ ...state, kind: undefined, cursor: undefined }),
  });
  return [
    balance(t.opening, opening),
    term(t.added, 'top_up', added),
    term(t.spent, 'charge', spent),
    term(t.returned, 'refund', returned),
    term(t.adjusted, 'adjustment', adjusted),
    balance(t.closing, closing),
  ];
}
