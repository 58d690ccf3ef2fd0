/** Which entries of the upstreams' model lists serve which models. */
import { type Command, Option } from 'commander';
import { listSelections } from '../../catalog/selection-store.ts';
import type { SelectionOptions } from '../../catalog/upstream.ts';
import { listUpstreams, requireUpstream } from '../../catalog/upstream-store.ts';
import { type MappingPatch, mapUpstreamModel } from '../../flows/models/map-upstream-model.ts';
import {
  selectUpstreamModel,
  unselectUpstreamModel,
} from '../../flows/models/select-upstream-model.ts';
import type { ServingChange } from '../../flows/models/serving-change.ts';
import {
  type ModelListChange,
  syncUpstreamModels,
} from '../../flows/upstreams/sync-upstream-models.ts';
import { asking } from '../asking.ts';
import { type Assignment, readAssignment, valuesOf } from '../assignments.ts';
import type { Cli } from '../cli.ts';
import { UsageError } from '../failure.ts';
import { counted, cut, printTable } from '../output.ts';
import { whileTimed } from '../running-timer.ts';

export function addSelectionCommands(upstreams: Command, cli: Cli): void {
  addSyncCommand(upstreams, cli);
  addSelectCommand(upstreams, cli);
  addMapCommand(upstreams, cli);
  addUnselectCommand(upstreams, cli);
  addSelectionsCommand(upstreams, cli);
}

function addSyncCommand(upstreams: Command, cli: Cli): void {
  upstreams
    .command('sync <upstream>')
    .description("fetch an upstream's model list and say what is new and what is gone")
    .option('--reason <text>', 'why, for the audit')
    .action((upstream: string, { reason }: { reason?: string }, command: Command) =>
      cli.on(command, async ({ admin, clock, database, upstreamAccess }) => {
        const asked = await requireUpstream(database, upstream);
        const syncing = syncUpstreamModels(admin(reason), upstreamAccess(), asked.id);
        const change = await whileTimed(
          { terminal: cli.terminal, clock },
          `asking ${asked.name} for its model list`,
          asking(asked, syncing),
        );
        sayModelListChange(cli, change);
      }),
    );
}

interface SelectOptions {
  reason?: string;
}

function addSelectCommand(upstreams: Command, cli: Cli): void {
  upstreams
    .command('select <model> <upstream> <upstream-model>')
    .description("let an entry of an upstream's model list serve a model")
    .option('--reason <text>', 'why, for the audit')
    .action((...given: [string, string, string, SelectOptions, Command]) => {
      const [modelId, upstream, upstreamModel, { reason }, command] = given;
      return cli.on(command, async ({ admin }) => {
        const wanted = { modelId, upstream, upstreamModel };
        const change = await selectUpstreamModel(admin(reason), wanted);
        cli.say(`${upstreamModel} of ${upstream} serves ${modelId}`);
        noteServing(cli, change);
      });
    });
}

interface MapOptions extends SelectOptions {
  strictMask?: boolean;
  clearExtra?: boolean;
  extra: readonly Assignment[];
}

function addMapCommand(upstreams: Command, cli: Cli): void {
  upstreams
    .command('map <model> <upstream> <upstream-model>')
    .description('select an upstream model if need be, and say how it serves the model')
    .option('--strict-mask', 'take the pixels outside a mask from the reference image')
    .option('--no-strict-mask', 'leave them as the upstream made them')
    .addOption(
      new Option(
        '--extra <name=value>',
        "a field added to every call, in the upstream's words; the value as JSON, as text, or @file; may be repeated",
      )
        .default([], 'none')
        .argParser(readAssignment),
    )
    .option('--clear-extra', 'remove the extra fields that were set')
    .option('--reason <text>', 'why, for the audit')
    .action((...given: [string, string, string, MapOptions, Command]) => {
      const [modelId, upstream, upstreamModel, options, command] = given;
      const patch = mappingOf(options);
      return cli.on(command, async ({ admin }) => {
        const wanted = { modelId, upstream, upstreamModel };
        const change = await mapUpstreamModel(admin(options.reason), wanted, patch);
        const { strictMask, extra } = change.result.options;
        const how = `strict mask ${strictMask ? 'on' : 'off'}, extra ${cut(JSON.stringify(extra))}`;
        cli.say(`${upstreamModel} of ${upstream} serves ${modelId}: ${how}`);
        noteServing(cli, change);
      });
    });
}

