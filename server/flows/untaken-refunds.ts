import type { RunResult, RunServices } from './image-run.ts';
import { refundOwn } from './refund-undelivered.ts';

/** Returns the charges of pictures that nobody took, in the background. */
export class UntakenRefunds {
  readonly #services: Pick<RunServices, 'clock' | 'db' | 'log' | 'watch'>;
  readonly #underWay = new Set<Promise<void>>();

  constructor(services: Pick<RunServices, 'clock' | 'db' | 'log' | 'watch'>) {
    this.#services = services;
  }

  begin({ traceId, charged: { cost } }: RunResult): void {
    const { clock, db, log, watch } = this.#services;
    const refund = refundOwn(db, clock, { traceId, code: 'client_gone' })
      .then((isReturned) => {
        if (isReturned) watch.onRefund({ traceId, cost });
      })
      .catch((error: unknown) =>
        log.error({ trace_id: traceId, err: error }, 'refund is left to the sweep'),
      )
      .finally(() => this.#underWay.delete(refund));
    this.#underWay.add(refund);
  }

  /** Resolves when none is under way. */
  async done(): Promise<void> {
    await Promise.all(this.#underWay);
  }
}
