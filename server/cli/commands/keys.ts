import type { Command } from 'commander';
import { type Amount, formatAmount } from '../../../shared/money.ts';
import { type ApiKey, stateOfKey } from '../../accounts/api-key.ts';
import { listApiKeys, requireApiKey } from '../../accounts/api-key-store.ts';
import {
  type KeyBudget,
  type KeyLimits,
  keySlotsMost,
  presentLimits,
} from '../../accounts/key-budget.ts';
import { readKeyBudget, readKeyBudgets } from '../../accounts/key-budget-store.ts';
import { changeKeyLimits } from '../../flows/keys/change-key-limits.ts';
import { issueKey } from '../../flows/keys/issue-key.ts';
import { revokeKey } from '../../flows/keys/revoke-key.ts';
import { must } from '../../lib/assert.ts';
import { isoTime, parseInstant, parseZone, timeOrNull, utcTime } from '../../lib/time-text.ts';
import { amountAboveZero, asUsage, integerArgument, listArgument } from '../arguments.ts';
import type { Cli } from '../cli.ts';
import { UsageError } from '../failure.ts';
import { type Column, printFields, printTable } from '../output.ts';
import { type Emails, emailsOfOwners, ownerId } from '../owners.ts';
import { addLimitOption, collect, type LimitOption, noteMore } from '../paging.ts';
import { addEditCommand, addEnableCommands, addRotateCommand } from './edit-keys.ts';

export function addKeyCommands(program: Command, cli: Cli): void {
  const keys = program.command('keys').description('API keys');
  addCreateCommand(keys, cli);
  addListCommand(keys, cli);
  addShowCommand(keys, cli);
  addEditCommand(keys, cli);
  addLimitCommand(keys, cli);
  addRotateCommand(keys, cli);
  addEnableCommands(keys, cli);
  addRevokeCommand(keys, cli);
}

interface CreateOptions {
  name: string;
  models?: readonly string[];
  addresses?: readonly string[];
  expires?: string;
  zone: string;
  slots?: number;
  spendLimit?: Amount;
  monthlyLimit?: Amount;
  reason?: string;
  json?: boolean;
}

