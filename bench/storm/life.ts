import type { BlowKind } from './plan-blows.ts';

/** One server process, from its start to its end. */
export interface Life {
  server: number;
  /** 1, 2, 3 … of this server. */
  number: number;
  pid: number;
  /** Unix milliseconds, as all times here. */
  spawnedAt: number;
  readyAt: number | null;
  /** Every SIGKILL, SIGSTOP and SIGTERM sent to it. */
  blows: LifeBlow[];
  endedAt: number | null;
  exitCode: number | null;
  /** What ended it from outside: SIGKILL also when it did not stop in time. */
  exitSignal: NodeJS.Signals | null;
}

export interface LifeBlow {
  kind: BlowKind;
  at: number;
}
