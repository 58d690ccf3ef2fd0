import type { Clock } from '../../server/lib/clock.ts';

interface Sleeper {
  ms: number;
  wakesAtMs: number;
  wake: () => void;
}

/** A clock that stands still until a test moves it. */
export class ManualClock implements Clock {
  private readonly startMs: number;
  private passedMs = 0;
  private sleepers: Sleeper[] = [];
  private watchers: { isReached: () => boolean; tell: () => void }[] = [];

  constructor(startMs = Date.UTC(2026, 0, 1)) {
    this.startMs = startMs;
  }

  now(): number {
    return this.startMs + this.passedMs;
  }

  monotonic(): number {
    return this.passedMs;
  }

  /** How many sleeps are under way. */
  get sleeping(): number {
    return this.sleepers.length;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (ms <= 0) return;
    await new Promise<void>((resolve, reject) => {
      const sleeper: Sleeper = {
        ms,
        wakesAtMs: this.passedMs + ms,
        wake: () => {
          signal?.removeEventListener('abort', leave);
          resolve();
        },
      };
      const leave = () => {
        this.sleepers = this.sleepers.filter((each) => each !== sleeper);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', leave, { once: true });
      this.sleepers.push(sleeper);
      this.tellWatchers();
    });
  }

  /** Resolves as soon as at least `count` sleeps are under way: what a test may then cut short. */
  async untilSleeping(count = 1): Promise<void> {
    await this.until(() => this.sleepers.length >= count);
  }

  /** How many sleeps of this length are under way. */
  sleepingFor(ms: number): number {
    return this.sleepers.filter((sleeper) => sleeper.ms === ms).length;
  }

  /** The same for sleeps of one length, where others may come and go: a body that is being read has one. */
  async untilSleepingFor(ms: number, count = 1): Promise<void> {
    await this.until(() => this.sleepingFor(ms) >= count);
  }

  /** Lets time pass and wakes whoever is due, the earliest first. */
  advance(ms: number): void {
    this.passedMs += ms;
    const due = this.sleepers.filter(({ wakesAtMs }) => wakesAtMs <= this.passedMs);
    this.sleepers = this.sleepers.filter(({ wakesAtMs }) => wakesAtMs > this.passedMs);
    due.sort((a, b) => a.wakesAtMs - b.wakesAtMs);
    for (const { wake } of due) wake();
  }

  private async until(isReached: () => boolean): Promise<void> {
    if (isReached()) return;
    await new Promise<void>((tell) => this.watchers.push({ isReached, tell }));
  }

  private tellWatchers(): void {
    const told = this.watchers.filter(({ isReached }) => isReached());
    this.watchers = this.watchers.filter((watcher) => !told.includes(watcher));
    for (const { tell } of told) tell();
  }
}
