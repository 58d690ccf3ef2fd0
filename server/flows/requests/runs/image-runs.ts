import { multiplyAmount } from '../../../../shared/money.ts';
import { keptBytesOf } from '../../../images/image-request.ts';
import { lengthOf, letGo } from '../../../lib/pictures/encoded-image.ts';
import { Roster } from '../../../lib/roster.ts';
import { sleepAwake } from '../../../lib/sleep-awake.ts';
import type { RunOutcome } from './answerable-run.ts';
import { CanceledElsewhere } from './canceled-elsewhere.ts';
import { DoubtfulHandovers } from './doubtful-handovers.ts';
import { ImageRun } from './image-run.ts';
import { KeptAnswers } from './kept-answers.ts';
import type { RunCaller } from './run-caller.ts';
import type { RunEntry as Entry, StartInput } from './run-entry.ts';
import type { RunServices } from './run-services.ts';
import { UntakenRefunds } from './untaken-refunds.ts';

export interface ImageRunsOptions {
  /** How long a run without an Idempotency-Key waits for its caller to come back. */
  graceMs: number;
  /** How long a finished answer waits for a repeat with its Idempotency-Key. */
  replayMs: number;
  /** Bytes of pictures that may wait for repeats. */
  replayBytesMax: number;
  /** Told of the bytes that finished pictures take while they are held; negative when they are let go. */
  countHeld?: (bytes: number) => void;
}

/**
 * Every run of this process: those under way, those whose caller left or took the answer a moment
 * ago, and finished ones whose Idempotency-Key may be repeated. All of it is memory only.
 *
 * A run is forgotten when it has ended, nobody waits for it, and it waits for nobody. That is the
 * moment in which a charge whose picture nobody took is returned.
 */
export class ImageRuns {
  readonly #services: RunServices;
  readonly #options: ImageRunsOptions;
  readonly #entries = new Roster<Entry>();
  readonly #byKey = new Roster<Entry>();
  /** In the order in which their callers left, with what ends the wait for them to come back. */
  readonly #abandoned = new Map<Entry, AbortController>();
  readonly #kept: KeptAnswers<Entry>;
  readonly #doubts: DoubtfulHandovers<Entry>;
  readonly #refunds: UntakenRefunds;
  readonly #canceled: CanceledElsewhere;
  #admitting = 0;
  #running = 0;
  #waiting = 0;
  #closed = false;
  #isCutOff = false;

