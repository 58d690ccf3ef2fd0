/** What may be changed about an API key that was issued: `keys edit`, `disable`, `enable`, `rotate`. */
import { type Command, Option } from 'commander';
import { keyLimits } from '../../accounts/api-key.ts';
import { editKey, type KeyEdit } from '../../flows/keys/edit-key.ts';
import { enableKey } from '../../flows/keys/enable-key.ts';
import { rotateKey } from '../../flows/keys/rotate-key.ts';
import { isoTime, parseInstant } from '../../lib/time-text.ts';
import { asUsage, listArgument, refuseIdleZone } from '../arguments.ts';
import type { Cli } from '../cli.ts';
import { durationArgument } from '../durations.ts';
import { UsageError } from '../failure.ts';

interface EditOptions {
  name?: string;
  models?: readonly string[];
  allModels?: boolean;
  expires?: string;
  neverExpires?: boolean;
  zone: string;
  addresses?: readonly string[];
  allAddresses?: boolean;
  reason?: string;
}

export function addEditCommand(keys: Command, cli: Cli): void {
  keys
    .command('edit <key-id>')
    .description('change what a key is called, which models it may use, from where and until when')
    .option('--name <name>', 'name of the key, to recognise it by')
    .addOption(
      new Option('--models <ids>', 'only these models, separated by commas')
        .argParser(listArgument)
        .conflicts('allModels'),
    )
    .option('--all-models', 'any model')
    .addOption(
      new Option('--expires <time>', 'day or time from which it is refused').conflicts(
        'neverExpires',
      ),
    )
    .option('--never-expires', 'valid until it is revoked')
    .option('--zone <zone>', 'time zone of that day', 'UTC')
    .addOption(
      new Option('--addresses <list>', 'only from these addresses and ranges, separated by commas')
        .argParser(listArgument)
        .conflicts('allAddresses'),
    )
    .option('--all-addresses', 'from anywhere')
    .option('--reason <text>', 'why, for the audit')
    .action((keyId: string, options: EditOptions, command: Command) => {
      refuseIdleZone(command);
      const edit = editOf(options);
      return cli.on(command, async ({ admin }) => {
        const key = await editKey(admin(options.reason), { keyId, userId: null }, edit);
        cli.say(`${key.id} (${key.name}, …${key.lastFour}) is saved`);
      });
    });
}

function editOf(options: EditOptions): KeyEdit {
  const { name, expires, zone } = options;
  const models = options.allModels ? null : options.models;
  const addresses = options.allAddresses ? null : options.addresses;
  const edit: KeyEdit = {
    ...(name !== undefined && { name }),
    ...(models !== undefined && { models }),
    ...(addresses !== undefined && { addresses }),
    ...(options.neverExpires && { expiresAt: null }),
    ...(expires !== undefined && {
      expiresAt: asUsage(() => parseInstant(expires, { zone, name: 'expires' })),
    }),
  };
  if (Object.keys(edit).length > 0) return edit;
  throw new UsageError('name what to change: --name, --models, --addresses, --expires');
}

export function addEnableCommands(keys: Command, cli: Cli): void {
  for (const [verb, enabled, description] of [
    ['disable', false, 'let a key no longer work, until it is enabled again'],
    ['enable', true, 'let a disabled key work again'],
  ] as const) {
    keys
      .command(`${verb} <key-id>`)
      .description(description)
      .option('--reason <text>', 'why, for the audit')
      .action((keyId: string, { reason }: { reason?: string }, command: Command) =>
        cli.on(command, async ({ admin }) => {
          const key = await enableKey(admin(reason), { keyId, userId: null }, enabled);
          cli.say(`${key.id} (${key.name}, …${key.lastFour}) is ${verb}d`);
        }),
      );
  }
}

export function addRotateCommand(keys: Command, cli: Cli): void {
  keys
    .command('rotate <key-id>')
    .description('give a key a new secret, which is shown only this once')
    .option(
      '--overlap <time>',
      'how long the previous secret goes on working',
      durationArgument({ min: 0, max: keyLimits.overlapMsMax }),
      0,
    )
    .option('--reason <text>', 'why, for the audit')
    .action(
      (
        keyId: string,
        { overlap: overlapMs, reason }: { overlap: number; reason?: string },
        command: Command,
      ) =>
        cli.on(command, async ({ admin, config }) => {
          const rotation = { prefix: config.keyPrefix, overlapMs };
          const choice = { keyId, userId: null };
          const { key, secret } = await rotateKey(admin(reason), choice, rotation);
          const until = key.previousUntil;
          cli.note(
            until === null
              ? `Key ${key.id}. The previous secret no longer works.`
              : `Key ${key.id}. The previous secret works until ${isoTime(until)}.`,
          );
          cli.say(secret);
        }),
    );
}
