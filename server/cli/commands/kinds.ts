/** The protocols that upstreams may speak, with their settings and presets. */
import type { Command } from 'commander';
import { settingsSchemaOf } from '../../flows/upstreams/describe-kinds.ts';
import { nearest } from '../../lib/nearest.ts';
import type { AdapterKind, UpstreamPreset } from '../../upstreams/adapter-kind.ts';
import { adapterKinds } from '../../upstreams/registry.ts';
import type { Cli } from '../cli.ts';
import { UsageError } from '../failure.ts';
import { type Column, cut, printFields, printTable } from '../output.ts';
import { type SettingRow, settingRowsOf } from './setting-rows.ts';

export function addKindsCommand(upstreams: Command, cli: Cli): void {
  upstreams
    .command('kinds [kind]')
    .description('the protocols that Tintype can speak, or the settings and presets of one')
    .option('--json', 'print JSON')
    .action((name: string | undefined, { json }: { json?: boolean }) => {
      const kinds = [...adapterKinds.values()];
      if (name !== undefined) showKind(cli, requireKind(adapterKinds, name), { json });
      else if (json) cli.json({ kinds: kinds.map(presentKind) });
      else printTable(cli.terminal, { rows: kinds, columns: kindColumns, empty: 'None.' });
    });
}

export function requireKind(kinds: ReadonlyMap<string, AdapterKind>, name: string): AdapterKind {
  const kind = kinds.get(name);
  if (kind) return kind;
  throw new UsageError(`there is no adapter kind ${name}${guess(name, kinds.keys())}`);
}

/** By its title, in whatever case. */
export function requirePreset({ kind, presets }: AdapterKind, title: string): UpstreamPreset {
  const preset = presets.find((one) => one.title.toLowerCase() === title.toLowerCase());
  if (preset) return preset;
  const titles = presets.map((one) => one.title);
  const meant = nearest(title, titles);
  const known = titles.map((one) => `\n  "${one}"`).join('');
  throw new UsageError(
    `the kind ${kind} has no preset "${title}"${meant === null ? '.' : `; did you mean "${meant}"?`} It has:${known}`,
  );
}

function guess(name: string, known: Iterable<string>): string {
  const names = [...known];
  const meant = nearest(name, names);
  return meant === null ? `; known: ${names.join(', ')}` : `; did you mean ${meant}?`;
}

function showKind(cli: Cli, kind: AdapterKind, { json }: { json: boolean | undefined }): void {
  if (json) {
    cli.json(presentKind(kind));
    return;
  }
  const { terminal } = cli;
  printFields(terminal, [
    ['kind', kind.kind],
    ['title', kind.title],
    ['description', kind.description],
    ['base URL', kind.baseUrl],
    ['credential', describeCredential(kind)],
  ]);
  cli.say('');
  const rows = settingRowsOf(kind);
  printTable(terminal, { rows, columns: settingColumns, empty: 'It has no settings.' });
  cli.say('');
  printTable(terminal, {
    rows: kind.presets,
    columns: presetColumns,
    empty: 'It has no presets.',
  });
}

function describeCredential({ credential, credentialForm }: AdapterKind): string {
  return credential === 'unused' || credentialForm === ''
    ? credential
    : `${credential}: ${credentialForm}`;
}

function presentKind(kind: AdapterKind) {
  return {
    kind: kind.kind,
    title: kind.title,
    description: kind.description,
    base_url: kind.baseUrl,
    credential: kind.credential,
    credential_form: kind.credentialForm,
    settings: settingsSchemaOf(kind),
    presets: kind.presets.map(({ title, baseUrl, settings, upstreamModels }) => ({
      title,
      base_url: baseUrl,
      settings,
      upstream_models: upstreamModels,
    })),
  };
}

const kindColumns: readonly Column<AdapterKind>[] = [
  { title: 'KIND', cell: ({ kind }) => kind },
  { title: 'BASE URL', cell: ({ baseUrl }) => baseUrl },
  { title: 'CREDENTIAL', cell: ({ credential }) => credential },
  { title: 'PRESETS', cell: ({ presets }) => presets.length, align: 'right' },
  { title: 'DESCRIPTION', cell: ({ description }) => description },
];

const settingColumns: readonly Column<SettingRow>[] = [
  { title: 'SETTING', cell: ({ name }) => name },
  { title: 'TYPE', cell: ({ type }) => cut(type) },
  { title: 'DEFAULT', cell: (row) => (row.default === null ? null : cut(row.default)) },
  { title: 'TITLE', cell: ({ title }) => title },
  { title: 'DESCRIPTION', cell: ({ description }) => description },
];

const presetColumns: readonly Column<UpstreamPreset>[] = [
  { title: 'PRESET', cell: ({ title }) => title },
  { title: 'BASE URL', cell: ({ baseUrl }) => baseUrl },
  { title: 'SETTINGS', cell: ({ settings }) => cut(JSON.stringify(settings)) },
  { title: 'UPSTREAM MODELS', cell: ({ upstreamModels }) => upstreamModels.join(', ') },
];
