import type { Amount } from '../../../../shared/money.ts';
import type { Route } from '../../../catalog/catalog.ts';
import { fingerprintOf, type ImageRequest } from '../../../images/image-request.ts';
import type { EncodedImage } from '../../../lib/pictures/encoded-image.ts';
import { readWhatIsHere } from '../../../lib/read-what-is-here.ts';
import { ServiceError } from '../../../lib/service-error.ts';
import { UpstreamError } from '../../../upstreams/upstream.ts';
import type { AttemptRecord, MadePicture } from '../attempts/attempt.ts';
import { type MakeOutcome, makePictures } from '../attempts/make-pictures.ts';
import type { AnswerableRun, RunOutcome, Withholding } from './answerable-run.ts';
import { claimed } from './claimed.ts';
import { noteAttempts } from './note-attempts.ts';
import { type RunCaller, showToAll } from './run-caller.ts';
import { internalError, stoppingError } from './run-error.ts';
import { RunHold } from './run-hold.ts';
import type { RunServices } from './run-services.ts';
import type { RunNote } from './run-watch.ts';

export interface RunInput {
  traceId: string;
  note: RunNote;
  userId: string;
  request: ImageRequest;
  unitPrice: Amount;
  /** See `Settlement`; as it was when the request began. */
  lowBalance: Amount;
  routes: readonly Route[];
  /** With an Idempotency-Key a run goes on without its caller, and its answer waits. */
  keyed: boolean;
  deadlineMs: number;
  attemptsMax: number;
  /** Called when somebody starts to wait for the run. */
  onJoined: (run: ImageRun) => void;
  /** Called when the last caller has left; `finished` when it was handed the whole answer. */
  onAlone: (caller: RunCaller, finished: boolean) => void;
}

/**
 * One admitted image request from its hold to its end. It runs apart from the connections that wait
 * for it: they come and go, the hold ends exactly once.
 *
 * Nothing is charged unless somebody takes the picture: a caller that is there, one that took a
 * partial image, or one that may come back with its Idempotency-Key.
 */
export class ImageRun implements AnswerableRun {
  readonly traceId: string;
  readonly userId: string;
  readonly keyed: boolean;
  readonly outcome: Promise<RunOutcome>;
  readonly #input: Omit<RunInput, 'request'>;
  #request: ImageRequest;
  #fingerprint: string | null = null;
  readonly #services: RunServices;
  readonly #hold: RunHold;
  readonly #callers = new Set<RunCaller>();
  readonly #stop = new AbortController();
  /** Aborts with the reason why nobody wants the picture any more, even if its time was over before. */
  readonly #unwanted = new AbortController();
  /** There while the run waits for somebody to take its picture; resolves with whether anybody came. */
  #waiting: PromiseWithResolvers<boolean> | null = null;
  #partialDelivered = false;
  #offered = false;
  #delivered = false;
  #withheld: Withholding | null = null;
  #returned = false;
  /** Empty until they are over. */
  #attempts: readonly AttemptRecord[] = [];
  /** By the monotonic clock: the charge was not made before. */
  #chargedSince = 0;
  #leftReaders = true;

  constructor(input: RunInput, services: RunServices) {
    this.traceId = input.traceId;
    this.userId = input.userId;
    this.keyed = input.keyed;
    const { request, ...rest } = input;
    this.#request = request;
    this.#input = rest;
    this.#services = services;
    this.#hold = new RunHold(input, services);
    this.outcome = this.#run();
  }

  /** Whether a caller was shown a partial image: then the picture is paid for even if it left. */
  get partialDelivered(): boolean {
    return this.#partialDelivered;
  }

  /** Whether a caller could have had the whole answer and did not stay for it: it stays paid for, unless the service stops. */
  get offered(): boolean {
    return this.#offered;
  }

  get delivered(): boolean {
    return this.#delivered;
  }

  /** Whether its charge was found returned: it stands for nothing any more. */
  get returned(): boolean {
    return this.#returned;
  }

  /**
   * Why a caller that stayed for the answer did not get it, if that was the service's doing: the claim of its delivery
   * failed (`unavailable`), or the service stopped while the answer was being taken.
   */
  get withheld(): Withholding | null {
    return this.#withheld;
  }

  /**
   * Whether something may still be reading the pictures of the request when the run has ended: a call
   * that was given up in the middle. Those that made a picture have come to their own end.
   */
  get leftReaders(): boolean {
    return this.#leftReaders;
  }

  /** Whether there are pictures in its request. */
  get holdsPictures(): boolean {
    return this.#request.referenceImages.length > 0;
  }

  get alone(): boolean {
    return this.#callers.size === 0;
  }