  constructor(services: RunServices, options: ImageRunsOptions) {
    this.#services = services;
    this.#options = options;
    this.#refunds = new UntakenRefunds(services);
    this.#canceled = new CanceledElsewhere(services);
    this.#doubts = new DoubtfulHandovers(services.clock, {
      idOf: ({ run }) => run.traceId,
      onOver: (entry) => this.#forgetIfDone(entry),
    });
    this.#kept = new KeptAnswers(services.clock, {
      keepMs: options.replayMs,
      bytesMax: options.replayBytesMax,
      onOver: (entry) => this.#forgetIfDone(entry),
    });
  }

  /** Whether the service is stopping: nothing new is to start. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Runs under way, requests that are being admitted, and those that wait for a run of another process. */
  get size(): number {
    return this.#admitting + this.#running + this.#waiting;
  }

  /**
   * Counts a request that is being admitted as if it ran, until the answer is called: in the moment in which its
   * run starts, or when it gets none. Later calls do nothing.
   */
  beginAdmission(): () => void {
    this.#admitting++;
    let isUnderWay = true;
    return () => {
      if (isUnderWay) this.#admitting--;
      isUnderWay = false;
    };
  }

  /** Counts a request that waits as if it ran. */
  async whileWaiting<T>(wait: () => Promise<T>): Promise<T> {
    this.#waiting++;
    try {
      return await wait();
    } finally {
      this.#waiting--;
    }
  }

  /** Whether this process works on the request, or keeps its answer. */
  knows(traceId: string): boolean {
    return this.#entries.has(traceId);
  }

  start(input: StartInput): ImageRun {
    const { apiKeyId, idempotencyKey, abandonedMax, onPicturesDropped, place, ...rest } = input;
    const run = new ImageRun(
      {
        ...rest,
        keyed: idempotencyKey !== null,
        onJoined: () => this.#endWait(entry),
        onAlone: (caller, finished) => this.#onAlone(entry, caller, finished),
      },
      this.#services,
    );
    const entry: Entry = {
      run,
      place,
      note: input.note,
      amount: multiplyAmount(input.unitPrice, input.request.n),
      userId: input.userId,
      apiKeyId,
      keyName: idempotencyKey === null ? null : `${apiKeyId} ${idempotencyKey}`,
      abandonedMax,
      onPicturesDropped,
      askedBytes: keptBytesOf(input.request),
      heldBytes: 0,
      outcome: null,
    };
    this.#running++;
    this.#entries.set(run.traceId, entry);
    if (entry.keyName !== null) this.#byKey.set(entry.keyName, entry);
    void run.outcome.then((outcome) => this.#onEnd(entry, outcome));
    return run;
  }

  /** The run that this Idempotency-Key stands for here; `same` says whether the request is the same. */
  findByKey(
    apiKeyId: string,
    { key, fingerprint }: { key: string; fingerprint: string },
  ): { run: ImageRun; same: boolean } | null {
    const name = `${apiKeyId} ${key}`;
    const known = [this.#kept.find(name), this.#byKey.get(name)];
    const entry = known.find((each) => each && !each.run.returned);
    return entry ? { run: entry.run, same: entry.run.fingerprint() === fingerprint } : null;
  }

  /** The same request of the same key whose caller left a moment ago: what an SDK's retry looks for. */
  findAbandoned(apiKeyId: string, fingerprint: string): ImageRun | null {
    const left = [...this.#abandoned.keys(), ...this.#doubts.left(), ...this.#beingLeft()];
    for (const { apiKeyId: owner, run } of left) {
      if (owner === apiKeyId && !run.returned && run.fingerprint() === fingerprint) return run;
    }
    return null;
  }

  /**
   * Stops the run that this Idempotency-Key stands for here, without a charge. A run of which a
   * partial image was taken, or that is done, goes on as it is. Null when there is none.
   */
  cancel(apiKeyId: string, key: string): { traceId: string; isStopping: boolean } | null {
    const entry = this.#byKey.get(`${apiKeyId} ${key}`);
    if (!entry) return null;
    const { run, outcome } = entry;
    const isStopping = !outcome && !run.partialDelivered;
    if (isStopping) run.abandon();
    return { traceId: run.traceId, isStopping };
  }

  /** From here nothing new starts, and nobody comes back for a picture they left. */
  close(): void {
    this.#closed = true;
    this.#doubts.stop();
    for (const entry of this.#entries.values()) {
      if (entry.run.alone) this.#abandonUnlessPaid(entry);
    }
  }

  /** Resolves when every run under way has ended. */
  async drained(): Promise<void> {
    while (this.#running > 0) {
      await Promise.all(this.#entries.values().map(({ run }) => run.outcome));
    }
  }

  /** Ends what is still under way, without a charge. */
  async interruptAll(): Promise<void> {
    for (const { run } of this.#entries.values()) run.interrupt();
    await this.drained();
  }

  /** Whether connections end because the service does, whoever is at their other end. */
  get isCutOff(): boolean {
    return this.#isCutOff;
  }

  /** What callers are still sending, and the answers that they are still taking, are about to be cut off. */
  cutOff(): void {
    this.#isCutOff = true;
    for (const { run } of this.#entries.values()) if (!run.alone) run.markWithheld('interrupted');
  }

  /** Forgets what nobody is connected to any more, and returns the charges of what nobody took. */
  async finish(): Promise<void> {
    for (const entry of this.#entries.values()) {
      this.#endWait(entry);
      if (entry.keyName !== null) this.#kept.drop(entry.keyName);
      this.#forgetIfDone(entry);
    }
    await this.#refunds.stop();
  }

  #onEnd(entry: Entry, outcome: RunOutcome): void {
    const { run, keyName } = entry;
    this.#running--;
    entry.outcome = outcome;
    const made = outcome.kind === 'succeeded' ? outcome.result.pictures : [];
    const sizes = made.map(({ image }) => lengthOf(image));
    entry.place.leave(sizes);
    entry.heldBytes = sizes.reduce((sum, size) => sum + size, 0);
    this.#options.countHeld?.(entry.heldBytes);
    this.#tellEnd(entry, outcome);
    if (!run.holdsPictures) this.#tellDropped(entry);
    this.#endWait(entry);
    if (keyName !== null) {
      if (outcome.kind === 'succeeded') this.#keepForReplay(keyName, entry);
      // The key may be used again at once, even while the failure is still being told.
      else this.#forgetKey(entry);
    } else if (run.alone && outcome.kind === 'succeeded') {
      this.#startGrace(entry);
    }
    this.#forgetIfDone(entry);
  }

  #onAlone(entry: Entry, caller: RunCaller, finished: boolean): void {
    const { outcome, keyName, heldBytes, askedBytes } = entry;
    if (this.#closed) this.#abandonUnlessPaid(entry);
    else if (keyName === null) {
      if (!outcome || !finished) this.#waitForReturn(entry);
      else if (outcome.kind === 'succeeded')
        this.#doubts.add(entry, caller, heldBytes + askedBytes);
    } else if (!outcome) this.#canceled.watch(entry.run, () => this.#abandonUnlessPaid(entry));
    this.#forgetIfDone(entry);
  }

  /** Runs without an Idempotency-Key that all callers are leaving: a retry may come before the old connection is closed. */
  #beingLeft(): Entry[] {
    const entries = this.#entries.values().filter(({ keyName }) => keyName === null);
    return entries.filter(({ outcome, run }) => outcome?.kind !== 'failed' && run.isBeingLeft);
  }

  #waitForReturn(entry: Entry): void {
    const { abandonedMax, run, userId } = entry;
    if (!run.partialDelivered && this.#abandonedOf(userId) >= abandonedMax) run.abandon();
    else this.#startGrace(entry);
  }

  #keepForReplay(keyName: string, entry: Entry): void {
    if (this.#closed || !this.#kept.hasRoomFor(entry.heldBytes)) return;
    entry.run.dropRequest();
    this.#tellDropped(entry);
    this.#kept.add(keyName, entry, entry.heldBytes);
  }

  #startGrace(entry: Entry): void {
    if (this.#closed) return;
    const grace = new AbortController();
    this.#abandoned.set(entry, grace);
    sleepAwake(this.#services.clock, this.#options.graceMs, grace.signal).then(
      () => {
        this.#endWait(entry);
        this.#abandonUnlessPaid(entry);
        this.#forgetIfDone(entry);
      },
      // Somebody came back, or the run ended.
      () => undefined,
    );
  }

  #endWait(entry: Entry): void {
    this.#abandoned.get(entry)?.abort();
    this.#abandoned.delete(entry);
    this.#doubts.drop(entry);
  }

  /** Partial images were paid for with the promise to take the picture. */
  #abandonUnlessPaid({ run, outcome }: Entry): void {
    if (!outcome && !run.partialDelivered) run.abandon();
  }

  #forgetIfDone(entry: Entry): void {
    const { run, outcome } = entry;
    const isDone = outcome && run.alone && !this.#mayBeAskedFor(entry);
    if (!isDone || !this.#entries.delete(run.traceId)) return;
    this.#tellDropped(entry);
    this.#options.countHeld?.(-entry.heldBytes);
    if (outcome.kind === 'failed') return;
    this.#forgetKey(entry);
    // Every answer with them in it was sent, or its connection is closed.
    for (const { image } of outcome.result.pictures) letGo(image);
    if (run.delivered || run.returned) return;
    // Who took a part and did not come back for the whole has paid for it. When the service stops, nobody can come back.
    const hasTaken = run.offered || (run.partialDelivered && !run.withheld);
    const why = run.withheld ?? (hasTaken ? 'interrupted' : 'client_gone');
    if (hasTaken && !this.#closed) run.markDelivered();
    else this.#refunds.begin(outcome.result, why);
  }

  /** Whether somebody may still come back for it. */
  #mayBeAskedFor(entry: Entry): boolean {
    const { keyName } = entry;
    const isKept = keyName !== null && this.#kept.has(keyName, entry);
    return isKept || this.#abandoned.has(entry) || this.#doubts.has(entry);
  }

  #tellDropped(entry: Entry): void {
    entry.onPicturesDropped?.(entry.run.leftReaders);
    entry.onPicturesDropped = undefined;
  }

  /** Its key may stand for another run by now, admitted the moment this one's hold had ended. */
  #forgetKey(entry: Entry): void {
    const { keyName } = entry;
    if (keyName !== null && this.#byKey.get(keyName) === entry) this.#byKey.delete(keyName);
  }

  #tellEnd({ run: { traceId }, note, amount }: Entry, outcome: RunOutcome): void {
    const { clock, watch } = this.#services;
    note.endedAtMs = clock.now();
    const result = outcome.kind === 'succeeded' ? outcome.result : null;
    const charged = result && { cost: result.charged.cost, pictures: result.pictures.length };
    watch.onEnd({ traceId, note, amount, charged });
  }

  #abandonedOf(userId: string): number {
    return [...this.#abandoned.keys()].filter((entry) => entry.userId === userId).length;
  }
}
