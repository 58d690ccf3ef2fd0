/** Every limit that somebody can run into: its number, its option, its answer, and its tests. */
import { readFileSync } from 'node:fs';
import { upstreamLimitsDefault } from '../../server/catalog/upstream.ts';
import { formatDuration } from '../../server/cli/durations.ts';
import { type OptionName, optionsTable } from '../../server/config.ts';
import { must } from '../../server/lib/assert.ts';
import { showOption } from '../../server/lib/options.ts';
import { settingsTable } from '../../server/settings/settings.ts';
import { code, markdownTable } from './markdown-table.ts';

/** A test, by its file and a part of its name as it is written there. */
export type TestName = readonly [file: string, name: string];

export interface LimitRow {
  limit: string;
  value: string;
  /** In Markdown: an option, a setting, a command; or `fixed` and why. */
  by: string;
  /** What is answered beyond it. */
  answer: string;
  within: TestName;
  beyond: TestName;
}

export interface LimitGroup {
  /** In the markers of its table. */
  name: string;
  rows: readonly LimitRow[];
}

/** The default of an option, and where it is changed. */
export function byOption(name: OptionName): Pick<LimitRow, 'value' | 'by'> {
  const option = optionsTable[name];
  return { value: showOption(option, option.default), by: code(option.variable) };
}

export function bySetting(name: keyof typeof settingsTable): Pick<LimitRow, 'value' | 'by'> {
  const setting = settingsTable[name];
  return { value: String(setting.default), by: `setting ${code(setting.name)}` };
}

/** A number of an upstream, which the console and the command line change. */
export function byUpstream(
  name: keyof typeof upstreamLimitsDefault,
  flag: string,
): Pick<LimitRow, 'value' | 'by'> {
  const value = upstreamLimitsDefault[name];
  const shown = name.endsWith('Ms') ? formatDuration(value ?? 0) : String(value ?? 'none');
  return { value: shown, by: code(`upstreams edit --${flag}`) };
}

/** A number that no option changes, read from the source, so that it cannot differ. */
export function fixed(
  [file, name]: readonly [file: string, name: string],
  { unit, why }: { unit: (value: number) => string; why: string },
): Pick<LimitRow, 'value' | 'by'> {
  return { value: unit(constantIn(file, name)), by: `fixed: ${why}` };
}

/** The value of a constant or property that a source file sets to a product of numbers. */
function constantIn(file: string, name: string): number {
  const source = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
  const [, written] = new RegExp(`\\b${name}(?: =|:) ([\\d_ *]+)[;,]`).exec(source) ?? [];
  return must(written, `the number ${name} in ${file}`)
    .split('*')
    .reduce((product, factor) => product * Number(factor.replaceAll('_', '').trim()), 1);
}

export function limitTables(groups: readonly LimitGroup[]): ReadonlyMap<string, string> {
  return new Map(
    groups.map(({ name, rows }) => [
      name,
      markdownTable({
        head: ['Limit', 'Number', 'Changed by', 'Beyond it', 'Tests'],
        rows: rows.map(({ limit, value, by, answer, within, beyond }) => [
          limit,
          value,
          by,
          answer,
          [...new Set([within[0], beyond[0]])]
            .map((file) => `[${baseName(file)}](../${file})`)
            .join(', '),
        ]),
      }),
    ]),
  );
}

function baseName(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1);
}
