import { type Command, Option } from 'commander';
import {
  priorityMax,
  type UpstreamLimits,
  type UpstreamSettings,
  upstreamLimitBounds,
  weightMax,
} from '../catalog/upstream.ts';
import { requireUpstream } from '../catalog/upstream-store.ts';
import { addUpstream, type NewUpstream } from '../flows/add-upstream.ts';
import { editUpstream, type UpstreamPatch } from '../flows/edit-upstream.ts';
import { syncUpstreamModels } from '../flows/sync-upstream-models.ts';
import { integerArgument } from './arguments.ts';
import { type Assignment, assignAll, readAssignment, removeAll } from './assignments.ts';
import type { Cli } from './cli.ts';
import { durationArgument } from './durations.ts';
import { UsageError } from './failure.ts';
import { requireKind, requirePreset } from './kinds.ts';
import { orInput, readSecretIfNamed } from './secret-input.ts';
import { noteServing, sayModelListChange } from './selections.ts';

export function addUpstreamEditing(upstreams: Command, cli: Cli): void {
  addAddCommand(upstreams, cli);
  addEditCommand(upstreams, cli);
}

interface ConnectionOptions {
  baseUrl?: string;
  credentialFile?: string;
  proxyFile?: string;
  set: readonly Assignment[];
  concurrency?: number | null;
  queue?: number;
  queueWait?: number;
  firstByte?: number;
  idle?: number;
  priority?: number;
  weight?: number;
  reason?: string;
}

interface AddOptions extends ConnectionOptions {
  kind: string;
  preset?: string;
  sync: boolean;
}

function addAddCommand(upstreams: Command, cli: Cli): void {
  const command = upstreams
    .command('add <name>')
    .description('add an upstream and fetch its model list')
    .requiredOption('--kind <kind>', 'its protocol: see tintype upstreams kinds')
    .option('--preset <title>', 'base URL and settings to begin with: see tintype upstreams kinds');
  addConnectionOptions(command)
    .option('--no-sync', 'do not fetch the model list yet')
    .action(async (name: string, options: AddOptions) => {
      const wanted = newUpstreamOf(name, options, startOf(cli, options));
      const secrets = await readSecrets(cli, options);
      await cli.on(command, async ({ admin, upstreamAccess }) => {
        const access = upstreamAccess();
        const upstream = await addUpstream(admin(options.reason), access, {
          ...wanted,
          ...secrets,
        });
        cli.say(`${name} is added: ${upstream.id}`);
        if (!options.sync) return;
        sayModelListChange(
          cli,
          await syncUpstreamModels(admin(options.reason), access, upstream.id),
        );
      });
    });
}

interface Start {
  baseUrl: string | null;
  settings: UpstreamSettings;
}

function startOf(cli: Cli, { kind, preset }: AddOptions): Start {
  return preset === undefined
    ? { baseUrl: null, settings: {} }
    : requirePreset(requireKind(cli, kind), preset);
}

function newUpstreamOf(
  name: string,
  options: AddOptions,
  start: Start,
): Omit<NewUpstream, 'credential' | 'proxy'> {
  const { kind, baseUrl = start.baseUrl, set, priority = 0, weight = 1 } = options;
  const settings = assignAll(start.settings, set);
  return { name, kind, baseUrl, settings, limits: limitsOf(options), priority, weight };
}

interface EditOptions extends ConnectionOptions {
  name?: string;
  unset?: readonly string[];
  /** False when the proxy is to be forgotten. */
  proxy: boolean;
}

function addEditCommand(upstreams: Command, cli: Cli): void {
  const command = upstreams
    .command('edit <upstream>')
    .description('change an upstream; what is not named stays')
    .option('--name <name>', 'new name');
  addConnectionOptions(command)
    .addOption(new Option('--no-proxy', 'reach it without a proxy').conflicts('proxyFile'))
    .option('--unset <name...>', 'settings to remove')
    .action(async (upstream: string, options: EditOptions) => {
      const secrets = await readSecrets(cli, options);
      await cli.on(command, async ({ admin, database, upstreamAccess }) => {
        const { settings } = await requireUpstream(database, upstream);
        const patch = patchOf(options, { ...secrets, settings });
        const wanted = { upstream, patch };
        const edited = await editUpstream(admin(options.reason), upstreamAccess(), wanted);
        cli.say(`${edited.result.name} is saved`);
        noteServing(cli, edited);
      });
    });
}

