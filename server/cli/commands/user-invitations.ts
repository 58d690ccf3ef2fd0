import type { Command } from 'commander';
import { formatAmount } from '../../../shared/money.ts';
import { revokeInvitation } from '../../flows/users/invite-user.ts';
import { type Invitation, stateOfInvitation } from '../../identity/invitation.ts';
import { listInvitations } from '../../identity/invitation-store.ts';
import { isoTime, utcTime } from '../../lib/time-text.ts';
import type { Cli } from '../cli.ts';
import { type Column, printTable } from '../output.ts';
import { addLimitOption, collect, type LimitOption, noteMore } from '../paging.ts';

/** What became of invitations, and how one is taken back. `users invite` makes them. */
export function addInvitationCommands(users: Command, cli: Cli): void {
  addListCommand(users, cli);
  addRevokeCommand(users, cli);
}

function addListCommand(users: Command, cli: Cli): void {
  const command = users
    .command('invitations')
    .description('invitations, newest first; never their links');
  addLimitOption(command)
    .option('--json', 'print JSON')
    .action(({ limit, json }: LimitOption & { json?: boolean }) =>
      cli.on(command, async ({ database, clock }) => {
        const found = await collect(limit, (page) => listInvitations(database, page));
        const nowMs = clock.now();
        if (json) {
          const invitations = found.items.map((each) => presentInvitation(each, nowMs));
          cli.json({ invitations, more: found.more });
          return;
        }
        printTable(cli.terminal, {
          rows: found.items,
          columns: invitationColumns(nowMs),
          empty: 'There are no invitations. Make one: tintype users invite',
        });
        noteMore(cli, found);
      }),
    );
}

function addRevokeCommand(users: Command, cli: Cli): void {
  users
    .command('uninvite <invitation-id>')
    .description('take an invitation back; its link works no more')
    .option('--reason <text>', 'why, for the audit')
    .action((id: string, { reason }: { reason?: string }, command: Command) =>
      cli.on(command, async ({ admin }) => {
        await revokeInvitation(admin(reason), id);
        cli.say(`${id} is withdrawn: its link opens no account`);
      }),
    );
}

function invitationColumns(nowMs: number): readonly Column<Invitation>[] {
  return [
    { title: 'ID', cell: ({ id }) => id },
    { title: 'FOR', cell: ({ email }) => email ?? 'whoever has the link' },
    { title: 'ROLE', cell: ({ role }) => role },
    { title: 'TOP-UP', cell: ({ topUp }) => formatAmount(topUp), align: 'right' },
    { title: 'STATE', cell: (invitation) => stateOfInvitation(invitation, nowMs) },
    { title: 'EXPIRES (UTC)', cell: ({ expiresAt }) => utcTime(expiresAt) },
  ];
}

function presentInvitation(invitation: Invitation, nowMs: number) {
  return {
    id: invitation.id,
    email: invitation.email,
    role: invitation.role,
    top_up: formatAmount(invitation.topUp),
    invited_by: invitation.invitedBy,
    state: stateOfInvitation(invitation, nowMs),
    created_at: isoTime(invitation.createdAt),
    expires_at: isoTime(invitation.expiresAt),
  };
}
