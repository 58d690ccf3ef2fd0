import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import type { AdminUser } from '../../../../shared/console/admin-users.ts';
import { adminCommonText } from '../../../i18n/admin-common-text.ts';
import { adminUsersText } from '../../../i18n/admin-users-text.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { useText } from '../../../i18n/text.ts';
import { paths } from '../../../paths.ts';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { Link } from '../../../ui/link.tsx';
import { Pill } from '../../../ui/pill.tsx';
import { RelativeTime } from '../relative-time.tsx';

export function UserTable({
  users,
  isStale,
  empty,
}: {
  users: readonly AdminUser[];
  isStale: boolean;
  empty: ReactNode;
}) {
  const t = useText(adminUsersText);
  const navigate = useNavigate();
  return (
    <DataTable
      caption={t.title}
      isCompact
      columns={useColumns(users)}
      rows={users}
      rowKey={({ id }) => id}
      onOpen={({ id }) => void navigate({ to: paths.user(id).path })}
      isStale={isStale}
      empty={empty}
    />
  );
}

function useColumns(users: readonly AdminUser[]): readonly Column<AdminUser>[] {
  const t = useText(adminUsersText);
  const words = useText(adminCommonText);
  const formats = useFormats();
  return useMemo(() => {
    const balance = formats.prices(users.map((user) => user.balance));
    const held = formats.prices(users.map((user) => user.held));
    const spend = formats.prices(users.flatMap((user) => user.spend_30d ?? []));
    return [
      {
        id: 'user',
        title: t.user,
        phone: 'title',
        cell: ({ id, email, name }) => (
          <span className="block max-w-72 sm:min-w-40">
            <Link to={paths.user(id)} translate="no" className="block truncate">
              {email}
            </Link>
            {name !== email && (
              <span className="block truncate text-label font-normal text-text-2 max-sm:hidden">
                {name}
              </span>
            )}
          </span>
        ),
      },
      // Before the amounts, which may take all the room there is.
      {
        id: 'status',
        title: t.status,
        phone: 'meta',
        cell: ({ state }) => (
          <Pill tone={state === 'active' ? 'ok' : 'neutral'}>{t.states[state]}</Pill>
        ),
      },
      {
        id: 'role',
        title: t.role,
        cell: ({ role }) => <span className="whitespace-nowrap">{t.roles[role]}</span>,
      },
      {
        id: 'balance',
        title: t.balance,
        align: 'end',
        phone: 'value',
        cell: (user) => balance(user.balance),
      },
      {
        id: 'held',
        title: t.held,
        align: 'end',
        cell: (user) =>
          user.held.micros === 0 ? <span className="text-text-3">–</span> : held(user.held),
      },
      {
        id: 'spend',
        title: t.spend,
        align: 'end',
        cell: ({ spend_30d: sum }) =>
          sum === null ? <span className="text-text-3">–</span> : spend(sum),
      },
      {
        id: 'requests',
        title: t.requests,
        align: 'end',
        cell: ({ requests_30d: count }) => formats.number(count),
      },
      { id: 'keys', title: t.keys, align: 'end', cell: ({ keys }) => formats.number(keys) },
      {
        id: 'active',
        title: t.lastActive,
        phone: 'detail',
        cell: ({ last_active_at: at }) =>
          at === null ? (
            <span className="text-text-3">{words.never}</span>
          ) : (
            <RelativeTime at={at} />
          ),
      },
    ];
  }, [t, words, formats, users]);
}
