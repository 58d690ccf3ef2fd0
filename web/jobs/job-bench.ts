/** A runner with a service that does what a test says, at a time that stands still. */
import type { CancelAnswer } from '../../shared/console/playground.ts';
import type { SettledState } from '../../shared/console/trace.ts';
import { ApiError } from '../api/api-error.ts';
import { type FinishedImage, StreamCut } from '../api/image-stream.ts';
import type { Job, Kept } from './job.ts';
import { JobRunner, type NewJob } from './job-runner.ts';
import type { SendWish } from './job-service.ts';

export const trace = 'tr_1';
/** More than any chain of promises here has links. */
const turnsMax = 200;

interface Call {
  wish: SendWish;
  open: () => void;
  show: () => void;
  finish: () => void;
  cut: () => void;
  refuse: (code: ApiError['code'], retryAfterSeconds?: number | null, param?: string) => void;
}

interface RecordFacts {
  status: SettledState['status'];
  code?: SettledState['code'];
  isCharged?: boolean;
}

export class JobBench {
  readonly runner: JobRunner;
  readonly calls: Call[] = [];
  readonly told: string[] = [];
  readonly waits: number[] = [];
  readonly answers: (CancelAnswer | ApiError)[] = [];
  /** What the next looks at the record fail with. */
  readonly lookErrors: ApiError[] = [];
  readonly kept = Promise.withResolvers<Kept>();
  /** What the gallery does with pictures, before it waits for `kept`. */
  readonly keeps: Kept[] = [];
  record: RecordFacts = { status: 'running' };
  looks = 0;
  now = 0;
  #waiting: (() => void)[] = [];
  readonly #name: string;
  #ids = 0;

  constructor({ slots = 4, name = 'job' } = {}) {
    this.#name = name;
    this.runner = new JobRunner({
      service: {
        send: (_order, wish) => this.#send(wish),
        cancel: () => this.#answer(),
        readState: () => this.#look(),
      },
      now: () => this.now,
      time: () => '2026-01-01T00:00:00.000Z',
      wait: (ms) => {
        this.waits.push(ms);
        return new Promise((resolve) => this.#waiting.push(resolve));
      },
      slotsMax: () => slots,
      keep: async () => this.keeps.shift() ?? this.kept.promise,
    });
    this.runner.watch(({ kind }) => this.told.push(kind));
  }

  start(): () => Job {
    const wish: NewJob = {
      id: `${this.#name}-${++this.#ids}`,
      order: {
        operation: 'generation',
        fields: { model: 'gen-image-2', prompt: 'a fox' },
        partialImages: 2,
        references: [],
        mask: null,
      },
      mask: null,
      price: amount(40_000),
    };
    this.runner.start([wish]);
    return () => {
      const found = this.runner.jobs().find(({ id }) => id === wish.id);
      if (!found) throw new Error('the job is forgotten');
      return found;
    };
  }

  sent(index = 0): Call {
    const call = this.calls[index];
    if (!call) throw new Error(`nothing was sent for the ${index + 1}. time`);
    return call;
  }

  /** All that waits for time goes on. */
  async pass(): Promise<void> {
    for (const go of this.#waiting.splice(0)) go();
    await this.settled();
  }

  /** What follows from what happened has happened. */
  async settled(): Promise<void> {
    for (let turns = 0; turns < turnsMax; turns++) await Promise.resolve();
  }

  /** Goes on when it is so, which it has to become without any time passing. */
  async until(isSo: () => boolean): Promise<void> {
    for (let turns = 0; turns < turnsMax && !isSo(); turns++) await Promise.resolve();
    if (!isSo()) throw new Error('it does not come to be so');
  }

  #send(wish: SendWish): Promise<FinishedImage> {
    const { promise, resolve, reject } = Promise.withResolvers<FinishedImage>();
    wish.signal.addEventListener('abort', () => reject(new StreamCut()));
    this.calls.push({
      wish,
      open: () => wish.onOpened(trace),
      show: () => wish.onPartial(new Blob(['preview'])),
      finish: () => resolve(finished),
      cut: () => reject(new StreamCut()),
      refuse: (code, retryAfterSeconds = null, param) =>
        reject(
          new ApiError({
            code,
            message: 'no',
            traceId: 'tr_other',
            retryAfterSeconds,
            param: param ?? null,
          }),
        ),
    });
    return promise;
  }

  async #answer(): Promise<CancelAnswer> {
    // Later than what else happens at the same time.
    for (let turns = 0; turns < 20; turns++) await Promise.resolve();
    const answer = this.answers.shift() ?? { state: 'unknown', trace_id: null };
    if (answer instanceof ApiError) throw answer;
    return answer;
  }

  async #look(): Promise<SettledState> {
    this.looks++;
    const error = this.lookErrors.shift();
    const state = this.#state();
    // Long enough for something to happen meanwhile.
    for (let turns = 0; turns < 10; turns++) await Promise.resolve();
    if (error) throw error;
    return state;
  }

  #state(): SettledState {
    const { status, code = null, isCharged = false } = this.record;
    return {
      trace_id: trace,
      status,
      code,
      is_settled: status !== 'running',
      images: 0,
      cost: amount(0),
      duration_ms: null,
      charge: isCharged ? { id: 'tx_1', amount: amount(-40_000) } : null,
      refund: null,
      balance: amount(0),
    };
  }
}

const finished: FinishedImage = {
  image: new Blob(['picture'], { type: 'image/png' }),
  used: { size: '1024x1024', quality: 'medium', output_format: 'png', background: 'opaque' },
  receipt: {
    trace_id: trace,
    cost_micros: 40_000,
    balance_micros: 1_000_000,
    duration_ms: 1_000,
    revised_prompt: null,
  },
};

function amount(micros: number) {
  return { micros, text: '' };
}
