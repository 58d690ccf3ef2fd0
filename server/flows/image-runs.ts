import { LRUCache } from 'lru-cache';
import type { EncodedImage } from '../lib/encoded-image.ts';
import { refundUncollected } from './refund-undelivered.ts';
import { ImageRun, type RunInput, type RunOutcome, type RunServices } from './image-run.ts';

export interface ImageRunsOptions {
  /** How long a run without an Idempotency-Key waits for its caller to come back. */
  graceMs: number;
  /** How long a finished answer waits for a repeat with its Idempotency-Key. */
  replayMs: number;
  /** Bytes of pictures that may wait for repeats. */
  replayBytesMax: number;
}

export interface StartInput extends Omit<RunInput, 'keyed' | 'onAlone'> {
  apiKeyId: string;
  idempotencyKey: string | null;
  /** Runs that this user may have waiting for a caller that left. */
  abandonedMax: number;
}

interface Entry {
  run: ImageRun;
  userId: string;
  apiKeyId: string;
  idempotencyKey: string | null;
  abandonedMax: number;
  /** Stops the grace of a run whose callers have all left; null while somebody is there. */
  grace: AbortController | null;
}

/**
 * Every run of this process: those under way, those whose caller left a moment ago, and finished
 * ones whose Idempotency-Key may be repeated. All of it is memory only.
 */
export class ImageRuns {
  readonly #services: RunServices;
  readonly #options: ImageRunsOptions;
  readonly #active = new Map<ImageRun, Entry>();
  readonly #byKey = new Map<string, Entry>();
  readonly #abandoned = new Map<string, Entry>();
  readonly #replays: LRUCache<string, Entry>;
  #closed = false;

