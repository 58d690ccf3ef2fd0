import { type Command, Option } from 'commander';
import type { FieldChange } from '../../../shared/console/field-change.ts';
import type { Upstream, UpstreamSettings } from '../../catalog/upstream.ts';
import { requireUpstream } from '../../catalog/upstream-store.ts';
import { addUpstream, type NewUpstream } from '../../flows/upstreams/add-upstream.ts';
import { editUpstream, type UpstreamPatch } from '../../flows/upstreams/edit-upstream.ts';
import { syncUpstreamModels } from '../../flows/upstreams/sync-upstream-models.ts';
import type { AdapterKind } from '../../upstreams/adapter-kind.ts';
import { hasPlaceholderHost } from '../../upstreams/placeholder-host.ts';
import { adapterKinds } from '../../upstreams/registry.ts';
import { asking } from '../asking.ts';
import { type Assignment, assignAll, removeAll } from '../assignments.ts';
import type { Cli } from '../cli.ts';
import { UsageError } from '../failure.ts';
import { whileTimed } from '../running-timer.ts';
import {
  addConnectionOptions,
  type ConnectionOptions,
  type ConnectionSecrets,
  limitsOf,
  priorityDefault,
  readConnectionSecrets,
  weightDefault,
} from './connection-options.ts';
import { requireKind, requirePreset } from './kinds.ts';
import { noteServing, sayModelListChange } from './selections.ts';

export function addUpstreamEditing(upstreams: Command, cli: Cli): void {
  addAddCommand(upstreams, cli);
  addEditCommand(upstreams, cli);
}

interface AddOptions extends ConnectionOptions {
  kind?: string;
  preset?: string;
  sync: boolean;
}

function addAddCommand(upstreams: Command, cli: Cli): void {
  const command = upstreams
    .command('add [name]')
    .usage('<name> --kind <kind> [options]')
    .description('add an upstream and fetch its model list')
    .option('--kind <kind>', 'its protocol: see tintype upstreams kinds')
    .option('--preset <title>', 'base URL and settings to begin with: see tintype upstreams kinds');
  addConnectionOptions(command, { isNew: true })
    .option('--no-sync', 'do not fetch the model list yet')
    .action(async (givenName: string | undefined, options: AddOptions) => {
      const { name, kind } = requireNamed(givenName, options);
      const start = startOf(requireKind(cli.kinds, kind), options);
      const wanted = newUpstreamOf({ name, kind }, options, start);
      const secrets = await readConnectionSecrets(cli, options);
      await cli.on(command, async ({ admin, clock, upstreamAccess }) => {
        const access = upstreamAccess();
        const upstream = await addUpstream(admin(options.reason), access, {
          ...wanted,
          ...secrets,
        });
        cli.say(`${name} is added: ${upstream.id}`);
        if (!options.sync) return;
        const syncing = syncUpstreamModels(admin(options.reason), access, upstream.id);
        const change = await whileTimed(
          { terminal: cli.terminal, clock },
          `asking ${name} for its model list`,
          asking(upstream, syncing, adviceOn(upstream)),
        );
        sayModelListChange(cli, change);
      });
    });
}

/** Says all that is missing at once. */
function requireNamed(
  name: string | undefined,
  { kind }: AddOptions,
): { name: string; kind: string } {
  if (name !== undefined && kind !== undefined) return { name, kind };
  const missing = [
    ...(name === undefined ? ['a name of your choice'] : []),
    ...(kind === undefined ? [`--kind (${[...adapterKinds.keys()].join(', ')})`] : []),
  ];
  throw new UsageError(
    `an upstream needs ${missing.join(' and ')}, mostly also --credential-file <file>, and --preset <title> or --base-url <url>: see tintype upstreams kinds`,
  );
}

/** It is added all the same, so the command cannot simply be typed again. */
function adviceOn({ name }: Upstream): readonly string[] {
  return [
    `${name} is kept, without a model list. Mend what is wrong, and fetch the list:`,
    `  tintype upstreams edit ${name} --base-url <url> --credential-file <file>`,
    `  tintype upstreams sync ${name}`,
    'Or remove it:',
    `  tintype upstreams disable ${name}`,
    `  tintype upstreams remove ${name}`,
  ];
}

interface Start {
  baseUrl: string | null;
  settings: UpstreamSettings;
}

function startOf(kind: AdapterKind, { preset: title, baseUrl }: AddOptions): Start {
  if (title === undefined) return { baseUrl: null, settings: {} };
  const preset = requirePreset(kind, title);
  if (baseUrl === undefined && hasPlaceholderHost(preset)) {
    throw new UsageError(
      `the preset "${preset.title}" needs --base-url <url>: in ${preset.baseUrl}, put the name that is yours`,
    );
  }
  return preset;
}

function newUpstreamOf(
  { name, kind }: { name: string; kind: string },
  options: AddOptions,
  start: Start,
): Omit<NewUpstream, 'credential' | 'proxy'> {
  const {
    baseUrl = start.baseUrl,
    set,
    priority = priorityDefault,
    weight = weightDefault,
  } = options;
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
  addConnectionOptions(command, { isNew: false })
    .addOption(new Option('--no-proxy', 'reach it without a proxy').conflicts('proxyFile'))
    .option('--unset <name...>', 'settings to remove')
    .action(async (upstream: string, options: EditOptions) => {
      const secrets = await readConnectionSecrets(cli, options);
      await cli.on(command, async ({ admin, database, upstreamAccess }) => {
        const { settings } = await requireUpstream(database, upstream);
        const patch = patchOf(options, { ...secrets, settings });
        const wanted = { upstream, patch };
        const edited = await editUpstream(admin(options.reason), upstreamAccess(), wanted);
        cli.say(`${edited.result.name} is saved`);
        noteServing(cli, edited);
        const { baseUrl, credential, settingsChanges } = patch;
        const ofItsList = [baseUrl, credential, settingsChanges];
        if (ofItsList.every((change) => change === undefined)) return;
        cli.note(`Fetch its model list: tintype upstreams sync ${edited.result.name}`);
      });
    });
}

/** Made to the settings as they are when they are stored; whether they can be made is said before. */
function changesOf(
  settings: UpstreamSettings,
  { set, unset }: { set: readonly Assignment[]; unset: readonly string[] },
): readonly FieldChange[] {
  removeAll(assignAll(settings, set), unset);
  return [
    ...set.map(({ name, value }) => ({ path: name.split('.'), value })),
    ...unset.map((name) => ({ path: name.split('.') })),
  ];
}

function patchOf(
  options: EditOptions,
  { credential, proxy, settings }: ConnectionSecrets & { settings: UpstreamSettings },
): UpstreamPatch {
  const { name, baseUrl, priority, weight, set, unset = [] } = options;
  const limits = limitsOf(options);
  const patch: UpstreamPatch = {
    ...(name !== undefined && { name }),
    ...(baseUrl !== undefined && { baseUrl }),
    ...(credential !== null && { credential }),
    ...(set.length + unset.length > 0 && { settingsChanges: changesOf(settings, { set, unset }) }),
    ...(Object.keys(limits).length > 0 && { limits }),
    ...(proxy !== null && { proxy }),
    ...(!options.proxy && { proxy: null }),
    ...(priority !== undefined && { priority }),
    ...(weight !== undefined && { weight }),
  };
  if (Object.keys(patch).length > 0) return patch;
  throw new UsageError('nothing to change: see tintype upstreams edit --help');
}
