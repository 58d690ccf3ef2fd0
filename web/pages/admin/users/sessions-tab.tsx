import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useAdminChange } from '../../../api/admin-change.ts';
import { endSessions, type UserSession, userSessionsQuery } from '../../../api/admin-users.ts';
import { adminCommonText } from '../../../i18n/admin-common-text.ts';
import { adminUsersText } from '../../../i18n/admin-users-text.ts';
import type { adminUsers } from '../../../i18n/en/admin-users.ts';
import { useText } from '../../../i18n/text.ts';
import { ErrorState } from '../../../parts/error-state.tsx';
import { Section } from '../../../parts/section.tsx';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { singleClick } from '../../../ui/single-click.ts';
import { SkeletonRows } from '../../../ui/skeleton.tsx';
import { Time } from '../../../ui/time.tsx';
import { RelativeTime } from '../relative-time.tsx';

/** Where a user is signed in. */
export function SessionsTab({ userId }: { userId: string }) {
  const t = useText(adminUsersText);
  const { changeFailed } = useText(adminCommonText);
  const { data, error, refetch } = useQuery(userSessionsQuery(userId));
  const [isAsking, setAsking] = useState(false);
  const ending = useAdminChange((sessionId: string | null) => endSessions(userId, sessionId));
  const columns = useColumns(ending.mutate);
  const failure = ending.error && <ErrorState error={ending.error} title={changeFailed} />;
  return (
    <Section
      title={t.tabs.sessions}
      actions={
        <Button
          disabledReason={data?.length === 0 ? t.noSessions : null}
          onClick={() => setAsking(true)}
        >
          {t.endSessions}
        </Button>
      }
    >
      {error && (
        <ErrorState error={error} title={t.sessionsFailed} onRetry={() => void refetch()} />
      )}
      {!isAsking && failure}
      {!data && !error && <SkeletonRows count={3} />}
      {data && (
        <DataTable
          caption={t.tabs.sessions}
          columns={columns}
          rows={data}
          rowKey={({ id }) => id}
          empty={<EmptyState title={t.noSessions} />}
        />
      )}
      {isAsking && (
        <ConfirmDialog
          open
          isDanger
          title={t.endSessionsTitle}
          confirm={t.endSessions}
          isBusy={ending.isPending}
          onClose={() => setAsking(false)}
          onConfirm={() => ending.mutate(null, { onSuccess: () => setAsking(false) })}
        >
          <p>{t.endSessionsText}</p>
          {failure}
        </ConfirmDialog>
      )}
    </Section>
  );
}

function useColumns(onEnd: (sessionId: string) => void): readonly Column<UserSession>[] {
  const t = useText(adminUsersText);
  const words = useText(adminCommonText);
  return useMemo(
    () => [
      {
        id: 'device',
        title: t.device,
        phone: 'title',
        cell: (session) => deviceName(session, t),
      },
      { id: 'method', title: t.method, cell: ({ method }) => methodName(method, t) },
      {
        id: 'address',
        title: t.address,
        cell: ({ address }) => (
          <code className="text-label" translate="no">
            {address}
          </code>
        ),
      },
      { id: 'made', title: t.made, cell: ({ created_at: at }) => <Time at={at} /> },
      {
        id: 'seen',
        title: t.lastSeen,
        phone: 'detail',
        cell: ({ last_seen_at: at }) => <RelativeTime at={at} />,
      },
      {
        id: 'expires',
        title: t.expires,
        cell: ({ expires_at: at }) => <Time at={at} look="date" />,
      },
      {
        id: 'end',
        title: words.actions,
        align: 'end',
        phone: 'value',
        cell: ({ id }) => (
          <Button size="small" onClick={singleClick(() => onEnd(id))}>
            {t.endSession}
          </Button>
        ),
      },
    ],
    [t, words, onEnd],
  );
}

function deviceName({ browser, system }: UserSession, t: typeof adminUsers): string {
  if (browser !== null && system !== null) return t.deviceOf(browser, system);
  return browser ?? system ?? t.unknownDevice;
}

function methodName(method: string, { methods }: typeof adminUsers): string {
  const known: Readonly<Record<string, string>> = methods;
  return known[method] ?? method;
}
