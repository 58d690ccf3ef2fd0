/** Work that outlives the attempt it belongs to, and that nobody but the end of the adapter waits for. */
export class Errands {
  readonly #running = new Set<Promise<void>>();

  /** The errand handles its own failures. */
  start(errand: Promise<void>): void {
    const run = errand.finally(() => this.#running.delete(run));
    this.#running.add(run);
  }

  async settle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }
}
