/** Counts how often what was disabled at one look is enabled at the next. */
export class Enablings {
  #seen: ReadonlyMap<string, { enabled: boolean; times: number }> = new Map();

  /** @param all everything there is: what is not among it is forgotten */
  note(all: readonly { id: string; enabled: boolean }[]): void {
    const before = this.#seen;
    this.#seen = new Map(
      all.map(({ id, enabled }) => {
        const known = before.get(id) ?? { enabled, times: 0 };
        const isAgain = enabled && !known.enabled;
        return [id, { enabled, times: known.times + (isAgain ? 1 : 0) }];
      }),
    );
  }

  timesOf(id: string): number {
    return this.#seen.get(id)?.times ?? 0;
  }
}
