import cluster from 'node:cluster';
import { must } from '../lib/assert.ts';
import type { Calls } from '../lib/calls.ts';
import type { PlaceLimits, Places } from '../upstreams/places.ts';
import { PlaceBorrower } from './lent-places.ts';
import { Line } from './line.ts';
import type { WorkerEnd, WorkerFailure } from './topics.ts';
import { WorkerCalls } from './worker-calls.ts';

/** What a worker has of its supervisor. */
export interface Supervised<Start, Report> {
  /** What it is told to do. */
  start: Promise<Start>;
  /** Resolves when it is to stop: it was told so, or its supervisor is no more. */
  stopAsked: Promise<void>;
  /** Resolves when its supervisor is no more. */
  gone: Promise<void>;
  /** Whether all workers of the service have been ready. */
  areReady: () => boolean;
  /** The places of an upstream, which all workers share. */
  openPlaces: (laneName: string, limits: PlaceLimits) => Places;
  reports: Reports<Report>;
  /** Reaches the other workers. */
  calls: Calls;
  /** It takes requests at this address. */
  sayReady: (baseUrl: string) => Promise<void>;
  /** It cannot start, and is about to end. */
  sayFailed: (failure: WorkerFailure) => Promise<void>;
  /** Lets go of the supervisor, which would keep the process alive. */
  leave: () => void;
}

/** What each worker can say of itself, for all of them. */
export interface Reports<Report> {
  /** How this one makes its report. */
  offer: (read: () => Promise<Report>) => void;
  /** The reports of all who answer, its own among them. */
  all: () => Promise<readonly Report[]>;
}

/** For the program of a worker. */
export function joinSupervisor<Start, Report>(): Supervised<Start, Report> {
  const worker = must(cluster.worker, 'a supervisor, which started this process');
  // Or Node would end it in the middle of its work when the supervisor dies.
  process.prependListener('disconnect', () => {
    worker.exitedAfterDisconnect = true;
  });
  const line: WorkerEnd<Start> = new Line(worker);
  const places = new PlaceBorrower({
    take: (wish) => void line.say('take', wish),
    leave: (ticket) => void line.say('leave', { ticket }),
  });
  line.on('place', ({ ticket, isGiven }) => places.hear(ticket, isGiven));
  line.onGone(() => places.close());
  const gone = new Promise<void>((resolve) => line.onGone(resolve));
  let areReady = false;
  line.on('whole', () => {
    areReady = true;
  });
  return {
    start: new Promise((resolve) => line.on('start', resolve)),
    stopAsked: new Promise((resolve) => {
      line.on('stop', () => resolve());
      void gone.then(resolve);
    }),
    gone,
    areReady: () => areReady,
    reports: exchangeReports(line),
    calls: new WorkerCalls(line),
    openPlaces: (laneName, limits) => places.open(laneName, limits),
    sayReady: (baseUrl) => line.say('ready', { baseUrl }),
    sayFailed: (failure) => line.say('failed', failure),
    leave: () => {
      if (process.connected) process.disconnect();
    },
  };
}

function exchangeReports<Start, Report>(line: WorkerEnd<Start>): Reports<Report> {
  const asked = new Map<number, (reports: readonly Report[]) => void>();
  let read: (() => Promise<Report>) | null = null;
  let lastAsk = 0;
  let isGone = false;
  const tell = (ask: number, reports: readonly Report[]) => {
    asked.get(ask)?.(reports);
    asked.delete(ask);
  };
  line.on('report', ({ round }) => {
    void read?.().then(
      (report) => line.say('report', { round, report }),
      // The round goes on without it.
      () => {},
    );
  });
  // All workers make the same kind of report.
  line.on('reports', ({ ask, reports }) => tell(ask, reports as readonly Report[]));
  line.onGone(() => {
    isGone = true;
    for (const ask of [...asked.keys()]) tell(ask, []);
  });
  return {
    offer: (reader) => {
      read = reader;
    },
    all: () =>
      new Promise((resolve) => {
        if (isGone) return resolve([]);
        const ask = ++lastAsk;
        asked.set(ask, resolve);
        void line.say('ask_reports', { ask });
      }),
  };
}
