import { readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { priorityMax, type UpstreamSettings, weightMax } from '../catalog/upstream.ts';
import { requireUpstream } from '../catalog/upstream-store.ts';
import { addUpstream } from '../flows/add-upstream.ts';
import { editUpstream, type UpstreamPatch } from '../flows/edit-upstream.ts';
import { syncUpstreamModels } from '../flows/sync-upstream-models.ts';
import { integerArgument } from './arguments.ts';
import type { Cli } from './cli.ts';
import { UsageError } from './failure.ts';
import { sayModelListChange } from './selections.ts';

export function addUpstreamEditing(upstreams: Command, cli: Cli): void {
  addAddCommand(upstreams, cli);
  addEditCommand(upstreams, cli);
}

interface ConnectionOptions {
  baseUrl?: string;
  credentialFile?: string;
  set: Settings;
  priority?: number;
  weight?: number;
  reason?: string;
}

type Settings = Readonly<Record<string, unknown>>;

interface AddOptions extends ConnectionOptions {
  kind: string;
  sync: boolean;
}

function addAddCommand(upstreams: Command, cli: Cli): void {
  const command = upstreams
    .command('add <name>')
    .description('add an upstream and fetch its model list')
    .requiredOption('--kind <kind>', 'its protocol: see tintype upstreams kinds');
  addConnectionOptions(command)
    .option('--no-sync', 'do not fetch the model list yet')
    .action(async (name: string, options: AddOptions) => {
      const { kind, baseUrl = null, set: settings, priority = 0, weight = 1, reason } = options;
      const credential = await readCredential(cli, options.credentialFile);
      await cli.on(command, async ({ admin, upstreamAccess }) => {
        const access = upstreamAccess();
        const wanted = { name, kind, baseUrl, credential, settings, priority, weight };
        const upstream = await addUpstream(admin(reason), access, wanted);
        cli.say(`${name} is added: ${upstream.id}`);
        if (!options.sync) return;
        sayModelListChange(cli, await syncUpstreamModels(admin(reason), access, upstream.id));
      });
    });
}

interface EditOptions extends ConnectionOptions {
  name?: string;
  unset?: readonly string[];
}

function addEditCommand(upstreams: Command, cli: Cli): void {
  const command = upstreams
    .command('edit <upstream>')
    .description('change an upstream; what is not named stays')
    .option('--name <name>', 'new name');
  addConnectionOptions(command)
    .option('--unset <name...>', 'settings to remove')
    .action(async (upstream: string, options: EditOptions) => {
      const credential = await readCredential(cli, options.credentialFile);
      await cli.on(command, async ({ admin, database, upstreamAccess }) => {
        const { settings } = await requireUpstream(database, upstream);
        const patch = patchOf(options, { credential, settings });
        const edited = await editUpstream(admin(options.reason), upstreamAccess(), {
          upstream,
          patch,
        });
        cli.say(`${edited.name} is saved`);
      });
    });
}

function patchOf(
  { name, baseUrl, priority, weight, set, unset = [] }: EditOptions,
  { credential, settings }: { credential: string | null; settings: UpstreamSettings },
): UpstreamPatch {
  const kept = Object.entries({ ...settings, ...set }).filter(([key]) => !unset.includes(key));
  const changesSettings = Object.keys(set).length > 0 || unset.length > 0;
  const patch: UpstreamPatch = {
    ...(name !== undefined && { name }),
    ...(baseUrl !== undefined && { baseUrl }),
    ...(credential !== null && { credential }),
    ...(changesSettings && { settings: Object.fromEntries(kept) }),
    ...(priority !== undefined && { priority }),
    ...(weight !== undefined && { weight }),
  };
  if (Object.keys(patch).length > 0) return patch;
  throw new UsageError('nothing to change: see tintype upstreams edit --help');
}

function addConnectionOptions(command: Command): Command {
  return command
    .option('--base-url <url>', 'where it is')
    .option('--credential-file <file>', 'file that holds its credential; - reads standard input')
    .addOption(
      new Option(
        '--set <name=value>',
        'a setting of its kind; the value as JSON, or as text; may be repeated',
      )
        .default({}, 'none')
        .argParser(addSetting),
    )
    .option('--priority <number>', 'lower goes first (default: 0)', integerArgument(0, priorityMax))
    .option(
      '--weight <number>',
      'share among upstreams of one priority (default: 1)',
      integerArgument(1, weightMax),
    )
    .option('--reason <text>', 'why, for the audit');
}

function addSetting(text: string, settings: Settings): Settings {
  const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) {
    throw new InvalidArgumentError('It must be name=value.');
  }
  return { ...settings, [name]: readValue(value) };
}

function readValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Never from the command line itself, which every user of the machine can read. */
async function readCredential(cli: Cli, file: string | undefined): Promise<string | null> {
  if (file === undefined) return null;
  const credential = (file === '-' ? await cli.terminal.input() : readCredentialFile(file)).trim();
  if (credential === '') throw new UsageError('the credential is empty');
  return credential;
}

function readCredentialFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`the credential file cannot be read: ${reason}`);
  }
}
