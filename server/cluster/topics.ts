import type { PlaceLimits } from '../upstreams/places.ts';
import type { Line } from './line.ts';

/** What a supervisor says to a worker. */
export type ToWorker<Start> = {
  /** The first of all: what it is to do. */
  start: Start;
  /** All workers are ready. */
  whole: null;
  stop: null;
  /** The answer to `take`. */
  place: { ticket: number; isGiven: boolean };
  /** It is to report for a round. */
  report: { round: number };
  /** The answer to `ask_reports`. */
  reports: { ask: number; reports: readonly unknown[] };
};

/** What a worker says to its supervisor. */
export type ToSupervisor = {
  /** It takes requests at this address. */
  ready: { baseUrl: string };
  /** It cannot start, and ends. */
  failed: WorkerFailure;
  take: PlaceWish;
  /** Gives a place back, or waits for it no longer. */
  leave: { ticket: number };
  /** The answer to `report`. */
  report: { round: number; report: unknown };
  /** Wants the reports of all workers, its own among them. */
  ask_reports: { ask: number };
};

/** Why a worker cannot start, as the command line would say it. */
export interface WorkerFailure {
  exitCode: number;
  messages: readonly string[];
}

export interface PlaceWish {
  /** Chosen by the worker, once. */
  ticket: number;
  laneName: string;
  limits: PlaceLimits;
  /** Whether it stands in the queue when no place is free. */
  mayWait: boolean;
}

export type WorkerEnd<Start> = Line<ToSupervisor, ToWorker<Start>>;
export type SupervisorEnd<Start> = Line<ToWorker<Start>, ToSupervisor>;
