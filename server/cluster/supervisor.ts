import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import module from 'node:module';
import { dirname } from 'node:path';
import type { Clock } from '../lib/clock.ts';
import type { Logger } from '../lib/logger.ts';
import { Handovers } from './handovers.ts';
import { Line } from './line.ts';
import { PlaceDesk } from './place-desk.ts';
import { ReportRounds } from './report-rounds.ts';
import { Restarts, restartLimits } from './restarts.ts';
import { Switchboard } from './switchboard.ts';
import type { SupervisorEnd, ToSupervisor, ToWorker, WorkerFailure } from './topics.ts';
import { WorkersFailed } from './workers-failed.ts';

export interface SupervisorOptions<Start> {
  /** The file that a worker runs. */
  program: string;
  workers: number;
  /** What a worker is told at its start; they are counted from 1. */
  startOf: (number: number) => Start;
  /** How long workers may take to stop before they are killed. */
  stopLimitMs: number;
  clock: Clock;
  log: Logger;
}

/** A worker from its start to its death. */
interface Life<Start> {
  number: number;
  worker: Worker;
  line: SupervisorEnd<Start>;
  isReady: boolean;
  failure: WorkerFailure | null;
}

/**
 * Starts a number of processes that serve on one socket, starts another for each that dies, and
 * lends them what they have to share. It serves nothing itself: connections are handed to the
 * workers in turn.
 */
export class Supervisor<Start> {
  /** Rejects when the workers cannot be kept running. */
  readonly broken: Promise<never>;
  readonly #options: SupervisorOptions<Start>;
  readonly #break: (reason: WorkersFailed) => void;
  readonly #whole = Promise.withResolvers<string>();
  readonly #lives = new Set<Life<Start>>();
  readonly #desk = new PlaceDesk();
  readonly #restarts = new Restarts();
  readonly #rounds: ReportRounds;
  readonly #switchboard: Switchboard<Start>;
  readonly #stop = new AbortController();
  #isWhole = false;

  constructor(options: SupervisorOptions<Start>) {
    const broken = Promise.withResolvers<never>();
    this.broken = broken.promise;
    this.#break = broken.reject;
    this.#options = options;
    this.#rounds = new ReportRounds(options.clock);
    this.#switchboard = new Switchboard(options.clock, (worker) => this.#lineOf(worker));
    // It may break while nobody looks; whoever waits for it then still sees that it has.
    this.broken.catch(() => {});
  }

