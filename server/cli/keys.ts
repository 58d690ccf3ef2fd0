import type { Command } from 'commander';
import { type ApiKey, stateOfKey } from '../accounts/api-key.ts';
import { listApiKeys } from '../accounts/api-key-store.ts';
import { issueKey } from '../flows/issue-key.ts';
import { revokeKey } from '../flows/revoke-key.ts';
import { isoTime, parseInstant } from '../lib/time-text.ts';
import { asUsage, listArgument } from './arguments.ts';
import type { Cli } from './cli.ts';
import { type Column, printTable } from './output.ts';
import { type Emails, emailsOfOwners, ownerId } from './owners.ts';
import { addLimitOption, collect, type LimitOption, noteMore } from './paging.ts';

export function addKeyCommands(program: Command, cli: Cli): void {
  const keys = program.command('keys').description('API keys');
  addCreateCommand(keys, cli);
  addListCommand(keys, cli);
  addRevokeCommand(keys, cli);
}

interface CreateOptions {
  name: string;
  models?: readonly string[];
  expires?: string;
  zone: string;
  reason?: string;
  json?: boolean;
}

function addCreateCommand(keys: Command, cli: Cli): void {
  keys
    .command('create <user>')
    .description('issue a key; it is shown this once')
    .option('--name <name>', 'what the key is for', 'key')
    .option('--models <ids>', 'only these models, between commas', listArgument)
    .option('--expires <time>', 'day or instant from which on it is refused')
    .option('--zone <zone>', 'time zone of that day', 'UTC')
    .option('--reason <text>', 'why, for the audit')
    .option('--json', 'print the key and what is known of it as JSON')
    .action((user: string, options: CreateOptions, command: Command) => {
      const { name, models = null, expires, zone, reason, json } = options;
      const expiresAt =
        expires === undefined
          ? null
          : asUsage(() => parseInstant(expires, { zone, name: 'expires' }));
      return cli.on(command, async ({ admin, clock, config }) => {
        const prefix = config.keyPrefix;
        const issued = await issueKey(admin(reason), { user, name, prefix, models, expiresAt });
        const { key, secret } = issued;
        if (json) {
          cli.json({ ...presentKey(key, clock.now()), secret });
          return;
        }
        cli.note(`Key ${key.id}. Keep it now: it cannot be shown again.`);
        cli.say(secret);
      });
    });
}

function addListCommand(keys: Command, cli: Cli): void {
  const command = keys.command('list [user]').description('all keys, or those of a user');
  addLimitOption(command)
    .option('--json', 'print JSON')
    .action((user: string | undefined, { limit, json }: LimitOption & { json?: boolean }) =>
      cli.on(command, async ({ database, clock }) => {
        const userId = (await ownerId(database, user)) ?? null;
        const found = await collect(limit, (page) => listApiKeys(database, { userId }, page));
        const now = clock.now();
        if (json) {
          const presented = found.items.map((key) => presentKey(key, now));
          cli.json({ keys: presented, more: found.more });
          return;
        }
        printTable(cli.terminal, {
          rows: found.items,
          columns: keyColumns(await emailsOfOwners(database, found.items), now),
          empty: 'There are no API keys. Issue one: tintype keys create',
        });
        noteMore(cli, found);
      }),
    );
}

function addRevokeCommand(keys: Command, cli: Cli): void {
  keys
    .command('revoke <key-id>')
    .description('end a key for good; it fails at its next use')
    .option('--reason <text>', 'why, for the audit')
    .action((keyId: string, { reason }: { reason?: string }, command: Command) =>
      cli.on(command, async ({ admin }) => {
        const key = await revokeKey(admin(reason), keyId);
        cli.say(`${key.id} (${key.name}, …${key.lastFour}) is revoked`);
      }),
    );
}

function keyColumns(emails: Emails, nowMs: number): readonly Column<ApiKey>[] {
  return [
    { title: 'ID', cell: (key) => key.id },
    { title: 'USER', cell: (key) => emails.get(key.userId) ?? key.userId },
    { title: 'NAME', cell: (key) => key.name },
    { title: 'KEY', cell: (key) => `sk-${key.prefix}-…${key.lastFour}` },
    { title: 'STATE', cell: (key) => stateOfKey(key, nowMs) },
    {
      title: 'EXPIRES',
      cell: (key) => (key.expiresAt === null ? 'never' : isoTime(key.expiresAt)),
    },
    { title: 'MODELS', cell: (key) => key.models?.join(',') ?? 'all' },
  ];
}

function presentKey(key: ApiKey, nowMs: number) {
  return {
    id: key.id,
    user_id: key.userId,
    name: key.name,
    prefix: key.prefix,
    last_four: key.lastFour,
    state: stateOfKey(key, nowMs),
    models: key.models,
    created_at: isoTime(key.createdAt),
    expires_at: key.expiresAt === null ? null : isoTime(key.expiresAt),
    revoked_at: key.revokedAt === null ? null : isoTime(key.revokedAt),
  };
}
