import { cpus, loadavg } from 'node:os';
import type { CellResult, Run } from './measure-load.ts';
import type { VerifyResult } from './measure-verify.ts';

export function formatMachine(): string {
  const cores = cpus();
  const loads = loadavg().map((load) => load.toFixed(2));
  return `${cores.length} cores (${cores[0]?.model ?? 'unknown'}), Node ${process.versions.node}, load average ${loads.join(' ')}`;
}

/** One line for one run, as it ends. */
export function formatRun(run: Run): string {
  const { cell, load } = run;
  return `  ${cell.engine} ${plural(cell.processes, 'process', 'processes')}, ${plural(cell.wallets, 'wallet')}, ${plural(cell.callers, 'caller')}: ${whole(load.pairsPerSecond)} pairs/s ${noiseOf(run)}`;
}

export function formatLoad(results: readonly CellResult[]): string {
  return table(
    [
      'database',
      'processes',
      'wallets',
      'callers',
      'pairs/s',
      'from–to',
      'median ms',
      'p99 ms',
      'cores',
      'fdatasync/s',
      'busy before',
      'load',
    ],
    results.map(({ cell, median, runs }) => {
      const speeds = runs.map(({ load }) => load.pairsPerSecond);
      const { load, machine } = median;
      return [
        cell.engine,
        String(cell.processes),
        whole(cell.wallets),
        String(cell.callers),
        whole(load.pairsPerSecond),
        `${whole(Math.min(...speeds))}–${whole(Math.max(...speeds))}`,
        load.medianMs.toFixed(2),
        load.p99Ms.toFixed(2),
        load.cores.toFixed(2),
        whole(machine.syncsPerSecond),
        machine.busyCores.toFixed(2),
        machine.loadAverage.toFixed(2),
      ];
    }),
  );
}

export function formatVerify(results: readonly VerifyResult[]): string {
  return table(
    [
      'database',
      'transactions',
      'filled in s',
      'verified in s',
      's per million',
      'peak MB',
      'database MB',
      'temporary MB',
      'busy before',
    ],
    results.map((result) => [
      result.engine,
      whole(result.transactions),
      result.fillSeconds.toFixed(0),
      result.verifySeconds.toFixed(1),
      (result.verifySeconds / (result.transactions / 1_000_000)).toFixed(1),
      megabytes(result.peakBytes),
      megabytes(result.databaseBytes),
      result.temporaryBytes === null ? '' : megabytes(result.temporaryBytes),
      result.machine.busyCores.toFixed(2),
    ]),
  );
}

function noiseOf({ machine }: Run): string {
  return `(fdatasync/s ${whole(machine.syncsPerSecond)}, busy before ${machine.busyCores.toFixed(2)}, load ${machine.loadAverage.toFixed(2)})`;
}

function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [titles, titles.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function whole(number: number): string {
  return Math.round(number).toLocaleString('en-US');
}

function megabytes(bytes: number): string {
  return whole(bytes / 1_000_000);
}

function plural(count: number, one: string, many = `${one}s`): string {
  return `${whole(count)} ${count === 1 ? one : many}`;
}
