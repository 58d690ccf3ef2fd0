import type { Command } from 'commander';
import { listSelections, listUpstreamModels } from '../../catalog/selection-store.ts';
import type { UpstreamModel } from '../../catalog/upstream.ts';
import { listUpstreamChecks } from '../../catalog/upstream-check-store.ts';
import { listUpstreamKeys } from '../../catalog/upstream-key-store.ts';
import { listUpstreams, requireUpstream } from '../../catalog/upstream-store.ts';
import { setEnabledOfUpstream } from '../../flows/upstreams/enable-upstream.ts';
import { removeUpstream } from '../../flows/upstreams/remove-upstream.ts';
import { isoTime, utcTime } from '../../lib/time-text.ts';
import { adapterKinds } from '../../upstreams/registry.ts';
import type { Cli } from '../cli.ts';
import { type Column, printFields, printTable } from '../output.ts';
import { addUpstreamEditing } from './edit-upstreams.ts';
import { addKindsCommand } from './kinds.ts';
import {
  presentShown,
  presentUpstream,
  upstreamColumns,
  upstreamFields,
} from './present-upstream.ts';
import { addRekeyCommand } from './rekey.ts';
import { addSelectionCommands, noteServing } from './selections.ts';
import { addTestCommand } from './test-upstream.ts';
import { addUpstreamKeyCommands, noteIdle } from './upstream-keys.ts';

export function addUpstreamCommands(program: Command, cli: Cli): void {
  const upstreams = program
    .command('upstreams')
    .description('image services that make the pictures');
  addKindsCommand(upstreams, cli);
  addListCommand(upstreams, cli);
  addShowCommand(upstreams, cli);
  addUpstreamEditing(upstreams, cli);
  addUpstreamKeyCommands(upstreams, cli);
  addTestCommand(upstreams, cli);
  addModelsCommand(upstreams, cli);
  addSelectionCommands(upstreams, cli);
  addEnableCommands(upstreams, cli);
  addRemoveCommand(upstreams, cli);
  addRekeyCommand(upstreams, cli);
}

function addListCommand(upstreams: Command, cli: Cli): void {
  upstreams
    .command('list')
    .description('all upstreams in the order in which they are tried')
    .option('--json', 'print JSON')
    .action(({ json }: { json?: boolean }, command: Command) =>
      cli.on(command, async ({ database }) => {
        const keys = await listUpstreamKeys(database, { upstreamId: null });
        const checks = await listUpstreamChecks(database, { upstreamId: null });
        const rows = (await listUpstreams(database)).map((upstream) => ({
          upstream,
          keys: keys.filter(({ upstreamId }) => upstreamId === upstream.id),
          check: checks.find(({ upstreamId }) => upstreamId === upstream.id) ?? null,
        }));
        if (json) cli.json({ upstreams: rows.map(presentUpstream) });
        else {
          printTable(cli.terminal, {
            rows,
            columns: upstreamColumns,
            empty: 'There are no upstreams. Add one: tintype upstreams add <name> --kind <kind>',
          });
        }
      }),
    );
}

function addShowCommand(upstreams: Command, cli: Cli): void {
  upstreams
    .command('show <upstream>')
    .description('one upstream, by name or ID')
    .option('--json', 'print JSON')
    .action((upstream: string, { json }: { json?: boolean }, command: Command) =>
      cli.on(command, async ({ database }) => {
        const found = await requireUpstream(database, upstream);
        const keys = await listUpstreamKeys(database, { upstreamId: found.id });
        const [check = null] = await listUpstreamChecks(database, { upstreamId: found.id });
        const listed = { upstream: found, keys, check };
        const selections = (await listSelections(database)).filter(
          ({ upstreamId }) => upstreamId === found.id,
        );
        if (json) cli.json(presentShown(listed, selections));
        else printFields(cli.terminal, upstreamFields(listed, selections));
      }),
    );
}

function addModelsCommand(upstreams: Command, cli: Cli): void {
  upstreams
    .command('models <upstream>')
    .description("an upstream's model list as it was last fetched")
    .option('--json', 'print JSON')
    .action((upstream: string, { json }: { json?: boolean }, command: Command) =>
      cli.on(command, async ({ database }) => {
        const { id, name } = await requireUpstream(database, upstream);
        const rows = await listUpstreamModels(database, { upstreamId: id });
        if (json) cli.json({ upstream_models: rows.map(presentUpstreamModel) });
        else {
          printTable(cli.terminal, {
            rows,
            columns: upstreamModelColumns,
            empty: `The list was never fetched. Fetch it: tintype upstreams sync ${name}`,
          });
        }
      }),
    );
}

function addEnableCommands(upstreams: Command, cli: Cli): void {
  const enabling = [
    { name: 'enable', enabled: true, description: 'let an upstream make pictures' },
    { name: 'disable', enabled: false, description: 'keep an upstream out; nothing is deleted' },
  ];
  for (const { name, enabled, description } of enabling) {
    upstreams
      .command(`${name} <upstream>`)
      .description(description)
      .option('--reason <text>', 'why, for the audit')
      .action((upstream: string, { reason }: { reason?: string }, command: Command) =>
        cli.on(command, async ({ admin, database }) => {
          const access = { kinds: adapterKinds };
          const change = await setEnabledOfUpstream(admin(reason), access, { upstream, enabled });
          cli.say(`${change.result.name} is ${enabled ? 'enabled' : 'disabled'}`);
          noteServing(cli, change);
          if (enabled) await noteIdle(cli, database, change.result.id);
        }),
      );
  }
}

function addRemoveCommand(upstreams: Command, cli: Cli): void {
  upstreams
    .command('remove <upstream>')
    .description('delete a disabled upstream with its keys and model list')
    .option('--reason <text>', 'why, for the audit')
    .action((upstream: string, { reason }: { reason?: string }, command: Command) =>
      cli.on(command, async ({ admin }) => {
        const { name } = await removeUpstream(admin(reason), upstream);
        cli.say(`${name} is removed`);
      }),
    );
}

const upstreamModelColumns: readonly Column<UpstreamModel>[] = [
  { title: 'UPSTREAM MODEL', cell: ({ upstreamModel }) => upstreamModel },
  {
    title: 'LISTED',
    cell: ({ goneAt }) => (goneAt === null ? 'yes' : `gone ${utcTime(goneAt)} UTC`),
  },
  { title: 'DESCRIPTION', cell: ({ description }) => description },
];

function presentUpstreamModel(model: UpstreamModel) {
  return {
    upstream_model: model.upstreamModel,
    description: model.description,
    listed_at: isoTime(model.listedAt),
    gone_at: model.goneAt === null ? null : isoTime(model.goneAt),
  };
}
