import type { Command } from 'commander';
import { z } from 'zod';
import { listUpstreamModels } from '../catalog/selection-store.ts';
import type { UpstreamModel } from '../catalog/upstream.ts';
import { listUpstreams, requireUpstream } from '../catalog/upstream-store.ts';
import { setEnabledOfUpstream } from '../flows/enable-upstream.ts';
import { removeUpstream } from '../flows/remove-upstream.ts';
import { fetchModelList, withKey } from '../flows/sync-upstream-models.ts';
import { isoTime } from '../lib/time-text.ts';
import { adapterKinds } from '../upstreams/registry.ts';
import type { AdapterKind } from '../upstreams/upstream.ts';
import type { Cli } from './cli.ts';
import { addUpstreamEditing } from './edit-upstreams.ts';
import { type Column, printFields, printTable } from './output.ts';
import { presentUpstream, upstreamColumns } from './present-upstream.ts';
import { addSelectionCommands, noteServing } from './selections.ts';

export function addUpstreamCommands(program: Command, cli: Cli): void {
  const upstreams = program
    .command('upstreams')
    .description('image services that make the pictures');
  addKindsCommand(upstreams, cli);
  addListCommand(upstreams, cli);
  addShowCommand(upstreams, cli);
  addUpstreamEditing(upstreams, cli);
  addTestCommand(upstreams, cli);
  addModelsCommand(upstreams, cli);
  addSelectionCommands(upstreams, cli);
  addEnableCommands(upstreams, cli);
  addRemoveCommand(upstreams, cli);
}

function addKindsCommand(upstreams: Command, cli: Cli): void {
  upstreams
    .command('kinds')
    .description('the protocols that Tintype can speak')
    .option('--json', 'print JSON')
    .action(({ json }: { json?: boolean }) => {
      const kinds = [...adapterKinds.values()];
      if (json) cli.json({ kinds: kinds.map(presentKind) });
      else printTable(cli.terminal, { rows: kinds, columns: kindColumns, empty: 'None.' });
    });
}

function addListCommand(upstreams: Command, cli: Cli): void {
  upstreams
    .command('list')
    .description('all upstreams in the order in which they are tried')
    .option('--json', 'print JSON')
    .action(({ json }: { json?: boolean }, command: Command) =>
      cli.on(command, async ({ database }) => {
        const rows = await listUpstreams(database);
        if (json) cli.json({ upstreams: rows.map(presentUpstream) });
        else {
          printTable(cli.terminal, {
            rows,
            columns: upstreamColumns,
            empty: 'There are no upstreams. Add one: tintype upstreams add',
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
        const presented = presentUpstream(await requireUpstream(database, upstream));
        if (json) {
          cli.json(presented);
          return;
        }
        const { limits, settings, ...fields } = presented;
        const pairs = Object.entries({
          ...fields,
          limits: JSON.stringify(limits),
          settings: JSON.stringify(settings),
        });
        printFields(cli.terminal, pairs);
      }),
    );
}

function addTestCommand(upstreams: Command, cli: Cli): void {
  upstreams
    .command('test <upstream>')
    .description('ask for the model list, which costs nothing, and say whether it came')
    .option('--json', 'print JSON')
    .action((upstream: string, { json }: { json?: boolean }, command: Command) =>
      cli.on(command, async ({ database, clock, upstreamAccess }) => {
        const found = await requireUpstream(database, upstream);
        const begun = clock.monotonic();
        const models = await fetchModelList(
          { clock },
          upstreamAccess(),
          await withKey(database, found),
        );
        const tookMs = Math.round(clock.monotonic() - begun);
        if (json) cli.json({ name: found.name, models: models.length, took_ms: tookMs });
        else cli.say(`${found.name} answers: ${models.length} models in ${tookMs} ms`);
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
        cli.on(command, async ({ admin }) => {
          const change = await setEnabledOfUpstream(admin(reason), { upstream, enabled });
          cli.say(`${change.result.name} is ${enabled ? 'enabled' : 'disabled'}`);
          noteServing(cli, change);
        }),
      );
  }
}

function addRemoveCommand(upstreams: Command, cli: Cli): void {
  upstreams
    .command('remove <upstream>')
    .description('delete a disabled upstream with its credential and model list')
    .option('--reason <text>', 'why, for the audit')
    .action((upstream: string, { reason }: { reason?: string }, command: Command) =>
      cli.on(command, async ({ admin }) => {
        const { name } = await removeUpstream(admin(reason), upstream);
        cli.say(`${name} is removed`);
      }),
    );
}

const kindColumns: readonly Column<AdapterKind>[] = [
  { title: 'KIND', cell: ({ kind }) => kind },
  { title: 'BASE URL', cell: ({ baseUrl }) => baseUrl },
  {
    title: 'CREDENTIAL',
    cell: ({ credential }) => credential,
  },
  { title: 'DESCRIPTION', cell: ({ description }) => description },
];

function presentKind(kind: AdapterKind) {
  return {
    kind: kind.kind,
    title: kind.title,
    description: kind.description,
    base_url: kind.baseUrl,
    credential: kind.credential,
    credential_form: kind.credentialForm,
    settings: z.toJSONSchema(kind.settings, { io: 'input' }),
    presets: kind.presets.map(({ title, baseUrl, settings, upstreamModels }) => ({
      title,
      base_url: baseUrl,
      settings,
      upstream_models: upstreamModels,
    })),
  };
}

const upstreamModelColumns: readonly Column<UpstreamModel>[] = [
  { title: 'UPSTREAM MODEL', cell: ({ upstreamModel }) => upstreamModel },
  { title: 'LISTED', cell: ({ goneAt }) => (goneAt === null ? 'yes' : `gone ${isoTime(goneAt)}`) },
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
