/** One cell: processes with their callers, which begin together. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { EngineName } from '../../server/db/engine-name.ts';
import type { Location } from './bench-databases.ts';
import type { WorkerJob, WorkerResult } from './worker.ts';

export interface Cell {
  engine: EngineName;
  processes: number;
  wallets: number;
  /** Of all processes together. */
  callers: number;
}

export interface LoadResult {
  pairsPerSecond: number;
  /** Of one pair, from the start of its admit to the end of its settle. */
  medianMs: number;
  p99Ms: number;
  /** Cores that the processes themselves kept busy, without the database server's. */
  cores: number;
}

const worker = fileURLToPath(new URL('./worker.ts', import.meta.url));

export async function runLoad(
  cell: Cell,
  location: Location,
  seconds: number,
): Promise<LoadResult> {
  const workers = Array.from({ length: cell.processes }, (_none, index) =>
    startWorker({
      location,
      wallets: cell.wallets,
      callers: shareOf(cell, index),
      seconds,
    }),
  );
  await Promise.all(workers.map(({ ready }) => ready));
  for (const { begin } of workers) begin();
  return sumUp(await Promise.all(workers.map(({ result }) => result)));
}

/** Callers are dealt out to the processes in turn. */
function shareOf({ callers, processes }: Cell, index: number): number {
  return Math.floor(callers / processes) + (index < callers % processes ? 1 : 0);
}

function startWorker(job: WorkerJob) {
  const child = fork(worker, [JSON.stringify(job)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`a process of the measurement ended with ${code}`);
  });
  // Whoever waits for a message hears of it; afterwards its end is no failure.
  failed.catch(() => {});
  const nextMessage = () =>
    Promise.race([new Promise<unknown>((resolve) => child.once('message', resolve)), failed]);
  const ready = nextMessage();
  return {
    ready,
    begin: () => child.send('begin'),
    // Sent by `worker.ts`, whose second message it is.
    result: ready.then(nextMessage) as Promise<WorkerResult>,
  };
}

function sumUp(results: readonly WorkerResult[]): LoadResult {
  const pairsMs = results.flatMap((result) => result.pairsMs).sort((a, b) => a - b);
  const seconds = Math.max(...results.map(({ elapsedMs }) => elapsedMs)) / 1_000;
  const cpuSeconds = results.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / 1_000;
  const quantile = (part: number) => pairsMs[Math.floor((pairsMs.length - 1) * part)] ?? 0;
  return {
    pairsPerSecond: pairsMs.length / seconds,
    medianMs: quantile(0.5),
    p99Ms: quantile(0.99),
    cores: cpuSeconds / seconds,
  };
}
