/** Results as tables of Markdown, which can be read on a terminal too. */
import { cases } from './cases.ts';
import { gatewayTitles } from './gateways.ts';
import { goals, judge, type Results } from './goals.ts';
import type { LatencyResult, LoadResult, Noise, Result } from './results.ts';
import { foreignMax } from './take-sample.ts';

type Row = readonly string[];

const megabyte = 1_000_000;
const kilobyte = 1_000;

/** Those sections for which something was measured. */
export function formatResults(results: Results): string {
  const sections: (string | null)[] = [
    formatGoals(results),
    formatCapacity(results),
    formatLoads(results, 'answers', 'Answers'),
    formatLoads(results, 'uploads', 'Uploads'),
    formatLoads(results, 'references', 'Reference images'),
    formatLatencies(results),
    formatHeld(results),
    formatMemory(results),
    formatStarts(results),
    formatLedger(results),
    formatSkipped(results),
  ];
  return sections.filter((section) => section !== null).join('\n\n');
}

function formatGoals(results: Results): string | null {
  const rows = goals.map((goal) => {
    const value = goal.of(results);
    const sign = goal.better === 'lower' ? '≤' : '≥';
    const shown = value === null ? '' : `${short(value)} ${goal.unit}`.trim();
    const marks = [goal.floor, goal.goal].map((mark) => `${sign} ${short(mark)}`);
    return [goal.measure, ...marks, shown, judge(goal, value)];
  });
  return section('Goals', ['Tintype, SQLite', 'floor', 'goal', 'measured', ''], rows);
}

/** What an operator counts with: nobody but Tintype is in it. */
function formatCapacity(results: Results): string | null {
  const rows = ['s50k', 's1m', 's4m', 's16m', 's64m'].flatMap((name) => {
    const [sqlite, postgres] = [results.load(name, 'sqlite'), results.load(name, 'postgres')];
    if (!sqlite && !postgres) return [];
    const speeds = [sqlite, postgres].map((load) => (load ? short(load.requestsPerCpuSecond) : ''));
    const peak = sqlite ?? postgres;
    return [[titleOf(name), ...speeds, peak ? megabytes(peak.peakBytes) : '']];
  });
  const titles = ['Picture', 'requests/s per core, SQLite', 'on PostgreSQL', 'peak RSS in MB'];
  return section('Capacity', titles, rows);
}

function formatLoads(results: Results, group: string, title: string): string | null {
  const names = cases.filter((each) => each.group === group).map(({ name }) => name);
  const loads = results.all.filter((result) => result.kind === 'load');
  const rows = names.flatMap((name) =>
    loads.filter((load) => load.case === name).map((load) => loadRow(load, results)),
  );
  const titles = [
    'Case',
    'Gateway',
    'req/s',
    'CPU ms/req',
    'CPU s/GB',
    '× nginx',
    'p50 ms',
    'p99 ms',
  ];
  return section(title, [...titles, 'peak RSS MB', 'core busy', 'noise'], rows);
}

function loadRow(load: LoadResult, results: Results): Row {
  const limit = results.load(load.case, 'nginx');
  return [
    load.case,
    gatewayTitles[load.gateway],
    short(load.requestsPerSecond),
    short(load.cpuMsPerRequest),
    short(load.cpuSecondsPerGigabyte),
    limit ? short(load.cpuSecondsPerGigabyte / limit.cpuSecondsPerGigabyte) : '',
    short(load.p50Ms),
    short(load.p99Ms),
    megabytes(load.peakBytes),
    percent(load.busyShare),
    noise(load),
  ];
}

function formatLatencies(results: Results): string | null {
  const rows = results.all
    .filter((result) => result.kind === 'latency')
    .map((latency) => latencyRow(latency, results));
  const titles = [
    'Case',
    'Gateway',
    'requests',
    'p50 ms',
    'p99 ms',
    'added p50',
    'added p99',
    'noise',
  ];
  return section('Latency', titles, rows);
}

