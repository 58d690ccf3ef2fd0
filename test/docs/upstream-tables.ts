/** The tables of `docs/upstreams.md`, made from what the code knows. */
import { upstreamLimitBounds, upstreamLimitsDefault } from '../../server/catalog/upstream.ts';
import { type SettingRow, settingRowsOf } from '../../server/cli/commands/setting-rows.ts';
import { formatDuration } from '../../server/cli/durations.ts';
import type { AdapterKind, UpstreamPreset } from '../../server/upstreams/adapter-kind.ts';
import { createAdapter } from '../../server/upstreams/adapter-pool.ts';
import type { Capabilities } from '../../server/upstreams/upstream.ts';
import { imageQualities } from '../../shared/image-options.ts';
import { code, markdownTable, plainText } from './markdown-table.ts';

type Tables = ReadonlyMap<string, string>;

/** By the name in their markers. */
export async function upstreamTables(kinds: readonly AdapterKind[]): Promise<Tables> {
  const tables = new Map([
    ['kinds', kindsTable(kinds)],
    ['limits', limitsTable()],
  ]);
  for (const kind of kinds) {
    tables.set(`${kind.kind} presets`, presetsTable(kind));
    tables.set(`${kind.kind} capabilities`, await capabilitiesTable(kind));
    tables.set(`${kind.kind} settings`, settingsTable(kind));
  }
  return tables;
}

function kindsTable(kinds: readonly AdapterKind[]): string {
  return markdownTable({
    head: ['Kind', 'For', 'Base URL', 'Credential'],
    rows: kinds.map(({ kind, description, baseUrl, credential, credentialForm }) => [
      `[${code(kind)}](#${kind})`,
      plainText(description),
      baseUrl,
      credentialForm === '' ? credential : plainText(`${credential}: ${credentialForm}`),
    ]),
  });
}

function limitsTable(): string {
  const { queueMax, queueWaitMs, firstByteMs, idleMs } = upstreamLimitsDefault;
  const count = (name: 'concurrencyMax' | 'queueMax') => {
    const { min, max } = upstreamLimitBounds[name];
    return `${min} to ${max.toLocaleString('en-US')}`;
  };
  const time = (name: 'queueWaitMs' | 'firstByteMs' | 'idleMs') => {
    const { min, max } = upstreamLimitBounds[name];
    return `${formatDuration(min)} to ${formatDuration(max)}`;
  };
  return markdownTable({
    head: ['Option', 'Default', 'May be', 'Meaning'],
    rows: [
      ['`--concurrency`', '`none`', `${count('concurrencyMax')}, or \`none\``, 'Calls at once.'],
      ['`--queue`', code(queueMax), count('queueMax'), 'Calls that wait for one of them to end.'],
      [
        '`--queue-wait`',
        code(formatDuration(queueWaitMs)),
        time('queueWaitMs'),
        'How long one waits before the next upstream is tried.',
      ],
      [
        '`--first-byte`',
        code(formatDuration(firstByteMs)),
        time('firstByteMs'),
        'From the last byte of a request to the first of its answer.',
      ],
      [
        '`--idle`',
        code(formatDuration(idleMs)),
        time('idleMs'),
        'Longest silence within an answer.',
      ],
    ],
  });
}

function presetsTable({ presets }: AdapterKind): string {
  return markdownTable({
    head: ['Preset', 'Base URL', 'Settings'],
    rows: presets.map(({ title, baseUrl, settings }) => [
      plainText(title),
      baseUrl === null ? '–' : code(baseUrl),
      Object.entries(settings).map(presetSetting).join(', ') || '–',
    ]),
  });
}

const shownValueCharactersMax = 60;

function presetSetting([name, value]: [string, unknown]): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return code(`${name}=${text.length > shownValueCharactersMax ? '…' : text}`);
}

