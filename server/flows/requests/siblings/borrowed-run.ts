import { memoryPool } from '../../../lib/bytes/memory-pool.ts';
import type { Call } from '../../../lib/calls.ts';
import type { Clock } from '../../../lib/clock.ts';
import { type EncodedImage, letGo } from '../../../lib/pictures/encoded-image.ts';
import { ServiceError } from '../../../lib/service-error.ts';
import type { MadePicture } from '../attempts/attempt.ts';
import type { AnswerableRun, RunOutcome, Withholding } from '../runs/answerable-run.ts';
import type { RunCaller } from '../runs/run-caller.ts';
import { lostError, stoppingError } from '../runs/run-error.ts';
import { AnswerElsewhere } from './answer-elsewhere.ts';
import type { LentPicture, ToBorrower, ToLender } from './run-talk.ts';

export interface Borrowing {
  traceId: string;
  call: Call;
  clock: Clock;
  /** How long its outcome is waited for. */
  outcomeMs: number;
  /** For its pictures; what is returned gives it back. Null when there is none. */
  takeMemory: (bytes: number) => (() => void) | null;
  /** See `AnswerableRun`; asked the database, for nobody here made the charge. */
  mayHandOver: () => Promise<boolean>;
  /** Notes, soon, that its answer was handed over. */
  noteDelivered: () => void;
  /** Closes the connection that is answered. */
  cut: () => void;
  /** Called when nobody here waits for it any more. */
  onLeft: (run: BorrowedRun) => void;
}

/** A process that stands still is not to keep its siblings' callers waiting for ever. */
export const borrowLimits = { pieceMs: 30_000 } as const;

/**
 * A run of another process, with which this one answers. Its pictures are fetched as soon as it has any. The
 * other process goes on having it, and is told what becomes of the answer. When it ends before the answer is with
 * its caller, the charge is returned: then the connection is cut.
 */
export class BorrowedRun implements AnswerableRun {
  readonly traceId: string;
  readonly outcome: Promise<RunOutcome>;
  readonly #borrowing: Borrowing;
  readonly #lost = Promise.withResolvers<never>();
  #heard = Promise.withResolvers<ToBorrower>();
  readonly #pictures: MadePicture[] = [];
  #giveBack = () => {};
  /** Whether a caller had it before, so that nobody returns its charge. */
  #isPaid = false;
  #isHandedOver = false;
  #isLost = false;
  #isOver = false;

  constructor(borrowing: Borrowing) {
    const { traceId, call } = borrowing;
    this.traceId = traceId;
    this.#borrowing = borrowing;
    // It may be lost while nobody waits for anything.
    this.#lost.promise.catch(() => undefined);
    // Both processes are of one version.
    call.hear((said) => this.#heard.resolve(said as ToBorrower));
    call.onEnd(() => this.#onLost());
    this.#say({ kind: 'joined' });
    this.outcome = this.#borrow().catch(failed);
  }

  async mayHandOver(): Promise<boolean> {
    const stands = this.#isPaid || (await this.#borrowing.mayHandOver());
    if (this.#isLost && !this.#isPaid) throw lostError();
    if (!stands) this.#say({ kind: 'returned' });
    this.#isHandedOver = stands;
    return stands;
  }

  markOffered(): void {
    this.#say({ kind: 'offered' });
  }

  markWithheld(why: Withholding): void {
    this.#say({ kind: 'withheld', why });
  }

  markDelivered(): void {
    this.#isPaid = true;
    // Here too: the other process may end before it has written it down.
    this.#borrowing.noteDelivered();
    this.#say({ kind: 'delivered' });
  }

  detach(_caller: RunCaller, finished: boolean): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#say({ kind: 'leave', finished });
    this.#borrowing.call.end();
    this.#lost.reject(lostError());
    for (const { image } of this.#pictures) letGo(image);
    this.#giveBack();
    this.#borrowing.onLeft(this);
  }

  /** The service stops and can wait no longer: what is still waited for fails. */
  interrupt(): void {
    this.#lost.reject(stoppingError());
  }

  async #borrow(): Promise<RunOutcome> {
    const { outcomeMs, takeMemory } = this.#borrowing;
    const tooLate = new AnswerElsewhere('running', this.traceId);
    const said = await this.#listen(outcomeMs, tooLate);
    if (said.kind !== 'outcome' || this.#isOver) throw lostError();
    const { outcome } = said;
    if (outcome.kind === 'failed') {
      const { code, message, options } = outcome.error;
      throw new ServiceError(code, message, options);
    }
    this.#isPaid = outcome.isPaid;
    const lent = outcome.result.pictures;
    const giveBack = takeMemory(lent.reduce((sum, { length }) => sum + length, 0));
    // Over another connection a repeat may come to the process that has the answer.
    if (!giveBack) throw new AnswerElsewhere('no_memory', this.traceId);
    this.#giveBack = giveBack;
    for (const [index, picture] of lent.entries()) {
      const { encoding, length, ...told } = picture;
      const image = await this.#readPicture(index, { encoding, length });
      this.#pictures.push({ ...told, image });
      // Left just now: nobody else lets go of it.
      if (this.#isOver) letGo(image);
    }
    return { kind: 'succeeded', result: { ...outcome.result, pictures: this.#pictures } };
  }

  async #readPicture(
    picture: number,
    { encoding, length }: Pick<LentPicture, 'encoding' | 'length'>,
  ): Promise<EncodedImage> {
    const bytes = memoryPool.take(length).subarray(0, length);
    try {
      for (let from = 0; from < length; ) {
        this.#say({ kind: 'read', picture, from });
        const said = await this.#listen(borrowLimits.pieceMs, lostError());
        if (said.kind !== 'piece' || said.bytes.length === 0) throw lostError();
        bytes.set(said.bytes, from);
        from += said.bytes.length;
      }
    } catch (error) {
      memoryPool.giveBack(bytes);
      throw error;
    }
    return encoding === 'raw' ? { encoding, bytes } : { encoding, ascii: bytes };
  }

  /** What the other process says next. It says one thing, and then one for each that it is asked. */
  async #listen(limitMs: number, tooLate: ServiceError): Promise<ToBorrower> {
    const over = new AbortController();
    const late = this.#borrowing.clock.sleep(limitMs, over.signal).then(
      () => Promise.reject(tooLate),
      // It has been heard: the race is over.
      () => this.#heard.promise,
    );
    try {
      return await Promise.race([this.#heard.promise, this.#lost.promise, late]);
    } finally {
      this.#heard = Promise.withResolvers();
      over.abort();
    }
  }

  #onLost(): void {
    this.#isLost = true;
    this.#lost.reject(lostError());
    if (this.#isHandedOver && !this.#isPaid && !this.#isOver) this.#borrowing.cut();
  }

  #say(said: ToLender): void {
    this.#borrowing.call.say(said);
  }
}

function failed(error: unknown): RunOutcome {
  // Whatever else it is, the picture may be charged, and is not here.
  return { kind: 'failed', error: error instanceof ServiceError ? error : lostError(error) };
}
