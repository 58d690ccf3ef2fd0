import type { BudgetAnswer, BudgetShare, ByteBudget } from '../../lib/bytes/byte-budget.ts';
import type { KeptBytes } from '../../lib/bytes/kept-bytes.ts';
import type { Clock } from '../../lib/clock.ts';
import { invalidRequest, ServiceError } from '../../lib/service-error.ts';

/** How long an upload that finds no room waits, unread, for others to end. */
const roomWaitMs = 5_000;
const retryAfterSeconds = 2;

export interface UploadPace {
  clock: Clock;
  /** Longest silence within a body. */
  idleMs: number;
  /** For the whole body. */
  timeoutMs: number;
}

/** Where and how uploads come in, the same for all. */
export interface UploadPlace extends UploadPace {
  budget: ByteBudget;
}

export interface UploadOptions extends UploadPlace {
  /** Aborts when the caller has gone. */
  gone: AbortSignal;
}

/**
 * What the body of one request, and all that is made of it, holds of the memory for uploads. Whoever
 * opened it ends it, whatever happened; it may be ended more than once.
 */
export class UploadMemory {
  readonly #options: UploadOptions;
  #share: BudgetShare | null = null;
  #held: KeptBytes[] = [];
  #hasEnded = false;

  constructor(options: UploadOptions) {
    this.#options = options;
  }

  /** How slowly a body may come. */
  get pace(): UploadPace {
    return this.#options;
  }

  /** What is held now. */
  get bytes(): number {
    return this.#share?.bytes ?? 0;
  }

  /**
   * Waits until there is room for a body. Throws when there is none.
   *
   * @param bytes what to begin with
   * @param announced whether that is all that will come
   */
  async begin(bytes: number, { announced }: { announced: boolean }): Promise<void> {
    const { budget, clock, gone } = this.#options;
    this.#share = budget.open(announced ? bytes : null);
    const patience = { clock, waitMs: roomWaitMs, signal: gone };
    this.#throwUnlessTaken(await this.#share.ask(bytes, patience), bytes);
  }

  /** Takes more, now or never: for what is longer than was known, or is made of what is there. */
  take(bytes: number): void {
    this.#share ??= this.#options.budget.open(bytes);
    this.#throwUnlessTaken(this.#share.take(bytes), bytes);
  }

  /**
   * As {@link take}, for who knows what becomes of a request for which there is no room. There is none any more for one
   * that has ended.
   */
  claim(bytes: number): BudgetAnswer {
    if (this.#hasEnded) return 'never';
    this.#share ??= this.#options.budget.open(bytes);
    return this.#share.take(bytes);
  }

  giveBack(bytes: number): void {
    this.#share?.keep(Math.max(0, this.bytes - bytes));
  }

  /** Remembers the body, or what is made of it, for {@link free}. */
  hold(bytes: KeptBytes): void {
    this.#held.push(bytes);
  }

  /** Frees what is held up to now, of which nobody reads anything any more. */
  drop(): void {
    for (const held of this.#held) held.free();
    this.#held = [];
  }

  end(): void {
    this.#hasEnded = true;
    this.#held = [];
    this.#share?.end();
  }

  /** The same where nobody reads anything of it any more: the memory it is in is free at once. */
  free(): void {
    this.drop();
    this.end();
  }

  #throwUnlessTaken(answer: BudgetAnswer, bytes: number): void {
    switch (answer) {
      case 'taken':
        return;
      case 'full':
        throw new ServiceError(
          'rate_limit',
          'The service holds as many uploads as it has memory for. Try again.',
          { retryAfterSeconds },
        );
      case 'never':
        throw tooLargeForBudget(this.#options.budget, this.bytes + bytes);
    }
  }
}

function tooLargeForBudget({ shareMax }: ByteBudget, bytes: number): ServiceError {
  return invalidRequest(
    null,
    `The request needs ${bytes} bytes of memory, and the service has ${shareMax} for one: send less, or ask its operator for a larger TINTYPE_MEMORY_BUDGET.`,
  );
}