/** One row for the models of a preset that can do the same. */
async function capabilitiesTable(kind: AdapterKind): Promise<string> {
  const rows: { preset: string; models: string[]; can: readonly string[] }[] = [];
  for (const preset of kind.presets) {
    for (const { upstreamModel, capabilities } of await capabilitiesOf(kind, preset)) {
      const can = capabilityCells(capabilities);
      const alike = rows.find(
        (row) => row.preset === preset.title && row.can.join('|') === can.join('|'),
      );
      if (alike) alike.models.push(upstreamModel);
      else rows.push({ preset: preset.title, models: [upstreamModel], can });
    }
  }
  return markdownTable({
    head: [
      ...['Preset', 'Upstream model', 'Makes', 'References', 'Mask', 'Partial images'],
      ...['Size', 'Formats', 'Qualities', 'Transparent'],
    ],
    rows: rows.map(({ preset, models, can }) => [
      plainText(preset),
      models.map(code).join(', '),
      ...can,
    ]),
  });
}

async function capabilitiesOf(kind: AdapterKind, preset: UpstreamPreset) {
  const { baseUrl, settings, upstreamModels } = preset;
  const config = { name: kind.kind, baseUrl, settings };
  const connection = { proxy: null, limits: upstreamLimitsDefault };
  const adapter = createAdapter(kind, config, connection);
  try {
    return upstreamModels.map((upstreamModel) => ({
      upstreamModel,
      capabilities: adapter.capabilities(upstreamModel),
    }));
  } finally {
    await adapter.close();
  }
}

function capabilityCells(can: Capabilities): string[] {
  const wishes = can.qualities.filter((quality) => quality !== 'auto');
  const hasAll = imageQualities.every((quality) => can.qualities.includes(quality));
  return [
    [can.generation && 'pictures', can.edit && 'edits'].filter(Boolean).join(', '),
    can.referenceImagesMax === 0 ? '–' : String(can.referenceImagesMax),
    yes(can.mask),
    yes(can.partialImages),
    can.sizes,
    can.formats.join(', '),
    hasAll ? 'all' : wishes.join(', ') || '–',
    yes(can.transparentBackground),
  ];
}

function yes(is: boolean): string {
  return is ? 'yes' : '–';
}

function settingsTable(kind: AdapterKind): string {
  const rows = settingRowsOf(kind);
  const names = new Set(rows.map(({ name }) => name));
  return markdownTable({
    head: ['Setting', 'Values', 'Default', 'Meaning'],
    rows: rows
      .filter((row) => isDescribed(row) && !repeatsAnother(row, names))
      .map((row) => {
        const members = rows.filter((other) => !isDescribed(other) && isWithin(other, row));
        return [code(row.name), valuesOf(row, members), defaultOf(row, members), meaningOf(row)];
      }),
  });
}

/** The others are told with the object that they are members of. */
function isDescribed({ title, description }: SettingRow): boolean {
  return title !== null || description !== null;
}

function isWithin(member: SettingRow, { name }: SettingRow): boolean {
  return member.name === `${name}.${nameWithin(member)}`;
}

/** What stands below `models.<name>.` and at the top as well is told once. */
function repeatsAnother({ name }: SettingRow, names: ReadonlySet<string>): boolean {
  const [, inner] = /^\w+\.<name>\.(.+)$/.exec(name) ?? [];
  return inner !== undefined && names.has(inner);
}

function valuesOf(row: SettingRow, members: readonly SettingRow[]): string {
  const type = row.type.replaceAll(' | ', ', ');
  return plainText(members.length === 0 ? type : `${type}: ${members.map(nameWithin).join(', ')}`);
}

/** Of an object, its members tell it. */
function defaultOf(row: SettingRow, members: readonly SettingRow[]): string {
  const known = members
    .map((member) => ({ name: nameWithin(member), value: shownDefault(member) }))
    .filter(({ value }) => value !== null);
  if (known.length > 0) return known.map(({ name, value }) => `${name} ${value}`).join(', ');
  return shownDefault(row) ?? '–';
}

function nameWithin({ name }: SettingRow): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

/** As `--set` takes it; null where there is none, or nothing to show. */
function shownDefault({ default: json }: SettingRow): string | null {
  if (json === null || ['null', '{}', '[]', '""'].includes(json)) return null;
  if (json.length > shownValueCharactersMax) return 'a text of ours';
  return code(json.replace(/^"(.*)"$/, '$1'));
}

function meaningOf({ title, description }: SettingRow): string {
  const told = [title && `${title}.`, description];
  return plainText(told.filter((text) => text !== null).join(' '));
}
