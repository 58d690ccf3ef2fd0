import type { PlaceLimits } from '../upstreams/places.ts';
import type { Line } from './line.ts';

/** What a supervisor says to a worker. */
export type ToWorker<Start> = {
  /** The first of all: what it is to do. */
  start: Start;
  /** All workers have been ready. */
  whole: null;
  stop: null;
  /** The answer to `take`. */
  place: { ticket: number; isGiven: boolean };
  /** It is to report for a round. */
  report: { round: number };
  /** The answer to `ask_reports`. */
  reports: { ask: number; reports: readonly unknown[] };
  /** Another worker calls: to be told by `answer` whether it takes the call. */
  ring: { call: number; question: unknown };
  /** The answer to `call`. `connected` is null when nobody takes it; `isSure` says that every worker has refused it. */
  connected: { ticket: number; connected: Connected | null; isSure: boolean };
  /** The other side of a call said something. */
  said: { call: number; said: unknown };
  /** The other side has ended the call, or is no more. */
  ended: { call: number };
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
  /** Wants to talk to whichever other worker takes the call. */
  call: { ticket: number; question: unknown };
  /** The answer to `ring`: what it says to begin with, or null when it does not take the call. */
  answer: { call: number; greeting: unknown };
  /** For the other side of a call. */
  say: { call: number; said: unknown };
  end: { call: number };
};

/** Why a worker cannot start, as the command line would say it. */
export interface WorkerFailure {
  exitCode: number;
  messages: readonly string[];
}

/** A call that was taken: its number, and what the other side says to begin with. */
export interface Connected {
  call: number;
  greeting: unknown;
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
