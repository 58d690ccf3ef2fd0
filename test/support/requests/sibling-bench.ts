/** Two processes of one service: the first has the runs of a bench, and the second answers with them. */
import type { Database } from '../../../server/db/db.ts';
import type { ImageRun } from '../../../server/flows/requests/runs/image-run.ts';
import type { ImageRuns } from '../../../server/flows/requests/runs/image-runs.ts';
import type { BorrowedRun } from '../../../server/flows/requests/siblings/borrowed-run.ts';
import { SiblingRuns } from '../../../server/flows/requests/siblings/sibling-runs.ts';
import { fingerprintOf, type ImageRequest } from '../../../server/images/image-request.ts';
import { ByteBudget } from '../../../server/lib/bytes/byte-budget.ts';
import type { NotTaken } from '../../../server/lib/calls.ts';
import { plainGeneration } from '../callers/image-requests.ts';
import { ConnectedWorkers } from '../processes/connected-workers.ts';
import { deadlineMs, pictureBytes, RunBench, replayMs } from './run-bench.ts';

export const budgetBytes = 4 * 1024 ** 2;

export class SiblingBench {
  /** Of the first. */
  readonly bench: RunBench;
  readonly workers: ConnectedWorkers;
  readonly lender: SiblingRuns;
  /** Of the second. */
  readonly budget = new ByteBudget(budgetBytes);
  readonly borrower: SiblingRuns;
  readonly borrowerRuns: ImageRuns;
  /** Trace IDs of the answers that the second handed over. */
  readonly delivered: string[] = [];
  /** Connections of the second that were cut. */
  cuts = 0;

  private constructor(bench: RunBench) {
    const { clock } = bench;
    this.bench = bench;
    this.workers = new ConnectedWorkers(clock, 2);
    const parts = {
      clock,
      budget: this.budget,
      // Whoever asks here is certain of a lease of its own, and since always: it covers no charge of the other.
      chargeStands: async (_traceId: string, sinceMs: number) =>
        sinceMs > Number.NEGATIVE_INFINITY || bench.chargesStand,
      noteDelivered: (traceId: string) => this.delivered.push(traceId),
    };
    const [first, second] = [this.workers.callsOf(1), this.workers.callsOf(2)];
    this.borrowerRuns = bench.createRuns();
    this.lender = new SiblingRuns({ ...parts, calls: first, runs: bench.runs });
    this.borrower = new SiblingRuns({ ...parts, calls: second, runs: this.borrowerRuns });
  }

  static async set(database: Database): Promise<SiblingBench> {
    return new SiblingBench(await RunBench.set(database));
  }

  /** What a repeat is answered with that comes to the second; with the Idempotency-Key `k` unless told otherwise. */
  async join(key: string | null = 'k', request: Partial<ImageRequest> = {}): Promise<BorrowedRun> {
    const run = await this.tryJoin(key, request);
    if (typeof run === 'string') throw new Error(`not lent: ${run}`);
    return run;
  }

  tryJoin(
    key: string | null = 'k',
    request: Partial<ImageRequest> = {},
  ): Promise<BorrowedRun | NotTaken> {
    const { apiKeyId } = this.bench.spender;
    const fingerprint = fingerprintOf({ ...plainGeneration, ...request });
    const cut = () => {
      this.cuts++;
    };
    return this.borrower.join(
      { apiKeyId, idempotencyKey: key, fingerprint },
      { outcomeMs: deadlineMs, cut },
    );
  }

  /** A run that is charged, and which nobody has taken. */
  async makeKept(): Promise<ImageRun> {
    const { bench } = this;
    const run = await bench.start({ key: 'k' });
    bench.leave(run);
    bench.upstream.call().finish(pictureBytes);
    await run.outcome;
    return run;
  }

  /** Nobody keeps it for repeats any longer, and what follows from that is done. */
  async forgetKept(): Promise<void> {
    this.bench.clock.advance(replayMs);
    await this.bench.runs.finish();
  }
}

/** Everything that is told of the pictures of a run that succeeds. */
export async function picturesOf(run: Pick<BorrowedRun, 'outcome'>) {
  const outcome = await run.outcome;
  if (outcome.kind === 'failed') throw outcome.error;
  return outcome.result.pictures.map(({ image, ...told }) => ({
    ...told,
    encoding: image.encoding,
    bytes: (image.encoding === 'raw' ? image.bytes : image.ascii).toString('latin1'),
  }));
}
