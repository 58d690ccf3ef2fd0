import type { Writable } from 'node:stream';

interface BoundedLogOptions {
  /** Of lines that wait for a reader. */
  bytesMax: number;
  /** Called when lines begin to be lost. */
  onStuck: () => void;
  /** Called when lines are taken again, with how many were lost. */
  onResumed: (lost: number) => void;
}

/**
 * Keeps so much for a reader that takes nothing, and no more: a stream by itself would keep all of it
 * in memory for ever.
 */
export class BoundedLog {
  readonly #stream: Writable;
  readonly #options: BoundedLogOptions;
  #lost = 0;

  constructor(stream: Writable, options: BoundedLogOptions) {
    this.#stream = stream;
    this.#options = options;
  }

  write(line: string): void {
    const { bytesMax, onStuck, onResumed } = this.#options;
    // Once stuck, until half of it was read: the reader is not to be told of every single line.
    const isStuck = this.#stream.writableLength > (this.#lost > 0 ? bytesMax / 2 : bytesMax);
    if (isStuck) {
      this.#lost++;
      if (this.#lost === 1) onStuck();
      return;
    }
    const lost = this.#lost;
    this.#lost = 0;
    if (lost > 0) onResumed(lost);
    this.#stream.write(line);
  }
}
