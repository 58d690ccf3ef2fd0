import { type Command, Option } from 'commander';
import type { Amount } from '../../../shared/money.ts';
import { type Role, roles, type User, type UserPatch, userSlotsMax } from '../../accounts/user.ts';
import { listUsers, requireUser } from '../../accounts/user-store.ts';
import { editUser } from '../../flows/users/edit-user.ts';
import { setUserEnabled } from '../../flows/users/enable-user.ts';
import { openAccount } from '../../flows/users/open-account.ts';
import { isoTime } from '../../lib/time-text.ts';
import { amountAboveZero, integerArgument } from '../arguments.ts';
import type { Cli } from '../cli.ts';
import { UsageError } from '../failure.ts';
import { type Column, printFields, printTable } from '../output.ts';
import { addLimitOption, collect, type LimitOption, noteMore } from '../paging.ts';
import { addEraseCommand } from './erase-user.ts';
import { addUserAccessCommands } from './user-access.ts';

export function addUserCommands(program: Command, cli: Cli): void {
  const users = program.command('users').description('people and their accounts');
  addAddCommand(users, cli);
  addListCommand(users, cli);
  addShowCommand(users, cli);
  addEditCommand(users, cli);
  addEnableCommands(users, cli);
  addUserAccessCommands(users, cli);
  addEraseCommand(users, cli);
}

interface AddOptions {
  name?: string;
  role: Role;
  slots?: number;
  topUp?: Amount;
  reason?: string;
  json?: boolean;
}

function addAddCommand(users: Command, cli: Cli): void {
  users
    .command('add <email>')
    .description('add a user with an empty or filled wallet')
    .option('--name <name>', 'name shown in the console (default: the e-mail address)')
    .addOption(roleOption().default('user'))
    .addOption(slotsOption())
    .option('--top-up <amount>', 'money in the wallet to begin with', amountAboveZero)
    .option('--reason <text>', 'why, for the audit')
    .option('--json', 'print the user as JSON')
    .action((email: string, options: AddOptions, command: Command) =>
      cli.on(command, async ({ admin }) => {
        const { name = email, role, slots = null, topUp = null, reason, json } = options;
        const user = await openAccount(admin(reason), {
          email,
          name,
          role,
          slotsMax: slots,
          topUp,
        });
        if (json) cli.json(presentUser(user));
        else cli.say(`${user.email} is added: ${user.id}`);
      }),
    );
}

function addListCommand(users: Command, cli: Cli): void {
  const command = users.command('list').description('all users, by e-mail address');
  addLimitOption(command)
    .option('--json', 'print JSON')
    .action(({ limit, json }: LimitOption & { json?: boolean }) =>
      cli.on(command, async ({ database }) => {
        const found = await collect(limit, (page) => listUsers(database, page));
        if (json) {
          cli.json({ users: found.items.map(presentUser), more: found.more });
          return;
        }
        printTable(cli.terminal, {
          rows: found.items,
          columns: userColumns,
          empty: 'There are no users. Add one: tintype users add',
        });
        noteMore(cli, found);
      }),
    );
}

function addShowCommand(users: Command, cli: Cli): void {
  users
    .command('show <user>')
    .description('one user, by e-mail address or ID')
    .option('--json', 'print JSON')
    .action((user: string, { json }: { json?: boolean }, command: Command) =>
      cli.on(command, async ({ database }) => {
        const presented = presentUser(await requireUser(database, user));
        if (json) cli.json(presented);
        else printFields(cli.terminal, Object.entries(presented));
      }),
    );
}

interface EditOptions {
  email?: string;
  name?: string;
  role?: Role;
  slots?: number;
  defaultSlots?: boolean;
  reason?: string;
}

function addEditCommand(users: Command, cli: Cli): void {
  users
    .command('edit <user>')
    .description('change the address, name, role or slots of a user')
    .option('--email <email>', 'new e-mail address')
    .option('--name <name>', 'new name')
    .addOption(roleOption())
    .addOption(slotsOption().conflicts('defaultSlots'))
    .option('--default-slots', 'back to the setting slots_per_user')
    .option('--reason <text>', 'why, for the audit')
    .action((user: string, options: EditOptions, command: Command) => {
      const patch = patchOf(options);
      return cli.on(command, async ({ admin }) => {
        const edited = await editUser(admin(options.reason), user, patch);
        cli.say(`${edited.email} is saved`);
      });
    });
}

function patchOf({ email, name, role, slots, defaultSlots }: EditOptions): UserPatch {
  const patch: UserPatch = {
    ...(email !== undefined && { email }),
    ...(name !== undefined && { name }),
    ...(role !== undefined && { role }),
    ...(slots !== undefined && { slotsMax: slots }),
    ...(defaultSlots && { slotsMax: null }),
  };
  if (Object.keys(patch).length > 0) return patch;
  throw new UsageError('nothing to change: see tintype users edit --help');
}

function addEnableCommands(users: Command, cli: Cli): void {
  const enabling = [
    { name: 'disable', enabled: false, description: 'stop a user and all their keys at once' },
    { name: 'enable', enabled: true, description: 'let a disabled user work again' },
  ];
  for (const { name, enabled, description } of enabling) {
    users
      .command(`${name} <user>`)
      .description(description)
      .option('--reason <text>', 'why, for the audit')
      .action((user: string, { reason }: { reason?: string }, command: Command) =>
        cli.on(command, async ({ admin }) => {
          const { email } = await setUserEnabled(admin(reason), user, enabled);
          cli.say(`${email} is ${enabled ? 'enabled' : 'disabled'}`);
        }),
      );
  }
}

function roleOption(): Option {
  return new Option('--role <role>', 'what the user may do').choices(roles);
}

function slotsOption(): Option {
  return new Option(
    '--slots <count>',
    'requests that may run at once, instead of the setting slots_per_user',
  ).argParser(integerArgument(0, userSlotsMax));
}

const userColumns: readonly Column<User>[] = [
  { title: 'EMAIL', cell: (user) => user.email },
  { title: 'NAME', cell: (user) => user.name },
  { title: 'ROLE', cell: (user) => user.role },
  { title: 'STATE', cell: stateOf },
  { title: 'SLOTS', cell: (user) => user.slotsMax ?? 'default', align: 'right' },
  { title: 'ID', cell: (user) => user.id },
];

function presentUser(user: User) {
  return {
    id: user.id,
    email: user.email,
    name: user.name,
    role: user.role,
    state: stateOf(user),
    slots_max: user.slotsMax,
    created_at: isoTime(user.createdAt),
    disabled_at: user.disabledAt === null ? null : isoTime(user.disabledAt),
    erased_at: user.erasedAt === null ? null : isoTime(user.erasedAt),
  };
}

function stateOf(user: User): 'active' | 'disabled' | 'erased' {
  if (user.erasedAt !== null) return 'erased';
  return user.disabledAt === null ? 'active' : 'disabled';
}
