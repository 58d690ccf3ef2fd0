/** What programs that are not part of the measurement did in the meantime. */
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import {
  type AllTimes,
  cpuSecondsOf,
  readAllTimes,
  ticksPerSecond,
  treeOf,
} from './process-tree.ts';

export interface MachineReading {
  atMs: number;
  times: AllTimes;
  /** Seconds of all cores together: work of processes, and what the host of a virtual machine took. */
  busySeconds: number;
  stolenSeconds: number;
}

export function readMachine(): MachineReading {
  const [, ...fields] = readFileSync('/proc/stat', 'latin1').split('\n', 1)[0]?.split(/ +/) ?? [];
  const [user = 0, nice = 0, system = 0, , , , , stolen = 0] = fields.map(
    (field) => Number(field) / ticksPerSecond,
  );
  return {
    atMs: performance.now(),
    times: readAllTimes(),
    busySeconds: user + nice + system + stolen,
    stolenSeconds: stolen,
  };
}

/**
 * From 0 to 1, of all cores. Processes are counted one by one; in a container, where those of others
 * cannot be seen, what the whole machine did beyond our own counts.
 */
export function foreignShare(before: MachineReading, after: MachineReading): number {
  const then = partsOf(before);
  const now = partsOf(after);
  const stolen = after.stolenSeconds - before.stolenSeconds;
  const seen = now.others - then.others + stolen;
  const beyond = after.busySeconds - before.busySeconds - (now.own - then.own);
  const elapsedSeconds = (after.atMs - before.atMs) / 1_000;
  return Math.max(seen, beyond, 0) / (elapsedSeconds * cpus().length);
}

/** What ended in between is in its parent's time, and so in the same part as before. */
function partsOf({ times }: MachineReading): { own: number; others: number } {
  const own = cpuSecondsOf(treeOf(process.pid, times), times);
  return { own, others: cpuSecondsOf(new Set(times.keys()), times) - own };
}
