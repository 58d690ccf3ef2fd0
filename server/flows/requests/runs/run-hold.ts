import type { RecordCode } from '../../../../shared/error-codes.ts';
import { mayPass } from '../../../db/database-error.ts';
import { must } from '../../../lib/assert.ts';
import type { ServiceError } from '../../../lib/service-error.ts';
import { releaseSurely, settleSurely, undoSurely } from '../../money/end-hold.ts';
import type { Charged, Release, Settlement } from '../../money/hold-money.ts';
import type { AttemptRecord, MadePicture } from '../attempts/attempt.ts';
import { expiredError, unavailableError } from './run-error.ts';
import type { RunServices } from './run-services.ts';

const settleTriesMax = 8;
const endTriesMax = 20;
const endWaitMs = 2_000;

type Owed = Required<Pick<Settlement, 'traceId' | 'userId' | 'unitPrice' | 'lowBalance'>>;

/** The money set aside for one run, and the ways in which that ends. What fails here is left to the sweep. */
export class RunHold {
  readonly #owed: Owed;
  readonly #services: Pick<RunServices, 'clock' | 'db' | 'log'>;

  constructor(
    { traceId, userId, unitPrice, lowBalance }: Owed,
    services: Pick<RunServices, 'clock' | 'db' | 'log'>,
  ) {
    this.#owed = { traceId, userId, unitPrice, lowBalance };
    this.#services = services;
  }

  /** Charges the pictures. An error says why nothing was charged: then they must not be sent. */
  async charge(
    pictures: readonly MadePicture[],
    attempts: readonly AttemptRecord[],
  ): Promise<Charged | ServiceError> {
    const { clock, db, log } = this.#services;
    const { traceId } = this.#owed;
    const settlement: Settlement = {
      ...this.#owed,
      images: pictures.length,
      ...formOf(pictures),
      attempts: JSON.stringify(attempts),
    };
    try {
      const charged = await settleSurely(db, clock, settlement, settleTriesMax);
      return charged ?? expiredError(traceId);
    } catch (error) {
      // Anything else is a bug, and is told and undone as one.
      if (!mayPass(error)) throw error;
      log.error({ trace_id: traceId, err: error }, 'charge could not be made');
      // In the background: this caller has waited enough.
      void this.undo('unavailable', attempts);
      return unavailableError(error);
    }
  }

  async release(
    status: Release['status'],
    code: RecordCode,
    attempts: readonly AttemptRecord[],
  ): Promise<void> {
    const { clock, db } = this.#services;
    const { traceId, userId } = this.#owed;
    const ending = { traceId, userId, status, code, attempts: JSON.stringify(attempts) };
    await this.#soon(releaseSurely(db, clock, ending, endTriesMax));
  }

  /** For a charge that may or may not have been made: it is returned, or the hold released. */
  async undo(code: RecordCode, attempts: readonly AttemptRecord[]): Promise<void> {
    const { clock, db } = this.#services;
    const undoing = { traceId: this.#owed.traceId, code, attempts: JSON.stringify(attempts) };
    await this.#soon(undoSurely(db, clock, undoing, endTriesMax));
  }

  /** Waits for an ending, but not long: nobody should wait for a database that is gone. */
  async #soon(ending: Promise<unknown>): Promise<void> {
    const { clock, log } = this.#services;
    const done = new AbortController();
    const ended = ending
      .catch((error: unknown) =>
        log.error({ trace_id: this.#owed.traceId, err: error }, 'hold is left to the sweep'),
      )
      .finally(() => done.abort());
    await Promise.race([ended, clock.sleep(endWaitMs, done.signal).catch(() => undefined)]);
  }
}

/** What the usage record says of the pictures: the first one's, as they are alike. */
function formOf(pictures: readonly MadePicture[]) {
  const first = must(pictures[0], 'the picture of a success');
  return {
    size: `${first.width}x${first.height}`,
    quality: first.quality,
    outputFormat: first.format,
  };
}
