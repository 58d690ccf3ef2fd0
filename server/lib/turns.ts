/** Lets only so much be done at once; what comes beyond waits, and is done in the order in which it came. */
export class Turns {
  readonly #atOnceMax: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(atOnceMax: number) {
    this.#atOnceMax = atOnceMax;
  }

  /** How many wait. */
  get waiting(): number {
    return this.#waiting.length;
  }

  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#atOnceMax) this.#running++;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      // A turn that somebody waits for is handed over, not given back.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }
}