function latencyRow(latency: LatencyResult, results: Results): Row {
  const { gateway, p50Ms, p99Ms } = latency;
  const limit = results.latency(latency.case, 'nginx');
  return [
    latency.case,
    gateway === 'direct' ? 'none' : gatewayTitles[gateway],
    String(latency.requests),
    short(p50Ms),
    short(p99Ms),
    limit ? short(p50Ms - limit.p50Ms) : '',
    limit ? short(p99Ms - limit.p99Ms) : '',
    noise(latency),
  ];
}

function formatHeld({ all }: Results): string | null {
  const rows = all
    .filter((result) => result.kind === 'held')
    .map(({ gateway, requests, heldMax, good, bytesPerRequest }) => [
      gatewayTitles[gateway],
      whole(requests),
      whole(heldMax),
      whole(good),
      short(bytesPerRequest / kilobyte),
    ]);
  const titles = ['Gateway', 'requests', 'at once', 'answered', 'RSS per request in KB'];
  return section('Requests in flight', titles, rows);
}

function formatMemory({ all }: Results): string | null {
  const rows = all
    .filter((result) => result.kind === 'memory')
    .map((result) => [
      titleOf(result.case),
      gatewayTitles[result.gateway],
      megabytes(result.budgetBytes),
      whole(result.callers),
      whole(result.good),
      whole(result.refused),
      megabytes(result.peakBytes),
    ]);
  const titles = [
    'Case',
    'Gateway',
    'budget in MB',
    'callers',
    'answered',
    'refused',
    'peak RSS in MB',
  ];
  return section('Memory budget', titles, rows);
}

function formatStarts({ all }: Results): string | null {
  const rows = all
    .filter((result) => result.kind === 'start')
    .map(({ gateway, startMs, idleBytes }) => [
      gatewayTitles[gateway],
      whole(startMs),
      megabytes(idleBytes),
    ]);
  return section('Start and rest', ['Gateway', 'ms until it listens', 'RSS at rest in MB'], rows);
}

function formatLedger({ all }: Results): string | null {
  const rows = all
    .filter((result) => result.kind === 'ledger')
    .map(({ engine, pairsPerSecond, syncsPerSecond }) => [
      engine,
      whole(pairsPerSecond),
      whole(syncsPerSecond),
    ]);
  const titles = ['Database', 'admits with their settles, per second', 'fdatasync/s of the disk'];
  return section('Ledger', titles, rows);
}

function formatSkipped({ all }: Results): string | null {
  const rows = all.flatMap((result) =>
    result.kind === 'skipped' ? [[result.case, result.reason]] : [],
  );
  return section('Not measured', ['Case', 'Why'], rows);
}

function section(title: string, titles: Row, rows: readonly Row[]): string | null {
  if (rows.length === 0) return null;
  const lines = [titles, titles.map(() => '---'), ...rows];
  return [`### ${title}`, '', ...lines.map((cells) => `| ${cells.join(' | ')} |`)].join('\n');
}

function titleOf(name: string): string {
  return cases.find((each) => each.name === name)?.title ?? name;
}

/** What other programs used of the machine; a star where that was too much in every try. */
function noise({ foreign }: Noise): string {
  return `${percent(foreign)}${foreign > foreignMax ? ' *' : ''}`;
}

/** The worst of a run, for the line about the machine. */
export function worstNoise(results: readonly Result[]): number {
  return Math.max(0, ...results.map((result) => ('foreign' in result ? result.foreign : 0)));
}

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** Three digits, which is more than these figures are exact to. */
function short(number: number): string {
  if (Math.abs(number) >= 100) return whole(number);
  return String(Number(number.toPrecision(3)));
}

function whole(number: number): string {
  return Math.round(number).toLocaleString('en-US');
}

function megabytes(bytes: number): string {
  return whole(bytes / megabyte);
}
