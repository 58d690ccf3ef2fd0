/** One measurement of one gateway, taken again when other programs were in its way. */
import { foreignShare, readMachine } from './foreign-load.ts';
import { cpuSecondsOf, readAllTimes, resetPeaks, residentBytes, treeOf } from './process-tree.ts';
import type { LoadRun } from './run-load.ts';

export interface Sample {
  run: LoadRun;
  seconds: number;
  /** Of the gateway and all its processes. */
  cpuSeconds: number;
  /** The highest of the sample. */
  peakBytes: number;
  /** Share of the machine that other programs used meanwhile, from 0 to 1. */
  foreign: number;
  /** How often it was taken; all but the last were disturbed. */
  tries: number;
}

export const foreignMax = 0.05;

export interface Sampling {
  /** Of the gateway. */
  pid: number;
  /** How often it may be taken until nothing is in its way. */
  triesMax: number;
  run: () => Promise<LoadRun>;
  /** Sees every run, also those that do not count. */
  onRun: (run: LoadRun) => void;
}

export async function takeSample({ pid, triesMax, run, onRun }: Sampling): Promise<Sample> {
  let best: Sample | null = null;
  for (let tries = 1; tries <= triesMax; tries++) {
    const sample = { ...(await takeOnce(pid, run)), tries };
    onRun(sample.run);
    if (best === null || sample.foreign < best.foreign) best = sample;
    best.tries = tries;
    if (sample.foreign <= foreignMax) break;
  }
  if (best === null) throw new Error('no sample was taken');
  return best;
}

async function takeOnce(pid: number, run: () => Promise<LoadRun>): Promise<Omit<Sample, 'tries'>> {
  resetPeaks(pid);
  const before = readMachine();
  const gatewayBefore = cpuOf(pid);
  const result = await run();
  const cpuSeconds = cpuOf(pid) - gatewayBefore;
  const after = readMachine();
  return {
    run: result,
    seconds: result.elapsedMs / 1_000,
    cpuSeconds,
    peakBytes: residentBytes(pid, 'VmHWM'),
    foreign: foreignShare(before, after),
  };
}

function cpuOf(pid: number): number {
  const times = readAllTimes();
  return cpuSecondsOf(treeOf(pid, times), times);
}