function addCreateCommand(keys: Command, cli: Cli): void {
  keys
    .command('create <user>')
    .description('issue a key, which is shown only this once')
    .option('--name <name>', 'name of the key, to recognise it by', 'key')
    .option('--models <ids>', 'only these models, separated by commas', listArgument)
    .option(
      '--addresses <list>',
      'only from these addresses and ranges, separated by commas',
      listArgument,
    )
    .option('--expires <time>', 'day or time from which it is refused')
    .option(
      '--slots <number>',
      'how many of its requests may run at once',
      integerArgument(1, keySlotsMost),
    )
    .option('--spend-limit <amount>', 'what it may spend in total', amountAboveZero)
    .option('--monthly-limit <amount>', 'what it may spend in a calendar month', amountAboveZero)
    .option('--zone <zone>', 'time zone of that day and of the months', 'UTC')
    .option('--reason <text>', 'why, for the audit')
    .option('--json', 'print the key and what is known of it as JSON')
    .action((user: string, options: CreateOptions, command: Command) => {
      const { name, models = null, addresses = null, expires, zone, reason, json } = options;
      const limits: KeyLimits = {
        slotsMax: options.slots ?? null,
        spendMax: options.spendLimit ?? null,
        monthlySpendMax: options.monthlyLimit ?? null,
        zone: asUsage(() => parseZone(zone)),
      };
      const expiresAt =
        expires === undefined
          ? null
          : asUsage(() => parseInstant(expires, { zone, name: 'expires' }));
      return cli.on(command, async ({ admin, clock, config }) => {
        const prefix = config.keyPrefix;
        const wanted = { user, name, prefix, models, addresses, expiresAt, limits };
        const { key, secret } = await issueKey(admin(reason), wanted);
        if (json) {
          cli.json({ ...presentKey(key, clock.now()), ...presentLimits(limits), secret });
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
        const ids = found.items.map(({ id }) => id);
        const budgets = await readKeyBudgets(database, ids);
        if (json) {
          const presented = found.items.map((key) => ({
            ...presentKey(key, now),
            ...presentBudget(must(budgets.get(key.id), 'the budget of a key')),
          }));
          cli.json({ keys: presented, more: found.more });
          return;
        }
        printTable(cli.terminal, {
          rows: found.items,
          columns: keyColumns(await emailsOfOwners(database, found.items), budgets, now),
          empty: 'There are no API keys. Issue one: tintype keys create',
        });
        noteMore(cli, found);
      }),
    );
}

function addShowCommand(keys: Command, cli: Cli): void {
  keys
    .command('show <key-id>')
    .description('one key: its limits, what it spent, when it was last used')
    .option('--json', 'print JSON')
    .action((keyId: string, { json }: { json?: boolean }, command: Command) =>
      cli.on(command, async ({ database, clock }) => {
        const key = await requireApiKey(database, { keyId, userId: null });
        const budget = must(await readKeyBudget(database, keyId), 'the budget of a key');
        const presented = { ...presentKey(key, clock.now()), ...presentBudget(budget) };
        if (json) {
          cli.json(presented);
          return;
        }
        const { models, addresses, ...rest } = presented;
        const lists = {
          models: models?.join(', ') ?? 'all',
          addresses: addresses?.join(', ') ?? 'all',
        };
        printFields(cli.terminal, Object.entries({ ...rest, ...lists }));
      }),
    );
}

interface LimitOptions {
  slots?: number;
  spendLimit?: Amount;
  monthlyLimit?: Amount;
  none?: boolean;
  zone?: string;
  reason?: string;
}

function addLimitCommand(keys: Command, cli: Cli): void {
  keys
    .command('limit <key-id>')
    .description('change what a key may spend and run at once')
    .option(
      '--slots <number>',
      'how many of its requests may run at once',
      integerArgument(1, keySlotsMost),
    )
    .option('--spend-limit <amount>', 'what it may spend in total', amountAboveZero)
    .option('--monthly-limit <amount>', 'what it may spend in a calendar month', amountAboveZero)
    .option('--zone <zone>', 'time zone of the months')
    .option('--none', 'remove the limits that are not named')
    .option('--reason <text>', 'why, for the audit')
    .action((keyId: string, options: LimitOptions, command: Command) => {
      const patch = limitsOf(options);
      return cli.on(command, async ({ admin }) => {
        const key = await changeKeyLimits(admin(options.reason), keyId, patch);
        cli.say(`the limits of ${key.id} (${key.name}, …${key.lastFour}) are saved`);
      });
    });
}

function limitsOf({ slots, spendLimit, monthlyLimit, none, zone }: LimitOptions) {
  const lifted = none ? { slotsMax: null, spendMax: null, monthlySpendMax: null } : {};
  const patch: Partial<KeyLimits> = {
    ...lifted,
    ...(slots !== undefined && { slotsMax: slots }),
    ...(spendLimit !== undefined && { spendMax: spendLimit }),
    ...(monthlyLimit !== undefined && { monthlySpendMax: monthlyLimit }),
    ...(zone !== undefined && { zone: asUsage(() => parseZone(zone)) }),
  };
  if (Object.keys(patch).length > 0) return patch;
  throw new UsageError('name a limit: --slots, --spend-limit, --monthly-limit or --none');
}

function addRevokeCommand(keys: Command, cli: Cli): void {
  keys
    .command('revoke <key-id>')
    .description('end a key at once and for good')
    .option('--reason <text>', 'why, for the audit')
    .action((keyId: string, { reason }: { reason?: string }, command: Command) =>
      cli.on(command, async ({ admin }) => {
        const key = await revokeKey(admin(reason), { keyId, userId: null });
        cli.say(`${key.id} (${key.name}, …${key.lastFour}) is revoked`);
      }),
    );
}

function keyColumns(
  emails: Emails,
  budgets: ReadonlyMap<string, KeyBudget>,
  nowMs: number,
): readonly Column<ApiKey>[] {
  const budgetOf = ({ id }: ApiKey) => must(budgets.get(id), 'the budget of a key');
  return [
    { title: 'ID', cell: (key) => key.id },
    { title: 'USER', cell: (key) => emails.get(key.userId) ?? key.userId },
    { title: 'NAME', cell: (key) => key.name },
    { title: 'KEY', cell: (key) => `sk-${key.prefix}-…${key.lastFour}` },
    { title: 'STATE', cell: (key) => stateOfKey(key, nowMs) },
    {
      title: 'EXPIRES (UTC)',
      cell: (key) => (key.expiresAt === null ? 'never' : utcTime(key.expiresAt)),
    },
    {
      title: 'SPENT',
      cell: (key) => presentSpent(budgetOf(key).spent) ?? 'more than an amount',
      align: 'right',
    },
    { title: 'LIMITS', cell: (key) => describeLimits(budgetOf(key).limits) },
    {
      title: 'LAST USED (UTC)',
      cell: (key) => (key.lastUsedAt === null ? 'never' : utcTime(key.lastUsedAt)),
    },
    { title: 'MODELS', cell: (key) => key.models?.join(',') ?? 'all' },
    { title: 'ADDRESSES', cell: (key) => key.addresses?.join(',') ?? 'all' },
  ];
}

function describeLimits({ slotsMax, spendMax, monthlySpendMax }: KeyLimits): string {
  const limits = [
    spendMax === null ? null : formatAmount(spendMax),
    monthlySpendMax === null ? null : `${formatAmount(monthlySpendMax)}/month`,
    slotsMax === null ? null : `${slotsMax} at once`,
  ].filter((limit) => limit !== null);
  return limits.length === 0 ? 'none' : limits.join(', ');
}

function presentBudget({ limits, spent, month, spentInMonth }: KeyBudget) {
  return {
    ...presentLimits(limits),
    spent: presentSpent(spent),
    month,
    spent_in_month: presentSpent(spentInMonth),
  };
}

/** Null for more than an amount can be. */
function presentSpent(spent: Amount | null): string | null {
  return spent === null ? null : formatAmount(spent);
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
    expires_at: timeOrNull(key.expiresAt),
    revoked_at: timeOrNull(key.revokedAt),
    disabled_at: timeOrNull(key.disabledAt),
    addresses: key.addresses,
    last_used_at: timeOrNull(key.lastUsedAt),
    previous_secret_until: timeOrNull(key.previousUntil),
  };
}
