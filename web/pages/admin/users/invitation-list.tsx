import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useAdminChange } from '../../../api/admin-change.ts';
import { type Invitation, invitationsQuery, revokeInvitation } from '../../../api/admin-users.ts';
import { adminCommonText } from '../../../i18n/admin-common-text.ts';
import { adminUsersText } from '../../../i18n/admin-users-text.ts';
import { useFormats } from '../../../i18n/formats.tsx';
import { useText } from '../../../i18n/text.ts';
import { useSearchState } from '../../../lib/search-state.ts';
import { ErrorState } from '../../../parts/error-state.tsx';
import { EmptyList } from '../../../parts/lost-place.tsx';
import { paths } from '../../../paths.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import type { Tone } from '../../../ui/notice.tsx';
import { Pill } from '../../../ui/pill.tsx';
import { Time } from '../../../ui/time.tsx';
import { ForwardList } from '../forward-list.tsx';
import { usersSearch } from './users-state.ts';

/** Who was invited, and what became of it. */
export function InvitationList() {
  const t = useText(adminUsersText);
  const words = useText(adminCommonText);
  const [{ cursor }] = useSearchState(usersSearch);
  const list = useQuery(invitationsQuery(cursor));
  const [asking, setAsking] = useState<string | null>(null);
  const revoking = useAdminChange(revokeInvitation);
  const columns = useColumns(setAsking);
  return (
    <>
      <ForwardList
        list={list}
        failed={t.invitationsFailed}
        cursor={cursor}
        at={(place) => paths.users({ list: 'invitations', cursor: place })}
      >
        {({ invitations }) => (
          <DataTable
            caption={t.lists.invitations}
            columns={columns}
            rows={invitations}
            rowKey={({ id }) => id}
            isStale={list.isPlaceholderData}
            empty={
              <EmptyList>
                <EmptyState title={t.noInvitations} />
              </EmptyList>
            }
          />
        )}
      </ForwardList>
      {asking !== null && (
        <ConfirmDialog
          open
          title={t.revokeTitle}
          confirm={t.revokeConfirm}
          isBusy={revoking.isPending}
          onClose={() => {
            revoking.reset();
            setAsking(null);
          }}
          onConfirm={() => revoking.mutate(asking, { onSuccess: () => setAsking(null) })}
        >
          <p>{t.revokeText}</p>
          {revoking.error && <ErrorState error={revoking.error} title={words.changeFailed} />}
        </ConfirmDialog>
      )}
    </>
  );
}

function useColumns(onRevoke: (id: string) => void): readonly Column<Invitation>[] {
  const t = useText(adminUsersText);
  const words = useText(adminCommonText);
  const formats = useFormats();
  return useMemo(
    () => [
      {
        id: 'email',
        title: t.email,
        phone: 'title',
        cell: ({ email }) =>
          email === null ? (
            <span className="text-text-2">{t.anybody}</span>
          ) : (
            <span translate="no">{email}</span>
          ),
      },
      { id: 'role', title: t.role, cell: ({ role }) => t.roles[role] },
      {
        id: 'money',
        title: t.topUp,
        align: 'end',
        cell: ({ top_up: amount }) => formats.total(amount),
      },
      {
        id: 'by',
        title: t.invitedBy,
        cell: ({ invited_by: by }) => <span translate="no">{by}</span>,
      },
      {
        id: 'made',
        title: t.made,
        phone: 'detail',
        cell: ({ created_at: at }) => <Time at={at} look="date" />,
      },
      {
        id: 'expires',
        title: t.expires,
        cell: ({ expires_at: at }) => <Time at={at} look="date" />,
      },
      {
        id: 'state',
        title: t.state,
        phone: 'value',
        cell: ({ state }) => <Pill tone={tones[state]}>{t.invitationStates[state]}</Pill>,
      },
      {
        id: 'revoke',
        title: words.actions,
        align: 'end',
        phone: 'meta',
        cell: ({ id, state }) =>
          state === 'open' && (
            <Button size="small" onClick={() => onRevoke(id)}>
              {t.revoke}
            </Button>
          ),
      },
    ],
    [t, words, formats, onRevoke],
  );
}

const tones = {
  open: 'accent',
  accepted: 'ok',
  revoked: 'neutral',
  expired: 'neutral',
} as const satisfies Readonly<Record<Invitation['state'], Tone>>;
