import { type ReactNode, useMemo } from 'react';
import type { AdminPayment } from '../../../../shared/console/admin-payments.ts';
import { adminPaymentsText } from '../../../i18n/admin-payments-text.ts';
import { fill } from '../../../i18n/fill.tsx';
import { useFormats } from '../../../i18n/formats.tsx';
import { useText } from '../../../i18n/text.ts';
import { uiText } from '../../../i18n/ui-text.ts';
import { providerName } from '../../../lib/provider-name.ts';
import { paths } from '../../../paths.ts';
import { Button } from '../../../ui/button.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { Link } from '../../../ui/link.tsx';
import type { Tone } from '../../../ui/notice.tsx';
import { Pill } from '../../../ui/pill.tsx';
import { Time } from '../../../ui/time.tsx';

export function PaymentTable({
  payments,
  isStale,
  empty,
  onSettle,
}: {
  payments: readonly AdminPayment[];
  isStale: boolean;
  empty: ReactNode;
  onSettle: (payment: AdminPayment) => void;
}) {
  const t = useText(adminPaymentsText);
  const columns = useColumns(onSettle);
  if (payments.length === 0) return <>{empty}</>;
  return (
    <DataTable
      caption={t.title}
      columns={columns}
      rows={payments}
      rowKey={({ id }) => id}
      isStale={isStale}
    />
  );
}

function useColumns(onSettle: (payment: AdminPayment) => void): readonly Column<AdminPayment>[] {
  const t = useText(adminPaymentsText);
  const formats = useFormats();
  return useMemo(
    () => [
      {
        id: 'time',
        title: t.time,
        phone: 'detail',
        cell: ({ created_at: at, state }) => (
          <span className="flex flex-wrap items-center gap-x-2">
            <Time at={at} />
            <span className="sm:hidden">
              <State state={state} />
            </span>
          </span>
        ),
      },
      {
        id: 'user',
        title: t.user,
        phone: 'title',
        cell: ({ user }) => (
          <Link
            to={paths.user(user.id, { tab: 'wallet' })}
            className="block max-w-60 truncate"
            translate="no"
          >
            {user.email ?? user.id}
          </Link>
        ),
      },
      {
        id: 'provider',
        title: t.provider,
        phone: 'wide',
        cell: (payment) => (
          <span className="flex flex-wrap gap-x-3">
            <span translate="no">{providerName(payment.provider)}</span>
            <NotHad payment={payment} />
          </span>
        ),
      },
      {
        id: 'amount',
        title: t.amount,
        align: 'end',
        phone: 'value',
        cell: ({ amount }) => formats.total(amount),
      },
      {
        id: 'state',
        title: t.state,
        cell: ({ state }) => <State state={state} />,
      },
      {
        id: 'taken',
        title: t.takenBack,
        align: 'end',
        cell: ({ taken_back: amount }) => amount.micros > 0 && formats.total(amount),
      },
      {
        id: 'missing',
        title: t.missing,
        align: 'end',
        cell: ({ missing }) => missing.micros > 0 && formats.total(missing),
      },
      {
        id: 'problem',
        title: t.problem,
        phone: 'meta',
        cell: (payment) => (
          <span className="inline-flex flex-wrap items-center justify-end gap-x-3 gap-y-1 max-sm:max-w-36 sm:flex sm:justify-between">
            <Problem payment={payment} />
            {payment.problem !== null && payment.settled_at === null && (
              <Button size="small" onClick={() => onSettle(payment)}>
                {t.settle}
              </Button>
            )}
          </span>
        ),
      },
    ],
    [t, formats, onSettle],
  );
}

/** On a phone, where these have no columns. */
function NotHad({ payment: { taken_back: takenBack, missing } }: { payment: AdminPayment }) {
  const t = useText(adminPaymentsText);
  const formats = useFormats();
  const sums = [
    { title: t.takenBack, sum: takenBack },
    { title: t.missing, sum: missing },
  ];
  return sums
    .filter(({ sum }) => sum.micros > 0)
    .map(({ title, sum }) => (
      <span key={title} className="tabular sm:hidden">{`${title} ${formats.total(sum)}`}</span>
    ));
}

function State({ state }: Pick<AdminPayment, 'state'>) {
  const t = useText(adminPaymentsText);
  return <Pill tone={tones[state]}>{t.states[state]}</Pill>;
}

function Problem({ payment: { problem, settled_at: settledAt } }: { payment: AdminPayment }) {
  const t = useText(adminPaymentsText);
  const { aside } = useText(uiText);
  if (problem === null) return null;
  return (
    <span className={settledAt === null ? 'text-warn' : 'text-text-3'}>
      {t.problems[problem]}
      {settledAt !== null && fill(aside, { text: t.settled })}
    </span>
  );
}

const tones = {
  open: 'accent',
  paid: 'ok',
  expired: 'neutral',
  failed: 'neutral',
  refused: 'warn',
} as const satisfies Readonly<Record<AdminPayment['state'], Tone>>;
