/** What was measured. */
import type { EngineName } from '../../server/db/engine-name.ts';
import type { GatewayName } from './cases.ts';

/** How much other programs were in the way. */
export interface Noise {
  /** The most they used of the machine in a sample that counts, from 0 to 1. */
  foreign: number;
  /** Samples taken, with those that were disturbed. */
  tries: number;
}

/** Medians of the rounds. */
export interface LoadResult extends Noise {
  kind: 'load';
  case: string;
  gateway: GatewayName;
  requestsPerSecond: number;
  cpuMsPerRequest: number;
  /** Of answers; of uploads where there are any. */
  cpuSecondsPerGigabyte: number;
  requestsPerCpuSecond: number;
  p50Ms: number;
  p99Ms: number;
  peakBytes: number;
  /** How much of its core the gateway used; less than 1 where load or upstream held it up. */
  busyShare: number;
}

/** Of the requests of all rounds together. */
export interface LatencyResult extends Noise {
  kind: 'latency';
  case: string;
  gateway: GatewayName | 'direct';
  requests: number;
  p50Ms: number;
  p99Ms: number;
}

export interface HeldResult {
  kind: 'held';
  case: string;
  gateway: GatewayName;
  requests: number;
  /** Those that the upstream held at the same time, at the most. */
  heldMax: number;
  good: number;
  /** Resident memory while they waited, less that before. */
  bytesPerRequest: number;
}

export interface MemoryResult {
  kind: 'memory';
  case: string;
  gateway: GatewayName;
  budgetBytes: number;
  callers: number;
  good: number;
  /** Answered 429. */
  refused: number;
  peakBytes: number;
}

export interface StartResult {
  kind: 'start';
  gateway: GatewayName;
  /** Median, from the start of the process until it listened. */
  startMs: number;
  /** Resident, some seconds later. */
  idleBytes: number;
}

export interface LedgerResult {
  kind: 'ledger';
  engine: EngineName;
  pairsPerSecond: number;
  /** Small writes made durable one after the other, right before. */
  syncsPerSecond: number;
}

/** What could not be measured, and why. */
export interface SkippedResult {
  kind: 'skipped';
  case: string;
  reason: string;
}

export type Result =
  | LoadResult
  | LatencyResult
  | HeldResult
  | MemoryResult
  | StartResult
  | LedgerResult
  | SkippedResult;
