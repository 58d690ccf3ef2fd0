/** Requests that run on an upstream which waits for the test, at a time that stands still. */
import type { Database } from '../../../server/db/db.ts';
import { admit } from '../../../server/flows/money/hold-money.ts';
import { doubtLimits } from '../../../server/flows/requests/runs/doubtful-handovers.ts';
import type { ImageRun } from '../../../server/flows/requests/runs/image-run.ts';
import {
  ImageRuns,
  type ImageRunsOptions,
} from '../../../server/flows/requests/runs/image-runs.ts';
import type { RunCaller } from '../../../server/flows/requests/runs/run-caller.ts';
import { fingerprintOf, type ImageRequest } from '../../../server/images/image-request.ts';
import { systemClock } from '../../../server/lib/clock.ts';
import { createLogger } from '../../../server/lib/logger.ts';
import { masterKeyBytes, SecretBox } from '../../../server/lib/secret-box.ts';
import { LanePool } from '../../../server/upstreams/lane-pool.ts';
import { readAttempts } from '../../../server/usage/recorded-attempt.ts';
import { zero } from '../../../shared/money.ts';
import { plainGeneration } from '../callers/image-requests.ts';
import { ManualClock } from '../manual-clock.ts';
import {
  addSpender,
  admissionOf,
  type Spender,
  startProcess,
  walletOf,
} from '../money/spending.ts';
import { ScriptedUpstream } from '../upstreams/scripted-upstream.ts';
import { noRunWatch } from './no-run-watch.ts';

export const graceMs = 30_000;
export const replayMs = 600_000;
export const deadlineMs = 285_000;
export const pictureBytes = 1_000;

/** What the wallet of a bench shows: it begins with 1.00, and a picture costs 0.10. */
export const untouched = '1.00 balance, 0.00 held, 0 slots';
export const held = '1.00 balance, 0.10 held, 1 slots';
export const charged = '0.90 balance, 0.00 held, 0 slots';

export interface RunTerms {
  request?: Partial<ImageRequest>;
  /** The Idempotency-Key, if it has one. */
  key?: string | null;
  abandonedMax?: number;
  /** Gathers what the run says when it drops the pictures of its request. */
  dropped?: boolean[];
}

export class RunBench {
  readonly database: Database;
  readonly clock = new ManualClock(systemClock.now());
  readonly upstream = new ScriptedUpstream();
  readonly secretBox = new SecretBox(Buffer.alloc(masterKeyBytes, 7));
  /** Trace IDs of the answers that were handed over. */
  readonly delivered: string[] = [];
  /** Bytes of each picture that was told of when a run had ended. */
  readonly made: number[] = [];
  /** False: a sweep has returned them. */
  chargesStand: boolean | Promise<boolean> = true;
  /** Since when they were asked for to stand, by the monotonic clock. */
  readonly askedSince: number[] = [];
  spender: Spender;
  runs: ImageRuns;
  readonly #processId: string;

  private constructor(database: Database, spender: Spender, processId: string) {
    this.database = database;
    this.spender = spender;
    this.#processId = processId;
    this.runs = this.createRuns();
  }

  static async set(database: Database): Promise<RunBench> {
    const process = await startProcess(database);
    return new RunBench(database, await addSpender(database, '1.00'), process.id);
  }

  createRuns(changes: Partial<ImageRunsOptions> = {}): ImageRuns {
    return new ImageRuns(
      {
        db: this.database,
        clock: this.clock,
        adapters: this.upstream.adapters,
        lanes: new LanePool(this.clock, { onBreaker: () => {}, onRest: () => {} }),
        onDeadKey: () => {},
        log: createLogger('silent'),
        watch: noRunWatch,
        noteDelivered: (traceId) => this.delivered.push(traceId),
        chargeStands: async (_traceId, sinceMonotonic) => {
          this.askedSince.push(sinceMonotonic);
          return this.chargesStand;
        },
      },
      { graceMs, replayMs, replayBytesMax: 10 * pictureBytes, ...changes },
    );
  }

