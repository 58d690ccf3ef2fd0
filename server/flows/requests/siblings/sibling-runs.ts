import type { ByteBudget } from '../../../lib/bytes/byte-budget.ts';
import type { Calls, NotTaken, TakenCall } from '../../../lib/calls.ts';
import type { Clock } from '../../../lib/clock.ts';
import { readWhatIsHere } from '../../../lib/read-what-is-here.ts';
import { claimed } from '../runs/claimed.ts';
import type { ImageRun } from '../runs/image-run.ts';
import type { ImageRuns } from '../runs/image-runs.ts';
import type { RunServices } from '../runs/run-services.ts';
import { BorrowedRun } from './borrowed-run.ts';
import { lendRun } from './lend-run.ts';
import type { RunGreeting, WantedRun } from './run-talk.ts';

export interface SiblingServices extends Pick<RunServices, 'chargeStands' | 'noteDelivered'> {
  calls: Calls;
  clock: Clock;
  runs: ImageRuns;
  budget: ByteBudget;
}

/** What a connection that joins a run of another process brings along. */
export interface Joining {
  /** How long the outcome of a run that is under way is waited for. */
  outcomeMs: number;
  /** Closes the connection that is answered: the run was lost in the middle of its answer. */
  cut: () => void;
}

/**
 * Lets any process of the service answer a repeated request, whichever of them has the run: this process answers
 * with runs of its siblings, and lends its own to them.
 */
export class SiblingRuns {
  readonly #services: SiblingServices;
  readonly #lent = new Set<Promise<void>>();
  readonly #borrowed = new Set<BorrowedRun>();

  constructor(services: SiblingServices) {
    this.#services = services;
    // All processes ask for the same.
    services.calls.onRing((wanted) => this.#lend(wanted as WantedRun));
  }

  /** Asks the siblings for a run and joins it: the connection is a caller of it from now on. */
  async join(wanted: WantedRun, joining: Joining): Promise<BorrowedRun | NotTaken> {
    const taken = await this.#services.calls.ring(wanted);
    if (taken === 'nobody' || taken === 'unsure') return taken;
    const run = this.#borrow(taken, joining);
    // Until it is done, it is waited for like one of this process.
    void this.#services.runs.whileWaiting(() => run.outcome);
    return run;
  }

  /** Ends what is still waited for. */
  async interruptAll(): Promise<void> {
    const borrowed = [...this.#borrowed];
    for (const run of borrowed) run.interrupt();
    await Promise.all(borrowed.map(({ outcome }) => outcome));
  }

  /** The answers that callers are still taking are about to be cut off. */
  cutOff(): void {
    for (const run of this.#borrowed) run.markWithheld('interrupted');
  }

  /** Resolves when no other process answers with a run of this one. */
  async returned(): Promise<void> {
    while (this.#lent.size > 0) await Promise.all(this.#lent);
  }

  #borrow({ call, greeting }: TakenCall, { outcomeMs, cut }: Joining): BorrowedRun {
    const { budget, chargeStands, clock, noteDelivered } = this.#services;
    // What a sibling says to begin with.
    const { traceId } = greeting as RunGreeting;
    const run = new BorrowedRun({
      traceId,
      call,
      clock,
      outcomeMs,
      takeMemory: (bytes) => takeMemory(budget, bytes),
      // Whatever this process knows of its own lease says nothing of the charge of another.
      mayHandOver: () => claimed(() => chargeStands(traceId, Number.NEGATIVE_INFINITY)),
      noteDelivered: () => noteDelivered(traceId),
      cut,
      onLeft: (left) => this.#borrowed.delete(left),
    });
    this.#borrowed.add(run);
    return run;
  }

  async #lend(wanted: WantedRun) {
    // A client leaves before it comes back, but not over the same connection.
    if (wanted.idempotencyKey === null) await readWhatIsHere();
    const run = this.#find(wanted);
    if (!run) return null;
    const greeting: RunGreeting = { traceId: run.traceId };
    return {
      greeting,
      talk: (call: TakenCall['call']) => {
        const lent = lendRun(run, call).then(() => {
          this.#lent.delete(lent);
        });
        this.#lent.add(lent);
      },
    };
  }

  #find({ apiKeyId, idempotencyKey: key, fingerprint }: WantedRun): ImageRun | null {
    const { runs } = this.#services;
    // Whoever stops has looked already whether anything is lent.
    if (runs.closed) return null;
    if (key === null) return runs.findAbandoned(apiKeyId, fingerprint);
    const known = runs.findByKey(apiKeyId, { key, fingerprint });
    return known?.same ? known.run : null;
  }
}

function takeMemory(budget: ByteBudget, bytes: number): (() => void) | null {
  const share = budget.open(bytes);
  return share.take(bytes) === 'taken' ? () => share.end() : null;
}
