import { type ReactNode, useMemo } from 'react';
import type { AdminCode } from '../../../../shared/console/admin-codes.ts';
import { adminCodesText } from '../../../i18n/admin-codes-text.ts';
import { adminCommonText } from '../../../i18n/admin-common-text.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { useText } from '../../../i18n/text.ts';
import { paths } from '../../../paths.ts';
import { Button } from '../../../ui/button.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { Link } from '../../../ui/link.tsx';
import type { Tone } from '../../../ui/notice.tsx';
import { Pill } from '../../../ui/pill.tsx';
import { Time } from '../../../ui/time.tsx';
import type { Withdrawal } from './withdraw-dialog.tsx';

export function CodeTable({
  codes,
  isStale,
  empty,
  onWithdraw,
}: {
  codes: readonly AdminCode[];
  isStale: boolean;
  empty: ReactNode;
  onWithdraw: (withdrawal: Withdrawal) => void;
}) {
  const t = useText(adminCodesText);
  const columns = useColumns(onWithdraw);
  if (codes.length === 0) return <>{empty}</>;
  return (
    <DataTable
      caption={t.title}
      columns={columns}
      rows={codes}
      rowKey={({ id }) => id}
      isStale={isStale}
    />
  );
}

function useColumns(onWithdraw: (withdrawal: Withdrawal) => void): readonly Column<AdminCode>[] {
  const t = useText(adminCodesText);
  const words = useText(adminCommonText);
  const formats = useFormats();
  return useMemo(
    () => [
      {
        id: 'code',
        title: t.code,
        phone: 'title',
        cell: ({ last_four: ending }) => (
          <span className="font-mono" translate="no">
            …{ending}
          </span>
        ),
      },
      {
        id: 'amount',
        title: t.value,
        align: 'end',
        phone: 'value',
        cell: ({ amount }) => formats.total(amount),
      },
      {
        id: 'state',
        title: t.state,
        phone: 'detail',
        cell: ({ state, created_at: at }) => (
          <>
            <Pill tone={tones[state]}>{t.states[state]}</Pill>
            <span className="ml-2 sm:hidden">
              <Time at={at} look="date" />
            </span>
          </>
        ),
      },
      { id: 'redeemed', title: t.redeemedBy, cell: (code) => <RedeemedBy code={code} /> },
      {
        id: 'note',
        title: t.note,
        cell: ({ note }) => (
          <span className="block max-w-40 truncate" title={note ?? undefined}>
            {note}
          </span>
        ),
      },
      {
        id: 'made',
        title: t.made,
        cell: ({ created_at: at }) => <Time at={at} look="date" />,
      },
      {
        id: 'expires',
        title: t.expires,
        cell: ({ expires_at: at }) => (at === null ? words.never : <Time at={at} look="date" />),
      },
      {
        id: 'batch',
        title: t.batch,
        cell: ({ batch }) => (
          <Link to={paths.codes({ batch })} className="font-mono" translate="no">
            …{batch.slice(-6)}
          </Link>
        ),
      },
      {
        id: 'withdraw',
        title: words.actions,
        align: 'end',
        phone: 'meta',
        cell: ({ id, state, last_four: ending }) =>
          state === 'open' && (
            <Button size="small" onClick={() => onWithdraw({ kind: 'code', id, ending })}>
              {t.withdraw}
            </Button>
          ),
      },
    ],
    [t, words, formats, onWithdraw],
  );
}

function RedeemedBy({ code: { redeemed_by: user, redeemed_at: at } }: { code: AdminCode }) {
  if (!user) return null;
  return (
    <span className="block max-w-52 truncate">
      <Link to={paths.user(user.id, { tab: 'wallet' })} translate="no">
        {user.email ?? user.id}
      </Link>
      {at !== null && (
        <span className="text-text-3">
          {' '}
          <Time at={at} look="date" />
        </span>
      )}
    </span>
  );
}

const tones = {
  open: 'accent',
  redeemed: 'ok',
  withdrawn: 'neutral',
  expired: 'neutral',
} as const satisfies Readonly<Record<AdminCode['state'], Tone>>;
