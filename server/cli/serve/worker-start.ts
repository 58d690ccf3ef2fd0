import { shareOf } from '../../cluster/share.ts';
import { memoryBudgetOf } from '../../config/limits.ts';
import type { Config } from '../../config.ts';

/** What a supervisor tells a worker to do. */
export interface WorkerStart {
  /** Counted from 1. */
  number: number;
  config: Config;
  webFolder: string | null;
}

/** The options of one worker: of what is meant for the whole machine it gets its part. */
export function configOfWorker(config: Config, number: number): Config {
  const part = (whole: number) => shareOf(whole, { number, workers: config.workers });
  return {
    ...config,
    memoryBudgetBytes: part(memoryBudgetOf(config)),
    idempotencyReplayBytesMax: part(config.idempotencyReplayBytesMax),
  };
}
