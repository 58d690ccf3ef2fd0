import type { RecordCode } from '../../../../shared/error-codes.ts';
import type { Amount } from '../../../../shared/money.ts';
import { returnSurely } from '../../money/end-hold.ts';
import type { RunResult } from './answerable-run.ts';
import type { RunServices } from './run-services.ts';

const triesMax = 20;

/** Returns the charges of pictures that nobody took, in the background. */
export class UntakenRefunds {
  readonly #services: Pick<RunServices, 'clock' | 'db' | 'log' | 'watch'>;
  readonly #underWay = new Set<Promise<void>>();
  readonly #stop = new AbortController();

  constructor(services: Pick<RunServices, 'clock' | 'db' | 'log' | 'watch'>) {
    this.#services = services;
  }

  /** @param code why nobody took it */
  begin({ traceId, charged: { cost } }: RunResult, code: RecordCode): void {
    const refund = this.#return({ traceId, code }, cost).finally(() => {
      this.#underWay.delete(refund);
    });
    this.#underWay.add(refund);
  }

  /** Waits for the tries that are under way; what they do not bring about is left to the sweep. */
  async stop(): Promise<void> {
    this.#stop.abort();
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  async #return(untaken: { traceId: string; code: RecordCode }, cost: Amount): Promise<void> {
    const { clock, db, log, watch } = this.#services;
    const { traceId } = untaken;
    try {
      const isReturned = await returnSurely(db, clock, untaken, {
        triesMax,
        signal: this.#stop.signal,
      });
      if (isReturned) watch.onRefund({ traceId, cost });
    } catch (error) {
      log.error(
        { trace_id: traceId, err: error },
        'charge of a picture that nobody got is left to the sweep',
      );
    }
  }
}