  constructor(services: RunServices, options: ImageRunsOptions) {
    this.#services = services;
    this.#options = options;
    this.#replays = new LRUCache<string, Entry>({
      maxSize: options.replayBytesMax,
      ttl: options.replayMs,
      ttlAutopurge: true,
      perf: { now: () => services.clock.monotonic() },
      dispose: (entry, _name, reason) => {
        // Pushed out for want of memory before anybody took it: it was not what they paid for.
        if (reason === 'evict') this.#refundIfUncollected(entry);
      },
    });
  }

  /** Whether the service is stopping: nothing new is to start. */
  get closed(): boolean {
    return this.#closed;
  }

  /** From here nothing new starts, and nobody comes back for a picture they left. */
  close(): void {
    this.#closed = true;
    for (const { run, grace } of this.#active.values()) {
      if (grace && !run.ended && !run.partialDelivered) run.abandon();
    }
  }

  /** Runs under way or waiting for their caller. */
  get size(): number {
    return this.#active.size;
  }

  start(input: StartInput): ImageRun {
    const { apiKeyId, idempotencyKey, abandonedMax, ...rest } = input;
    const run = new ImageRun(
      { ...rest, keyed: idempotencyKey !== null, onAlone: (alone, finished) => this.#onAlone(alone, finished) },
      this.#services,
    );
    const entry: Entry = {
      run,
      userId: input.userId,
      apiKeyId,
      idempotencyKey,
      abandonedMax,
      grace: null,
    };
    this.#active.set(run, entry);
    if (idempotencyKey !== null) this.#byKey.set(nameOf(apiKeyId, idempotencyKey), entry);
    void run.outcome.then((outcome) => this.#onEnd(entry, outcome));
    return run;
  }

  /** The run that this Idempotency-Key stands for here; `same` says whether the request is the same. */
  findByKey(
    apiKeyId: string,
    { key, fingerprint }: { key: string; fingerprint: string },
  ): { run: ImageRun; same: boolean } | null {
    const name = nameOf(apiKeyId, key);
    const entry = this.#byKey.get(name) ?? this.#replays.get(name);
    return entry ? { run: entry.run, same: entry.run.fingerprint() === fingerprint } : null;
  }

  /** The same request of the same key whose caller left a moment ago: what an SDK's retry looks for. */
  findAbandoned(apiKeyId: string, fingerprint: string): ImageRun | null {
    return this.#abandoned.get(nameOf(apiKeyId, fingerprint))?.run ?? null;
  }

  /** Called when a caller attaches to a run that was found: it is not abandoned any more. */
  reclaim(run: ImageRun): void {
    const entry = this.#active.get(run);
    if (entry) this.#endGrace(entry);
  }

  /** Resolves when every run under way has ended. */
  async drained(): Promise<void> {
    await Promise.all([...this.#active.keys()].map((run) => run.outcome));
  }

  /** Ends what is still under way, without a charge, and gives back what nobody collected. */
  async interruptAll(): Promise<void> {
    for (const run of this.#active.keys()) run.interrupt();
    await this.drained();
  }

  #onEnd(entry: Entry, outcome: RunOutcome): void {
    const { run, idempotencyKey } = entry;
    if (idempotencyKey !== null) {
      this.#active.delete(run);
      const name = nameOf(entry.apiKeyId, idempotencyKey);
      this.#byKey.delete(name);
      if (outcome.kind === 'succeeded') this.#keepForReplay(name, entry, outcome);
      return;
    }
    if (outcome.kind === 'failed') return this.#forget(entry);
    // Paid for by its partial images: it waits a little for a caller that may come back.
    if (run.alone) this.#startGrace(entry);
  }

  #keepForReplay(name: string, entry: Entry, outcome: RunOutcome & { kind: 'succeeded' }): void {
    const size = outcome.result.pictures.reduce((sum, picture) => sum + bytesOf(picture), 0);
    if (size > this.#options.replayBytesMax) return this.#refundIfUncollected(entry);
    entry.run.dropRequest();
    this.#replays.set(name, entry, { size: Math.max(1, size) });
  }

  #onAlone(run: ImageRun, finished: boolean): void {
    const entry = this.#active.get(run);
    if (!entry || run.keyed) return;
    if (run.ended && finished) return this.#forget(entry);
    if (this.#abandonedOf(entry.userId) >= entry.abandonedMax && !run.partialDelivered) {
      run.abandon();
      if (run.ended) this.#forget(entry);
      return;
    }
    this.#startGrace(entry);
  }

  #startGrace(entry: Entry): void {
    this.#endGrace(entry);
    entry.grace = new AbortController();
    this.#abandoned.set(nameOf(entry.apiKeyId, entry.run.fingerprint()), entry);
    this.#services.clock.sleep(this.#options.graceMs, entry.grace.signal).then(
      () => this.#onGraceOver(entry),
      // Somebody came back.
      () => undefined,
    );
  }

  #endGrace(entry: Entry): void {
    if (!entry.grace) return;
    entry.grace.abort();
    entry.grace = null;
    const name = nameOf(entry.apiKeyId, entry.run.fingerprint());
    if (this.#abandoned.get(name) === entry) this.#abandoned.delete(name);
  }

  #onGraceOver(entry: Entry): void {
    this.#endGrace(entry);
    if (entry.run.ended) this.#forget(entry);
    else if (!entry.run.partialDelivered) entry.run.abandon();
  }

  #forget(entry: Entry): void {
    this.#endGrace(entry);
    this.#active.delete(entry.run);
    this.#refundIfUncollected(entry);
  }

  #refundIfUncollected(entry: Entry): void {
    void entry.run.outcome.then(async (outcome) => {
      if (outcome.kind === 'failed' || entry.run.delivered) return;
      const { clock, db, log } = this.#services;
      await refundUncollected(db, clock, entry.run.traceId).catch((error: unknown) =>
        log.error({ trace_id: entry.run.traceId, err: error }, 'refund is left to the sweep'),
      );
    });
  }

  #abandonedOf(userId: string): number {
    let count = 0;
    for (const entry of this.#abandoned.values()) if (entry.userId === userId) count++;
    return count;
  }
}

function nameOf(apiKeyId: string, rest: string): string {
  return `${apiKeyId} ${rest}`;
}

function bytesOf({ image }: { image: EncodedImage }): number {
  return image.encoding === 'raw' ? image.bytes.length : image.ascii.length;
}
