import type { Clock } from '../lib/clock.ts';

/** For workers that stand still: the others' reports are not to wait for theirs. */
const roundMsMax = 2_000;

interface Round {
  missing: Set<number>;
  reports: unknown[];
  done: () => void;
}

/** Gathers a report of every worker, as often as one of them asks for all. */
export class ReportRounds {
  readonly #clock: Clock;
  readonly #rounds = new Map<number, Round>();
  #lastRound = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Resolves with the reports of those who answered in time.
   *
   * @param ask tells each of the workers to report for a round
   */
  async gather(
    workers: readonly number[],
    ask: (worker: number, round: number) => void,
  ): Promise<readonly unknown[]> {
    const number = ++this.#lastRound;
    const all = Promise.withResolvers<void>();
    const round: Round = { missing: new Set(workers), reports: [], done: all.resolve };
    this.#rounds.set(number, round);
    for (const worker of workers) ask(worker, number);
    const over = new AbortController();
    const late = this.#clock.sleep(roundMsMax, over.signal).catch(() => {});
    await Promise.race([all.promise, late]);
    over.abort();
    this.#rounds.delete(number);
    return round.reports;
  }

  /** Rounds that go on. */
  get size(): number {
    return this.#rounds.size;
  }

  hear(worker: number, { round: number, report }: { round: number; report: unknown }): void {
    const round = this.#rounds.get(number);
    if (!round?.missing.delete(worker)) return;
    round.reports.push(report);
    if (round.missing.size === 0) round.done();
  }

  /** It is dead, and reports nothing any more. */
  forget(worker: number): void {
    for (const round of this.#rounds.values()) {
      if (round.missing.delete(worker) && round.missing.size === 0) round.done();
    }
  }
}
