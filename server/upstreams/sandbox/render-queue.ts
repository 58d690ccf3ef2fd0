import { UpstreamError } from '../upstream.ts';

interface Waiting {
  signal: AbortSignal;
  /** Whether the picture has had a turn before: it goes first, for it already fills memory. */
  isBegun: boolean;
}

/**
 * Lets only so many pictures be drawn at once, the others waiting in the order they came: each
 * drawing holds megabytes, and more of them than the cores can feed are no faster.
 */
export class RenderQueue {
  private readonly begun: (() => void)[] = [];
  private readonly fresh: (() => void)[] = [];
  private free: number;
  private readonly waitingMax: number;

  constructor(slots: number, waitingMax: number) {
    this.free = slots;
    this.waitingMax = waitingMax;
  }

  /** Runs the work when its turn comes; rejects with the signal's reason when it aborts before. */
  async run<T>(work: () => Promise<T>, waiting: Waiting): Promise<T> {
    await this.takeSlot(waiting);
    try {
      return await work();
    } finally {
      this.passSlotOn();
    }
  }

  private async takeSlot({ signal, isBegun }: Waiting): Promise<void> {
    signal.throwIfAborted();
    if (this.free > 0) {
      this.free -= 1;
      return;
    }
    if (!isBegun && this.fresh.length >= this.waitingMax) {
      throw new UpstreamError('busy', 'too many pictures are waiting to be drawn');
    }
    const line = isBegun ? this.begun : this.fresh;
    await new Promise<void>((resolve, reject) => {
      const start = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        line.splice(line.indexOf(start), 1);
        reject(signal.reason);
      };
      line.push(start);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  /** A slot goes straight to the next in line, so that nobody can jump the queue. */
  private passSlotOn(): void {
    const next = this.begun.shift() ?? this.fresh.shift();
    if (next === undefined) this.free += 1;
    else next();
  }
}
