import { type Command, Option } from 'commander';
import { linkPaths, secretLink } from '../../../shared/console/links.ts';
import { type Amount, zero } from '../../../shared/money.ts';
import { type Role, roles } from '../../accounts/user.ts';
import type { Config } from '../../config.ts';
import { removeAuthenticator } from '../../flows/sign-in/change-authenticator.ts';
import { setPassword } from '../../flows/sign-in/change-password.ts';
import { issuePasswordReset } from '../../flows/sign-in/reset-password.ts';
import { endUserSessions } from '../../flows/users/end-user-sessions.ts';
import { inviteUser } from '../../flows/users/invite-user.ts';
import { unlinkIssuer } from '../../flows/users/unlink-issuer.ts';
import { PasswordHasher } from '../../identity/password-hasher.ts';
import { isoTime } from '../../lib/time-text.ts';
import { amountArgument } from '../arguments.ts';
import type { Cli } from '../cli.ts';
import { UsageError } from '../failure.ts';
import { orInput, readSecret } from '../secret-input.ts';
import { addInvitationCommands } from './user-invitations.ts';

/** How users come to sign in to the console. */
export function addUserAccessCommands(users: Command, cli: Cli): void {
  addInviteCommand(users, cli);
  addInvitationCommands(users, cli);
  addPasswordCommand(users, cli);
  addResetCommand(users, cli);
  addAuthenticatorCommand(users, cli);
  addUnlinkCommand(users, cli);
  addSignOutCommand(users, cli);
}

interface InviteOptions {
  email?: string;
  role: Role;
  topUp?: Amount;
  reason?: string;
  json?: boolean;
}

function addInviteCommand(users: Command, cli: Cli): void {
  users
    .command('invite')
    .description('make a link with which somebody opens an account; it is shown only this once')
    .option('--email <email>', 'whom it is for (default: whoever has the link)')
    .addOption(new Option('--role <role>', 'what the user may do').choices(roles).default('user'))
    .option('--top-up <amount>', 'money in the wallet to begin with', amountArgument)
    .option('--reason <text>', 'why, for the audit')
    .option('--json', 'print the link as JSON')
    .action((options: InviteOptions, command: Command) =>
      cli.on(command, async ({ admin, config }) => {
        const { email = null, role, reason, json } = options;
        const made = await inviteUser(admin(reason), { email, role, topUp: topUpOf(options) });
        const link = absolute(secretLink('invitation', made.secret), config);
        const { id, expiresAt } = made.invitation;
        if (json) cli.json({ id, link, expires_at: isoTime(expiresAt) });
        else showLink(cli, link, isoTime(expiresAt));
      }),
    );
}

function topUpOf({ topUp }: InviteOptions): Amount {
  if (topUp === undefined) return zero;
  if (topUp > zero) return topUp;
  throw new UsageError('a top-up must be greater than zero: leave --top-up out for none');
}

function addPasswordCommand(users: Command, cli: Cli): void {
  users
    .command('set-password <user>')
    .description('give a user a password for the console; signs their browsers and scripts out')
    .requiredOption('--password-file <file>', `file that holds it; ${orInput}`)
    .option('--reason <text>', 'why, for the audit')
    .action(
      (
        user: string,
        { passwordFile, reason }: { passwordFile: string; reason?: string },
        command: Command,
      ) =>
        cli.on(command, async ({ admin }) => {
          const password = await readSecret(cli, { file: passwordFile, what: 'password' });
          await setPassword(admin(reason), new PasswordHasher(), { user, password });
          cli.say(`${user} has a new password`);
        }),
    );
}

function addResetCommand(users: Command, cli: Cli): void {
  users
    .command('reset-password <user>')
    .description('a link by which a user sets a new password within an hour; shown this once')
    .option('--reason <text>', 'why, for the audit')
    .action((user: string, { reason }: { reason?: string }, command: Command) =>
      cli.on(command, async ({ admin, config }) => {
        const secret = await issuePasswordReset(admin(reason), user);
        showLink(cli, absolute(secretLink('password_reset', secret), config), 'in an hour');
      }),
    );
}

function addAuthenticatorCommand(users: Command, cli: Cli): void {
  users
    .command('remove-authenticator <user>')
    .description('let a user who lost their authenticator sign in without it')
    .option('--reason <text>', 'why, for the audit')
    .action((user: string, { reason }: { reason?: string }, command: Command) =>
      cli.on(command, async ({ admin }) => {
        await removeAuthenticator(admin(reason), user);
        cli.say(`${user} signs in without an authenticator`);
      }),
    );
}

function addUnlinkCommand(users: Command, cli: Cli): void {
  users
    .command('unlink-issuer <user>')
    .description('let whoever has a user’s address at the OpenID issuer now have the account')
    .option('--reason <text>', 'why, for the audit')
    .action((user: string, { reason }: { reason?: string }, command: Command) =>
      cli.on(command, async ({ admin }) => {
        await unlinkIssuer(admin(reason), user);
        cli.say(`${user} is recognised by the address again`);
      }),
    );
}

function addSignOutCommand(users: Command, cli: Cli): void {
  users
    .command('sign-out <user>')
    .description('end what a user is signed in with: browsers, and the access of their scripts')
    .option('--reason <text>', 'why, for the audit')
    .action((user: string, { reason }: { reason?: string }, command: Command) =>
      cli.on(command, async ({ admin }) => {
        await endUserSessions(admin(reason), { user, sessionId: null });
        cli.say(`${user} is signed out everywhere`);
        cli.note('API keys go on working: see tintype keys list');
      }),
    );
}

/** The command does not know where the service runs unless it is told. */
function absolute(link: string, { publicUrl }: Config): string {
  return (publicUrl ?? '').replace(/\/$/, '') + link;
}

function showLink(cli: Cli, link: string, expires: string): void {
  cli.say(link);
  cli.note(`It works once, and expires ${expires}.`);
  const isWhole = !Object.values(linkPaths).some((path) => link.startsWith(path));
  if (!isWhole)
    cli.note('Put the address of the service in front of it: TINTYPE_PUBLIC_URL is not set.');
}
