import type { Clock } from '../lib/clock.ts';
import type { Cli } from './cli.ts';

const pauseMs = 1_000;

/** Tells the person at the terminal how far long work has come: every step, and once a second within it. */
export class ProgressNotes {
  readonly #cli: Cli;
  readonly #clock: Clock;
  #step: string | null = null;
  #notedAtMs = 0;

  constructor(cli: Cli, clock: Clock) {
    this.#cli = cli;
    this.#clock = clock;
  }

  show(step: string, line: string): void {
    const nowMs = this.#clock.monotonic();
    if (step === this.#step && nowMs - this.#notedAtMs < pauseMs) return;
    this.#step = step;
    this.#notedAtMs = nowMs;
    this.#cli.note(line);
  }
}
