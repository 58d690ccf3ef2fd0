import { type Command, Option } from 'commander';
import type { UpstreamSettings } from '../catalog/upstream.ts';
import { requireUpstream } from '../catalog/upstream-store.ts';
import { addUpstream, type NewUpstream } from '../flows/add-upstream.ts';
import { editUpstream, type UpstreamPatch } from '../flows/edit-upstream.ts';
import { syncUpstreamModels } from '../flows/sync-upstream-models.ts';
import { assignAll, removeAll } from './assignments.ts';
import type { Cli } from './cli.ts';
import {
  addConnectionOptions,
  type ConnectionOptions,
  type ConnectionSecrets,
  limitsOf,
  readConnectionSecrets,
} from './connection-options.ts';
import { UsageError } from './failure.ts';
import { requireKind, requirePreset } from './kinds.ts';
import { noteServing, sayModelListChange } from './selections.ts';

export function addUpstreamEditing(upstreams: Command, cli: Cli): void {
  addAddCommand(upstreams, cli);
  addEditCommand(upstreams, cli);
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
      const wanted = newUpstreamOf(name, options, startOf(options));
      const secrets = await readConnectionSecrets(cli, options);
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

function startOf({ kind, preset }: AddOptions): Start {
  return preset === undefined
    ? { baseUrl: null, settings: {} }
    : requirePreset(requireKind(kind), preset);
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
      const secrets = await readConnectionSecrets(cli, options);
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
  { credential, proxy, settings }: ConnectionSecrets & { settings: UpstreamSettings },
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