  /** Resolves with the address when all workers take requests. */
  start(): Promise<string> {
    // A burst of connections must not end up with one worker, each of which has a share of the memory.
    cluster.schedulingPolicy = cluster.SCHED_RR;
    cluster.setupPrimary({ exec: this.#options.program, args: [], serialization: 'advanced' });
    for (let number = 1; number <= this.#options.workers; number++) void this.#keepAlive(number);
    return Promise.race([this.#whole.promise, this.broken]);
  }

  /** Lets all workers finish what they do. False when some had to be killed. */
  async stop(): Promise<boolean> {
    this.#stop.abort();
    for (const { line } of this.#lives) void line.say('stop', null);
    const over = new AbortController();
    const late = this.#options.clock.sleep(this.#options.stopLimitMs, over.signal).then(
      () => true,
      () => false,
    );
    const ended = Promise.all([...this.#lives].map(({ worker }) => endOf(worker)));
    if (await Promise.race([late, ended.then(() => false)])) {
      this.kill();
      await ended;
      return false;
    }
    over.abort();
    return true;
  }

  /** Ends all workers at once. */
  kill(): void {
    this.#stop.abort();
    for (const { worker } of this.#lives) worker.process.kill('SIGKILL');
  }

  async #keepAlive(number: number): Promise<void> {
    const { clock, log } = this.#options;
    while (!this.#stop.signal.aborted) {
      const begun = clock.monotonic();
      const { isReady, failure, error, ...end } = await this.#live(number);
      if (this.#stop.signal.aborted) return;
      const livedMs = Math.round(clock.monotonic() - begun);
      const doOthersServe = this.#isWhole && this.#ready().length > 0;
      const lifeBehind = { wasReady: isReady, livedMs, doOthersServe };
      const pauseMs = this.#restarts.noteDeath(number, lifeBehind);
      const death = { worker: number, ...end, lived_ms: livedMs, ...(error && { err: error }) };
      log.error(death, error ? 'a worker could not be started' : 'a worker ended');
      // Where none has ever run, what it says of itself will not change by another try.
      if (pauseMs === null || (failure && !this.#isWhole)) {
        this.#break(new WorkersFailed(failure ?? unexplained({ ...end, error })));
        return;
      }
      // Rejects when the service is stopped meanwhile, which the loop's condition sees.
      await clock.sleep(pauseMs, this.#stop.signal).catch(() => {});
    }
  }

  /** Resolves when the worker is dead. */
  async #live(number: number) {
    let worker: Worker;
    try {
      worker = cluster.fork(compileCache());
    } catch (error) {
      // Of some shortages, such as one of memory, Node does not tell by an event.
      if (!(error instanceof Error)) throw error;
      return { code: null, signal: null, error, isReady: false, failure: null };
    }
    const line: SupervisorEnd<Start> = new Line(worker);
    const life: Life<Start> = { number, worker, line, isReady: false, failure: null };
    this.#lives.add(life);
    // Where files are short, there is not even a channel to one that could not be started.
    if (worker.isConnected()) this.#listen(life);
    void line.say('start', this.#options.startOf(number));
    const end = await endOf(worker);
    this.#lives.delete(life);
    return { ...end, isReady: life.isReady, failure: life.failure };
  }

  #listen(life: Life<Start>): void {
    const { line, worker } = life;
    const handovers = new Handovers(worker);
    line.on('ready', ({ baseUrl }) => this.#onReady(life, baseUrl));
    line.on('failed', (failure) => {
      life.failure = failure;
    });
    line.on('take', (wish) => void this.#lend(life, wish));
    line.on('leave', ({ ticket }) => this.#desk.leave(worker.id, ticket));
    line.on('report', (report) => this.#rounds.hear(worker.id, report));
    line.on('ask_reports', ({ ask }) => void this.#answerReports(life, ask));
    this.#switchboard.listen(worker.id, line, () => {
      const ids = this.#ready().map((ready) => ready.worker.id);
      return ids.filter((id) => id !== worker.id);
    });
    // Both come behind everything that it said, unlike its death, and the first of them never where something that it
    // was handed is left.
    for (const event of ['disconnect', 'close']) {
      worker.process.once(event, () => {
        this.#desk.leaveAll(worker.id);
        this.#rounds.forget(worker.id);
        this.#switchboard.forget(worker.id);
        handovers.close();
      });
    }
  }

  async #lend({ worker, line }: Life<Start>, wish: ToSupervisor['take']): Promise<void> {
    const isGiven = await this.#desk.take(worker.id, wish);
    const answer: ToWorker<Start>['place'] = { ticket: wish.ticket, isGiven };
    await line.say('place', answer);
  }

  async #answerReports({ line }: Life<Start>, ask: number): Promise<void> {
    const reports = await this.#rounds.gather(
      this.#ready().map(({ worker }) => worker.id),
      (worker, round) => void this.#lineOf(worker)?.say('report', { round }),
    );
    await line.say('reports', { ask, reports });
  }

  #ready(): Life<Start>[] {
    return [...this.#lives].filter(({ isReady }) => isReady);
  }

  #lineOf(id: number): SupervisorEnd<Start> | undefined {
    return [...this.#lives].find(({ worker }) => worker.id === id)?.line;
  }

  #onReady(life: Life<Start>, baseUrl: string): void {
    life.isReady = true;
    this.#restarts.noteReady();
    const ready = this.#ready();
    if (this.#isWhole) {
      void life.line.say('whole', null);
      this.#options.log.info({ worker: life.number }, 'a worker was replaced');
    } else if (ready.length === this.#options.workers) {
      this.#isWhole = true;
      for (const { line } of ready) void line.say('whole', null);
      this.#whole.resolve(baseUrl);
    }
  }
}

/** What was compiled for this process is not compiled again for its workers. */
function compileCache(): { NODE_COMPILE_CACHE?: string } {
  const folder = module.getCompileCacheDir?.();
  // Node adds a folder for its version.
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) };
}

interface End {
  code: number | null;
  signal: string | null;
  /** Why it could not be started at all, which counts as a death like any other. */
  error: Error | null;
}

async function endOf({ process }: Worker): Promise<End> {
  let error: Error | null = null;
  if (process.exitCode === null && process.signalCode === null) {
    await once(process, 'exit').catch((reason: Error) => {
      error = reason;
    });
  }
  return { code: process.exitCode, signal: process.signalCode, error };
}

function unexplained({ code, signal, error }: End): WorkerFailure {
  const end = error?.message ?? signal ?? `exit code ${code}`;
  const messages = [
    `${restartLimits.failedStartsMax} worker processes in a row ended before they were ready, the last by ${end}`,
  ];
  return { exitCode: 1, messages };
}