  /** Whether every caller has left, and the connections of some are not closed yet. */
  get isBeingLeft(): boolean {
    return !this.alone && [...this.#callers].every((caller) => caller.hasLeft());
  }

  attach(caller: RunCaller): void {
    this.#callers.add(caller);
    this.#input.onJoined(this);
    this.#waiting?.resolve(true);
  }

  detach(caller: RunCaller, finished: boolean): void {
    if (this.#callers.delete(caller) && this.alone) this.#input.onAlone(caller, finished);
  }

  /** Tells whether another request is the same: see `fingerprintOf`. */
  fingerprint(): string {
    this.#fingerprint ??= fingerprintOf(this.#request);
    return this.#fingerprint;
  }

  /** Lets go of the prompt and the reference images of a run that waits for repeats only. */
  dropRequest(): void {
    this.fingerprint();
    this.#request = { ...this.#request, prompt: '', referenceImages: [], mask: null };
  }

  /** The answer was on its way to a caller who left in the middle of it. */
  markOffered(): void {
    this.#offered = true;
  }

  /**
   * To be asked before the answer is handed over, which in doubt it claims. A process that stood still for longer than its
   * lease may hold a picture whose charge was returned meanwhile: it must not be sent.
   */
  async mayHandOver(): Promise<boolean> {
    const { chargeStands } = this.#services;
    this.#returned = !(await claimed(() => chargeStands(this.traceId, this.#chargedSince)));
    return !this.#returned;
  }

  /** A caller that is there does not get the answer; see {@link withheld}. */
  markWithheld(why: Withholding): void {
    this.#withheld = why;
  }

  /** The answer was handed to a caller's socket. */
  markDelivered(): void {
    if (this.#delivered) return;
    this.#delivered = true;
    this.#services.noteDelivered(this.traceId);
  }

  /** Nobody will come for the picture: stops the upstream and charges nothing. */
  abandon(): void {
    this.#end(abandoned);
  }

  /** The service stops and can wait no longer. */
  interrupt(): void {
    this.#end(interrupted);
  }

  #end(why: UpstreamError): void {
    this.#waiting?.resolve(false);
    this.#unwanted.abort(why);
    this.#stop.abort(why);
  }

  async #run(): Promise<RunOutcome> {
    try {
      return await this.#makeAndCharge();
    } catch (error) {
      this.#services.log.error({ trace_id: this.traceId, err: error }, 'image request broke');
      await this.#hold.undo('internal_error', this.#attempts);
      return failed(internalError(error));
    } finally {
      this.#stop.abort(abandoned);
    }
  }

  async #makeAndCharge(): Promise<RunOutcome> {
    this.#startDeadline();
    const made = await makePictures({
      ...this.#input,
      request: this.#request,
      adapters: this.#services.adapters,
      lanes: this.#services.lanes,
      onDeadKey: this.#services.onDeadKey,
      clock: this.#services.clock,
      signal: this.#stop.signal,
      unwanted: this.#unwanted.signal,
      onPartial: (index, image) => this.#showPartial(index, image),
    });
    this.#attempts = made.attempts;
    this.#leftReaders = made.attempts.some(({ fault }) => fault !== null);
    noteAttempts(this.#services, { ...this.#input, attempts: made.attempts });
    if (made.kind === 'failed') return this.#releaseFailed(made);
    if (!(await this.#isWanted())) return this.#releaseUnwanted(made.attempts);
    return this.#charge(made.pictures, made.attempts);
  }

  #startDeadline(): void {
    const { clock } = this.#services;
    clock.sleep(this.#input.deadlineMs, this.#stop.signal).then(
      () => this.#stop.abort(new UpstreamError('timeout', 'the request took too long')),
      // Stopped before: the sleep ends with the run.
      () => undefined,
    );
  }

  async #showPartial(index: number, image: EncodedImage): Promise<void> {
    // Who had left before must not pay for it.
    await readWhatIsHere();
    if (showToAll(this.#callers, index, image)) this.#partialDelivered = true;
  }

  /** Waits, for a picture that nobody is there to take, until somebody is or the grace is over. */
  #isWanted(): Promise<boolean> | boolean {
    // Time may have run out: the pictures that are there are wanted all the same.
    if (this.#unwanted.signal.aborted) return false;
    if (!this.alone || this.keyed || this.#partialDelivered) return true;
    this.#waiting = Promise.withResolvers<boolean>();
    return this.#waiting.promise;
  }

  async #charge(
    pictures: readonly MadePicture[],
    attempts: readonly AttemptRecord[],
  ): Promise<RunOutcome> {
    this.#chargedSince = this.#services.clock.monotonic();
    const charged = await this.#hold.charge(pictures, attempts);
    if (charged instanceof ServiceError) return failed(charged);
    const created = Math.floor(this.#services.clock.now() / 1000);
    return { kind: 'succeeded', result: { traceId: this.traceId, created, pictures, charged } };
  }

  async #releaseFailed(made: MakeOutcome & { kind: 'failed' }): Promise<RunOutcome> {
    const reason: unknown = this.#unwanted.signal.reason;
    if (reason === abandoned) return this.#releaseUnwanted(made.attempts);
    const wasInterrupted = reason === interrupted;
    await this.#hold.release(
      'failed',
      wasInterrupted ? 'interrupted' : made.error.code,
      made.attempts,
    );
    return failed(wasInterrupted ? stoppingError() : made.error);
  }

  async #releaseUnwanted(attempts: readonly AttemptRecord[]): Promise<RunOutcome> {
    if (this.#unwanted.signal.reason === interrupted) {
      await this.#hold.release('failed', 'interrupted', attempts);
    } else {
      await this.#hold.release('canceled', 'client_gone', attempts);
    }
    return failed(stoppingError());
  }
}

const abandoned = new UpstreamError('canceled', 'nobody waits for the picture any more');
const interrupted = new UpstreamError('canceled', 'the service is stopping');

function failed(error: ServiceError): RunOutcome {
  return { kind: 'failed', error };
}