function patchOf(
  options: EditOptions,
  { credential, proxy, settings }: Secrets & { settings: UpstreamSettings },
): UpstreamPatch {
  const { name, baseUrl, priority, weight, set, unset = [] } = options;
  const limits = limitsOf(options);
  const patch: UpstreamPatch = {
    ...(name !== undefined && { name }),
    ...(baseUrl !== undefined && { baseUrl }),
    ...(credential !== null && { credential }),
    ...(set.length + unset.length > 0 && { settings: removeAll(assignAll(settings, set), unset) }),
    ...(Object.keys(limits).length > 0 && { limits }),
    ...(proxy !== null && { proxy }),
    ...(!options.proxy && { proxy: null }),
    ...(priority !== undefined && { priority }),
    ...(weight !== undefined && { weight }),
  };
  if (Object.keys(patch).length > 0) return patch;
  throw new UsageError('nothing to change: see tintype upstreams edit --help');
}

function addConnectionOptions(command: Command): Command {
  const { concurrencyMax, queueMax, queueWaitMs, firstByteMs, idleMs } = upstreamLimitBounds;
  return command
    .option('--base-url <url>', 'where it is')
    .option('--credential-file <file>', `file that holds its credential; ${orInput}`)
    .option('--proxy-file <file>', `file that holds the URL of the proxy to it; ${orInput}`)
    .addOption(
      new Option(
        '--set <name=value>',
        'a setting of its kind, or one in it (a.b=value); the value as JSON, as text, or @file; may be repeated',
      )
        .default([], 'none')
        .argParser(readAssignment),
    )
    .option('--concurrency <number>', 'calls at once, or none for any number', readConcurrency)
    .option('--queue <number>', 'calls that may wait for one to end', integerWithin(queueMax))
    .option('--queue-wait <time>', 'how long one waits', durationArgument(queueWaitMs))
    .option(
      '--first-byte <time>',
      'how long an answer may take to begin',
      durationArgument(firstByteMs),
    )
    .option('--idle <time>', 'longest silence within an answer', durationArgument(idleMs))
    .option('--priority <number>', 'lower goes first (default: 0)', integerArgument(0, priorityMax))
    .option(
      '--weight <number>',
      'share among upstreams of one priority (default: 1)',
      integerArgument(1, weightMax),
    )
    .option('--reason <text>', 'why, for the audit');

  function readConcurrency(text: string): number | null {
    return text === 'none' ? null : integerWithin(concurrencyMax)(text);
  }
}

function integerWithin({ min, max }: { min: number; max: number }): (text: string) => number {
  return integerArgument(min, max);
}

function limitsOf(options: ConnectionOptions): Partial<UpstreamLimits> {
  const { concurrency, queue, queueWait, firstByte, idle } = options;
  return {
    ...(concurrency !== undefined && { concurrencyMax: concurrency }),
    ...(queue !== undefined && { queueMax: queue }),
    ...(queueWait !== undefined && { queueWaitMs: queueWait }),
    ...(firstByte !== undefined && { firstByteMs: firstByte }),
    ...(idle !== undefined && { idleMs: idle }),
  };
}

interface Secrets {
  /** Null where none was given. */
  credential: string | null;
  proxy: string | null;
}

async function readSecrets(
  cli: Cli,
  { credentialFile, proxyFile }: ConnectionOptions,
): Promise<Secrets> {
  if (credentialFile === '-' && proxyFile === '-') {
    throw new UsageError('only one of credential and proxy can come from standard input');
  }
  return {
    credential: await readSecretIfNamed(cli, { file: credentialFile, what: 'credential' }),
    proxy: await readSecretIfNamed(cli, { file: proxyFile, what: 'proxy' }),
  };
}