function mappingOf({ strictMask, clearExtra = false, extra }: MapOptions): MappingPatch {
  if (strictMask === undefined && !clearExtra && extra.length === 0) {
    throw new UsageError('name an option: --strict-mask, --no-strict-mask, --extra, --clear-extra');
  }
  return {
    ...(strictMask !== undefined && { strictMask }),
    clearExtra,
    extra: valuesOf(extra),
  };
}

function addUnselectCommand(upstreams: Command, cli: Cli): void {
  upstreams
    .command('unselect <model> <upstream> <upstream-model>')
    .description('no longer let an upstream model serve a model')
    .option('--reason <text>', 'why, for the audit')
    .action((...given: [string, string, string, SelectOptions, Command]) => {
      const [modelId, upstream, upstreamModel, { reason }, command] = given;
      return cli.on(command, async ({ admin }) => {
        const wanted = { modelId, upstream, upstreamModel };
        const change = await unselectUpstreamModel(admin(reason), wanted);
        cli.say(`${upstreamModel} of ${upstream} no longer serves ${modelId}`);
        noteServing(cli, change);
      });
    });
}

function addSelectionsCommand(upstreams: Command, cli: Cli): void {
  upstreams
    .command('selections')
    .description('which upstream models serve which model')
    .option('--json', 'print JSON')
    .action(({ json }: { json?: boolean }, command: Command) =>
      cli.on(command, async ({ database }) => {
        const names = new Map((await listUpstreams(database)).map(({ id, name }) => [id, name]));
        const rows = (await listSelections(database)).map((selection) => ({
          model: selection.modelId,
          upstream: names.get(selection.upstreamId) ?? selection.upstreamId,
          upstream_model: selection.upstreamModel,
          strict_mask: selection.options.strictMask,
          extra: selection.options.extra,
        }));
        if (json) {
          cli.json({ selections: rows });
          return;
        }
        printTable(cli.terminal, {
          rows,
          columns: [
            { title: 'MODEL', cell: (row) => row.model },
            { title: 'UPSTREAM', cell: (row) => row.upstream },
            { title: 'UPSTREAM MODEL', cell: (row) => row.upstream_model },
            { title: 'STRICT MASK', cell: (row) => row.strict_mask },
            { title: 'EXTRA', cell: ({ extra }) => cut(showExtra(extra)) },
          ],
          empty:
            'Nothing is selected. Select: tintype upstreams select <model> <upstream> <upstream-model>',
        });
      }),
    );
}

function showExtra(extra: SelectionOptions['extra']): string {
  return Object.entries(extra)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(' ');
}

export function sayModelListChange(cli: Cli, change: ServingChange<ModelListChange>): void {
  const { upstream, listed, added, gone } = change.result;
  cli.say(
    `${upstream.name} lists ${counted(listed, 'model')}: ${added.length} new, ${gone.length} gone`,
  );
  for (const upstreamModel of added) cli.say(`  + ${upstreamModel}`);
  for (const upstreamModel of gone) cli.say(`  - ${upstreamModel}`);
  noteServing(cli, change);
}

/** Says which models a change made usable or took the last upstream from. */
export function noteServing(cli: Cli, { gained, lost }: ServingChange<unknown>): void {
  for (const model of gained) cli.note(`${model} has an upstream now`);
  for (const model of lost) cli.note(`${model} has no upstream any more and cannot be used`);
}
