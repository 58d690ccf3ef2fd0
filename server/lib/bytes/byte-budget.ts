import { endWait } from '../abort.ts';
import { assert } from '../assert.ts';
import type { Clock } from '../clock.ts';

/** `full`: there is no room now. `never`: it is more than one share may ever hold. */
export type BudgetAnswer = 'taken' | 'full' | 'never';

/** Shares of up to so many bytes are small. A part of the budget is kept free for them. */
const smallBytesMax = 1_048_576;
const smallPart = 1 / 16;
const waitingMax = 2_000;

type Size = 'small' | 'large';

interface Waiting {
  share: BudgetShare;
  bytes: number;
  serve: () => void;
}

/**
 * Bounds the bytes that one process holds for its callers. Whoever wants to hold some opens a share, asks for bytes
 * before it takes them, and gives them back by ending the share.
 *
 * A share that finds no room waits. There are two lines, one of small shares and one of large ones, each served in
 * the order of arrival. Large shares never take the last sixteenth of the budget, so that small ones need not wait
 * for them. While a large share waits, small ones get nothing but that sixteenth, so that the room which comes free
 * adds up to what the large one needs.
 */
export class ByteBudget {
  readonly limit: number;
  readonly #smallReserve: number;
  readonly #used = { small: 0, large: 0 };
  readonly #lines: Readonly<Record<Size, Set<Waiting>>> = { small: new Set(), large: new Set() };
  #refusals = 0;

  /** @param limit in bytes */
  constructor(limit: number) {
    this.limit = limit;
    this.#smallReserve = Math.floor(limit * smallPart);
  }

  /** Bytes that are held or counted now. May pass the limit by what was counted. */
  get used(): number {
    return this.#used.small + this.#used.large;
  }

  /** Shares that wait for room. */
  get waiting(): number {
    return this.#lines.small.size + this.#lines.large.size;
  }

  /** How often somebody who was still there was told that it is full. */
  get refusals(): number {
    return this.#refusals;
  }

  /** The most that one share can have. */
  get shareMax(): number {
    return this.limit - this.#smallReserve;
  }

  /** @param bytesExpected what the share will ask for; null when nobody knows: then it counts as a large one */
  open(bytesExpected: number | null): BudgetShare {
    const isSmall = bytesExpected !== null && bytesExpected <= smallBytesMax;
    const size: Size = isSmall ? 'small' : 'large';
    return new BudgetShare({
      fits: (share, bytes) => this.#fits({ size, bytes, held: share.bytes }),
      add: (bytes) => this.#add(size, bytes),
      wait: (waiting) => this.#wait(size, waiting),
      hasLine: () => this.#lines[size].size > 0,
      noteRefusal: () => {
        this.#refusals++;
      },
    });
  }

  #add(size: Size, bytes: number): void {
    this.#used[size] += bytes;
    assert(this.#used[size] >= 0, 'no byte comes back twice');
    if (bytes < 0) this.#callNext();
  }

  #fits({ size, bytes, held }: { size: Size; bytes: number; held: number }): BudgetAnswer {
    if (held + bytes > this.shareMax) return 'never';
    const free = this.limit - this.used;
    if (size === 'large') {
      const leftAlone = Math.max(0, this.#smallReserve - this.#used.small);
      return bytes <= free - leftAlone ? 'taken' : 'full';
    }
    const isConfined = this.#lines.large.size > 0;
    if (isConfined && this.#used.small + bytes > this.#smallReserve) return 'full';
    return bytes <= free ? 'taken' : 'full';
  }

  /** Puts it at the end of its line; what is returned takes it out. Null when the line is too long. */
  #wait(size: Size, waiting: Waiting): (() => void) | null {
    const line = this.#lines[size];
    if (line.size >= waitingMax) return null;
    line.add(waiting);
    return () => {
      // Others may stand behind one that gives up.
      if (line.delete(waiting)) this.#callNext();
    };
  }

  #callNext(): void {
    // While one of the large waits, the small are confined; so their turn comes after.
    for (const size of ['large', 'small'] as const) {
      const line = this.#lines[size];
      for (const waiting of line) {
        const { share, bytes } = waiting;
        if (this.#fits({ size, bytes, held: share.bytes }) !== 'taken') break;
        line.delete(waiting);
        share.count(bytes);
        waiting.serve();
      }
    }
  }
}

/** What a share may ask of its budget. */
interface Till {
  fits: (share: BudgetShare, bytes: number) => BudgetAnswer;
  add: (bytes: number) => void;
  wait: (waiting: Waiting) => (() => void) | null;
  hasLine: () => boolean;
  noteRefusal: () => void;
}

export interface Patience {
  clock: Clock;
  /** How long to wait in line. */
  waitMs: number;
  /** Ends the wait, which is then `full`. */
  signal: AbortSignal;
}

/** What one holder has of a {@link ByteBudget}. */
export class BudgetShare {
  readonly #till: Till;
  #bytes = 0;
  #ended = false;

  constructor(till: Till) {
    this.#till = till;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Asks for bytes to begin with, in line with all others. */
  async ask(bytes: number, patience: Patience): Promise<BudgetAnswer> {
    const answer = await this.#askInLine(bytes, patience);
    if (answer === 'full' && !patience.signal.aborted) this.#till.noteRefusal();
    return answer;
  }

  /** Takes more at once or not at all: who holds some already must not wait for others who do too. */
  take(bytes: number): BudgetAnswer {
    const answer = this.#takeIfFits(bytes);
    if (answer === 'full') this.#till.noteRefusal();
    return answer;
  }

  /** Counts what is held already and cannot be refused, beyond the limit if need be. */
  count(bytes: number): void {
    if (this.#ended) return;
    this.#bytes += bytes;
    this.#till.add(bytes);
  }

  /** Gives back what is beyond so many bytes. */
  keep(bytes: number): void {
    const spare = this.#bytes - bytes;
    if (spare <= 0) return;
    this.#bytes -= spare;
    this.#till.add(-spare);
  }

  /** Gives back everything. Whoever ends it again changes nothing. */
  end(): void {
    // First, because giving back may serve whoever waits, this one too.
    this.#ended = true;
    this.keep(0);
  }

  async #askInLine(bytes: number, { clock, waitMs, signal }: Patience): Promise<BudgetAnswer> {
    const now = this.#till.hasLine() ? 'full' : this.#takeIfFits(bytes);
    if (now !== 'full') return now;
    if (this.#till.fits(this, bytes) === 'never') return 'never';
    const served = Promise.withResolvers<void>();
    const before = this.#bytes;
    const leaveLine = this.#till.wait({ share: this, bytes, serve: served.resolve });
    if (!leaveLine) return 'full';
    const done = new AbortController();
    const late = clock.sleep(waitMs, AbortSignal.any([done.signal, signal]));
    try {
      await Promise.race([served.promise, late]);
    } catch {
      // Whoever asked has gone.
    }
    leaveLine();
    endWait(done);
    late.catch(() => undefined);
    return this.#bytes > before ? 'taken' : 'full';
  }

  #takeIfFits(bytes: number): BudgetAnswer {
    const answer = this.#till.fits(this, bytes);
    if (answer === 'taken') this.count(bytes);
    return answer;
  }
}
