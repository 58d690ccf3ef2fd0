import type { Account } from '../../../../shared/console/account.ts';
import { endOtherSessions, endSession } from '../../../api/account.ts';
import { useAction } from '../../../forms/use-action.ts';
import { accountText } from '../../../i18n/account-text.ts';
import type { account as source } from '../../../i18n/en/account.ts';
import { useText } from '../../../i18n/text.ts';
import { ErrorNote } from '../../../parts/error-note.tsx';
import { Button } from '../../../ui/button.tsx';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { Pill } from '../../../ui/pill.tsx';
import { singleClick } from '../../../ui/single-click.ts';
import { Time } from '../../../ui/time.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { AccountMatter, type AccountPart, useRefreshAccount } from './account-matter.tsx';

type Session = Account['sessions'][number];

/** The browsers in which I am signed in. */
export function SessionsTab({ account: { sessions } }: AccountPart) {
  const t = useText(accountText);
  const refresh = useRefreshAccount();
  const toast = useToast();
  const end = useAction(async ({ id }: Session) => {
    await endSession(id);
    toast({ title: t.sessions.ended });
    await refresh();
  });
  const endOthers = useAction(async () => {
    toast({ title: t.sessions.endedOthers(await endOtherSessions()) });
    await refresh();
  });
  const hasOthers = sessions.some(({ is_current: isCurrent }) => !isCurrent);
  const failure = end.failure ?? endOthers.failure;
  return (
    <AccountMatter
      title={t.tabs.sessions}
      text={t.sessions.text}
      actions={
        <Button
          busy={endOthers.isBusy}
          disabledReason={hasOthers ? null : t.sessions.noOthers}
          onClick={endOthers.run}
        >
          {t.sessions.endOthers}
        </Button>
      }
    >
      {failure && <ErrorNote error={failure} />}
      <DataTable
        caption={t.tabs.sessions}
        isCompact
        columns={columnsOf(t, end.run)}
        rows={sessions}
        rowKey={({ id }) => id}
      />
    </AccountMatter>
  );
}

function columnsOf(t: typeof source, end: (session: Session) => void): readonly Column<Session>[] {
  return [
    {
      id: 'device',
      title: t.sessions.device,
      phone: 'title',
      cell: (session) => (
        <span className="inline-flex flex-wrap items-center gap-x-2">
          {deviceOf(session, t)}
          {session.is_current && <Pill tone="accent">{t.sessions.current}</Pill>}
        </span>
      ),
    },
    {
      id: 'address',
      title: t.sessions.address,
      cell: ({ address }) => <span translate="no">{address}</span>,
    },
    {
      id: 'method',
      title: t.sessions.method,
      cell: ({ method }) => t.sessions.methods[method],
    },
    {
      id: 'seen',
      title: t.sessions.lastSeen,
      phone: 'detail',
      cell: ({ last_seen_at: at }) => <Time at={at} />,
    },
    {
      id: 'actions',
      title: t.actions,
      align: 'end',
      phone: 'value',
      cell: (session) =>
        session.is_current ? null : (
          <Button
            size="small"
            aria-label={t.sessions.endOf(deviceOf(session, t))}
            onClick={singleClick(() => end(session))}
          >
            {t.sessions.end}
          </Button>
        ),
    },
  ];
}

function deviceOf({ browser, system }: Session, t: typeof source): string {
  if (browser !== null && system !== null) return t.sessions.on(browser, system);
  return browser ?? system ?? t.sessions.unknownDevice;
}
