import { type Command, Option } from 'commander';
import type { Page, PageRequest } from '../db/page.ts';
import { parseTimeRange } from '../lib/time-text.ts';
import { asUsage, integerArgument } from './arguments.ts';
import type { Cli } from './cli.ts';

const defaultLimit = 1_000;
const limitMax = 100_000;
const pageRowsMax = 500;

export interface LimitOption {
  limit: number;
}

export interface RangeOptions {
  from?: string;
  to?: string;
  zone: string;
}

export function addLimitOption(command: Command): Command {
  const option = new Option('--limit <count>', `rows at most, up to ${limitMax}`);
  return command.addOption(option.default(defaultLimit).argParser(integerArgument(1, limitMax)));
}

export function addRangeOptions(command: Command): Command {
  return command
    .option('--from <time>', 'from this day or instant on')
    .option('--to <time>', 'to the end of this day, or to this instant')
    .option('--zone <zone>', 'time zone of days and of shown times, such as Europe/Berlin', 'UTC');
}

/** The range as the filters of stores take it. */
export function readRange({ from, to, zone }: RangeOptions): {
  fromMs: number | undefined;
  toMs: number | undefined;
} {
  const range = asUsage(() => parseTimeRange({ from: from ?? null, to: to ?? null, zone }));
  return { fromMs: range.fromMs ?? undefined, toMs: range.toMs ?? undefined };
}

export interface Collected<T> {
  items: readonly T[];
  /** Whether the limit left some out. */
  more: boolean;
}

/** Reads page after page, up to the limit. */
export async function collect<T>(
  limit: number,
  readPage: (page: PageRequest) => Promise<Page<T>>,
): Promise<Collected<T>> {
  const items: T[] = [];
  let after: string | null = null;
  do {
    const wanted: number = Math.min(pageRowsMax, limit - items.length);
    const page: Page<T> = await readPage({ after, limit: wanted });
    items.push(...page.items);
    after = page.next;
  } while (after !== null && items.length < limit);
  return { items, more: after !== null };
}

/** Says that the limit left something out, where people see it and programs do not trip over it. */
export function noteMore(cli: Cli, { items, more }: Collected<unknown>): void {
  if (!more) return;
  cli.note(`note: only the first ${items.length} are shown; --limit shows more`);
}
