import type { Command } from 'commander';
import { formatAmount } from '../../../shared/money.ts';
import { readEmails } from '../../accounts/user-store.ts';
import { openNoticeMeans } from '../../flows/notices/open-notice-means.ts';
import { sendTestNotice, type TestResult } from '../../flows/notices/send-test-notice.ts';
import { isoTime, utcTime } from '../../lib/time-text.ts';
import { type Notice, type NoticeState, stateOf } from '../../notices/notice.ts';
import { listNotices } from '../../notices/notice-store.ts';
import type { Cli } from '../cli.ts';
import { CommandFailed, UsageError } from '../failure.ts';
import { type Column, printTable } from '../output.ts';
import { addLimitOption, collect, type LimitOption, noteMore } from '../paging.ts';

export function addNoticeCommands(program: Command, cli: Cli): void {
  const notices = program.command('notices').description('what was told of low balances');
  addListCommand(notices, cli);
  addTestCommand(notices, cli);
}

function addListCommand(notices: Command, cli: Cli): void {
  const command = notices.command('list').description('all notices, newest first');
  addLimitOption(command)
    .option('--json', 'print JSON')
    .action(({ limit, json }: LimitOption & { json?: boolean }) =>
      cli.on(command, async ({ database }) => {
        const found = await collect(limit, (page) => listNotices(database, page));
        const emails = await readEmails(database, found.items.map(userOf));
        if (json) {
          const notices = found.items.map((notice) => presentNotice(notice, emails));
          cli.json({ notices, more: found.more });
          return;
        }
        printTable(cli.terminal, {
          rows: found.items,
          columns: noticeColumns(emails),
          empty:
            'No notices. There is one when a balance falls below the threshold: tintype settings set low_balance 5',
        });
        noteMore(cli, found);
      }),
    );
}

function addTestCommand(notices: Command, cli: Cli): void {
  notices
    .command('test')
    .description('send a test notice to the webhook, now, and say what came of it')
    .option('--email <address>', 'to this address too')
    .option('--json', 'print JSON')
    .action(({ email, json }: { email?: string; json?: boolean }, command: Command) =>
      cli.on(command, async ({ config, database, clock }) => {
        const means = openNoticeMeans(config, clock);
        const results = await sendTestNotice(database, means, { email: email ?? null });
        if (results.length === 0) throw new UsageError(nothingToTest);
        if (json) cli.json({ results: results.map(presentResult) });
        else for (const result of results) cli.say(describeResult(result));
        if (results.some(({ delivery }) => delivery.kind === 'failed')) {
          throw new CommandFailed('not every test notice was taken');
        }
      }),
    );
}

const nothingToTest =
  'there is nobody to tell: set the webhook (tintype settings set notice_webhook_url <url>), or name an address with --email';

function userOf({ userId }: Notice): string {
  return userId;
}

function presentNotice(notice: Notice, emails: ReadonlyMap<string, string>) {
  const state = stateOf(notice);
  return {
    id: notice.id,
    created_at: isoTime(notice.createdAt),
    kind: notice.kind,
    medium: notice.medium,
    user_id: notice.userId,
    user: emails.get(notice.userId) ?? null,
    balance: formatAmount(notice.balance),
    threshold: formatAmount(notice.threshold),
    trace_id: notice.traceId,
    state,
    tries: notice.tries,
    next_try_at: state === 'pending' ? isoTime(notice.nextTryAt) : null,
    sent_at: isoTimeOrNull(notice.sentAt),
    given_up_at: isoTimeOrNull(notice.givenUpAt),
    failure: notice.failure,
  };
}

const stateWords: Readonly<Record<NoticeState, string>> = {
  pending: 'pending',
  sent: 'sent',
  given_up: 'given up',
};

function noticeColumns(emails: ReadonlyMap<string, string>): readonly Column<Notice>[] {
  return [
    { title: 'CREATED (UTC)', cell: (notice) => utcTime(notice.createdAt) },
    { title: 'USER', cell: (notice) => emails.get(notice.userId) ?? null },
    { title: 'BALANCE', cell: (notice) => formatAmount(notice.balance), align: 'right' },
    { title: 'BELOW', cell: (notice) => formatAmount(notice.threshold), align: 'right' },
    { title: 'BY', cell: (notice) => notice.medium },
    { title: 'STATE', cell: (notice) => stateWords[stateOf(notice)] },
    { title: 'TRIES', cell: (notice) => notice.tries, align: 'right' },
    {
      title: 'NEXT TRY (UTC)',
      cell: (notice) => (stateOf(notice) === 'pending' ? utcTime(notice.nextTryAt) : null),
    },
    { title: 'FAILURE', cell: (notice) => notice.failure },
    { title: 'ID', cell: (notice) => notice.id },
  ];
}

function presentResult({ medium, id, delivery }: TestResult) {
  const failure = delivery.kind === 'failed' ? delivery.reason : null;
  return { medium, id, sent: delivery.kind === 'sent', failure };
}

function describeResult({ medium, id, delivery }: TestResult): string {
  const result = delivery.kind === 'sent' ? 'taken' : `not taken: ${delivery.reason}`;
  return `${medium}: ${result} (${id})`;
}

function isoTimeOrNull(ms: number | null): string | null {
  return ms === null ? null : isoTime(ms);
}