  /** Admits a request and starts its run; its attempts are under way. */
  async start({
    request = {},
    key = null,
    abandonedMax = 3,
    dropped = [],
  }: RunTerms = {}): Promise<ImageRun> {
    const whole = { ...plainGeneration, ...request };
    const { userId, apiKeyId } = this.spender;
    const admission = admissionOf(this.spender, {
      processId: this.#processId,
      images: whole.n,
      idempotency:
        key === null ? null : { key, fingerprint: this.secretBox.mark(fingerprintOf(whole)) },
    });
    const { kind } = await admit(this.database, this.clock, admission);
    if (kind !== 'admitted') throw new Error(`the request is not admitted: ${kind}`);
    const before = this.upstream.calls.length;
    const run = this.runs.start({
      traceId: admission.traceId,
      note: {
        operation: whole.operation,
        model: whole.model,
        upstreamMs: null,
        madeAtMs: null,
        endedAtMs: null,
      },
      userId,
      apiKeyId,
      idempotencyKey: key,
      place: { leave: (made) => this.made.push(...made) },
      abandonedMax,
      onPicturesDropped: (areRead) => dropped.push(areRead),
      request: whole,
      unitPrice: admission.unitPrice,
      lowBalance: zero,
      routes: [this.upstream.route],
      deadlineMs,
      attemptsMax: 1,
    });
    await this.upstream.untilCalls(before + whole.n);
    return run;
  }

  /** Somebody who was there and left before anything came. */
  leave(run: ImageRun): void {
    const left = caller();
    run.attach(left);
    run.detach(left, false);
  }

  /** Makes the picture of the attempt numbered `call` and hands it over, whole unless told otherwise. */
  async take(
    run: ImageRun,
    {
      call = 0,
      by = caller(),
      isWhole = true,
    }: { call?: number; by?: RunCaller; isWhole?: boolean } = {},
  ): Promise<void> {
    run.attach(by);
    this.upstream.call(call).finish(pictureBytes);
    await run.outcome;
    run.markDelivered();
    run.detach(by, isWhole);
  }

  /** Nobody can tell any more that they had left when their answer was handed over. */
  async untilNoDoubt(): Promise<void> {
    this.clock.advance(doubtLimits.ms);
    await new Promise(setImmediate);
  }

  findByKey(key: string, request: Partial<ImageRequest> = {}) {
    const fingerprint = fingerprintOf({ ...plainGeneration, ...request });
    return this.runs.findByKey(this.spender.apiKeyId, { key, fingerprint });
  }

  findAbandoned(request: Partial<ImageRequest> = {}, apiKeyId = this.spender.apiKeyId) {
    return this.runs.findAbandoned(apiKeyId, fingerprintOf({ ...plainGeneration, ...request }));
  }

  wallet(): Promise<string> {
    return walletOf(this.database, this.spender.userId);
  }

  recordOf({ traceId }: ImageRun) {
    return this.database.kysely
      .selectFrom('usage_records')
      .select(['status', 'code', 'images', 'cost'])
      .where('trace_id', '=', traceId)
      .executeTakeFirstOrThrow();
  }

  /** The upstreams that were called for it, as its record tells. */
  async calledFor({ traceId }: ImageRun): Promise<readonly string[]> {
    const { attempts } = await this.database.kysely
      .selectFrom('usage_records')
      .select('attempts')
      .where('trace_id', '=', traceId)
      .executeTakeFirstOrThrow();
    const entries = JSON.parse(attempts ?? '[]') as readonly unknown[];
    return readAttempts(entries).map(({ upstream }) => upstream);
  }
}

/** Somebody who waits; `shown` resolves with the first partial image. */
export function caller(): RunCaller & { shown: Promise<void> } {
  const { promise: shown, resolve: show } = Promise.withResolvers<void>();
  return {
    shown,
    onPartial: () => {
      show();
      return Promise.resolve();
    },
    hasLeft: () => false,
  };
}
