/** Processor time and memory of processes with all their descendants, from /proc. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

export interface ProcessTimes {
  parent: number;
  /** Of itself and of its children that ended, in seconds. */
  cpuSeconds: number;
}

export type AllTimes = ReadonlyMap<number, ProcessTimes>;

export const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** Of every process of the machine that can be seen from here. */
export function readAllTimes(): AllTimes {
  const times = new Map<number, ProcessTimes>();
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid)) continue;
    const read = readTimes(pid);
    if (read) times.set(pid, read);
  }
  return times;
}

function readTimes(pid: number): ProcessTimes | null {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in brackets may contain anything; numbers begin behind it (proc_pid_stat(5)).
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { parent: Number(fields[1]), cpuSeconds: ticks / ticksPerSecond };
  } catch {
    // It ended meanwhile.
    return null;
  }
}

export function treeOf(root: number, times: AllTimes): ReadonlySet<number> {
  const tree = new Set([root]);
  for (let before = 0; before !== tree.size; ) {
    before = tree.size;
    for (const [pid, { parent }] of times) if (tree.has(parent)) tree.add(pid);
  }
  return tree;
}

export function cpuSecondsOf(tree: ReadonlySet<number>, times: AllTimes): number {
  let sum = 0;
  for (const pid of tree) sum += times.get(pid)?.cpuSeconds ?? 0;
  return sum;
}

/** Bytes; pages that processes of the tree share count for each of them. */
export function residentBytes(root: number, field: 'VmRSS' | 'VmHWM'): number {
  let sum = 0;
  for (const pid of treeOf(root, readAllTimes())) {
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'latin1');
      sum += Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) * 1_024;
    } catch {
      // It ended meanwhile.
    }
  }
  return sum;
}

/** The highest memory is counted from now on. */
export function resetPeaks(root: number): void {
  for (const pid of treeOf(root, readAllTimes())) {
    try {
      // See proc_pid_clear_refs(5): 5 resets the peak.
      writeFileSync(`/proc/${pid}/clear_refs`, '5');
    } catch {
      // It ended meanwhile, or belongs to another account; then its peak is that of its whole life.
    }
  }
}
