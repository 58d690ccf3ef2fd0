/** Two processes of one service: the first has the runs, and the second answers with them. */
import { beforeEach, describe, expect, it } from 'vitest';
import { ConnectedWorkers } from '../../test/support/connected-workers.ts';
import { forEachEngine } from '../../test/support/databases.ts';
import { plainGeneration } from '../../test/support/image-requests.ts';
import { patience } from '../../test/support/patience.ts';
import {
  caller,
  charged,
  deadlineMs,
  graceMs,
  pictureBytes,
  RunBench,
  replayMs,
  untouched,
} from '../../test/support/run-bench.ts';
import { violationsOf } from '../../test/support/spending.ts';
import { fingerprintOf, type ImageRequest } from '../images/image-request.ts';
import { must } from '../lib/assert.ts';
import { ByteBudget } from '../lib/byte-budget.ts';
import { type BorrowedRun, borrowLimits } from './borrowed-run.ts';
import type { ImageRun } from './image-run.ts';
import { SiblingRuns } from './sibling-runs.ts';

const budgetBytes = 4 * 1024 ** 2;
/** More than two processes say to each other at once. */
const largeBytes = 600_000;

forEachEngine((engine) => {
  let bench: RunBench;
  let workers: ConnectedWorkers;
  let budget: ByteBudget;
  let lender: SiblingRuns;
  let borrower: SiblingRuns;
  /** Trace IDs of the answers that the second process handed over. */
  let delivered: string[];
  let cuts: number;

  beforeEach(async () => {
    bench = await RunBench.set(await engine.open());
    workers = new ConnectedWorkers(bench.clock, 2);
    budget = new ByteBudget(budgetBytes);
    delivered = [];
    cuts = 0;
    const { clock } = bench;
    const chargeStands = async () => bench.chargesStand;
    const noteDelivered = (traceId: string) => delivered.push(traceId);
    const parts = { clock, budget, chargeStands, noteDelivered };
    lender = new SiblingRuns({ ...parts, calls: workers.callsOf(1), runs: bench.runs });
    borrower = new SiblingRuns({ ...parts, calls: workers.callsOf(2), runs: bench.createRuns() });
  });

  function tryJoin(key: string | null = 'k', request: Partial<ImageRequest> = {}) {
    const { apiKeyId } = bench.spender;
    const fingerprint = fingerprintOf({ ...plainGeneration, ...request });
    const cut = () => {
      cuts++;
    };
    return borrower.join(
      { apiKeyId, idempotencyKey: key, fingerprint },
      { outcomeMs: deadlineMs, cut },
    );
  }

  const join = async (...wanted: Parameters<typeof tryJoin>) =>
    must(await tryJoin(...wanted), 'the run');

  /** A run that is charged, and which nobody has taken. */
  async function makeKept(): Promise<ImageRun> {
    const run = await bench.start({ key: 'k' });
    bench.leave(run);
    bench.upstream.call().finish(pictureBytes);
    await run.outcome;
    return run;
  }

  async function picturesOf(run: Pick<BorrowedRun, 'outcome'>) {
    const outcome = await run.outcome;
    if (outcome.kind === 'failed') throw outcome.error;
    return outcome.result.pictures.map(({ image, ...told }) => ({
      ...told,
      encoding: image.encoding,
      bytes: (image.encoding === 'raw' ? image.bytes : image.ascii).toString('latin1'),
    }));
  }

  /** Nobody keeps it for repeats any longer, and what follows from that is done. */
  async function forgetKept(): Promise<void> {
    bench.clock.advance(replayMs);
    await bench.runs.finish();
  }

  describe('a run that another process keeps', () => {
    it('gives its repeat the same pictures, is paid for then, and lets go of their memory', async () => {
      const kept = await makeKept();
      const expected = await picturesOf(kept);
      const run = await join();
      expect(run.traceId).toBe(kept.traceId);
      expect(await picturesOf(run)).toEqual(expected);
      expect(budget.used).toBe(pictureBytes);
      expect(await run.mayHandOver()).toBe(true);
      run.markDelivered();
      run.detach(caller(), true);
      expect(delivered).toEqual([run.traceId]);
      expect(budget.used).toBe(0);
      await lender.returned();
      expect(bench.delivered).toEqual([run.traceId]);
      await forgetKept();
      expect(await bench.wallet()).toBe(charged);
    });

    it('is found by the same request only', async () => {
      await makeKept();
      expect(await tryJoin('k', { prompt: 'a hare' })).toBeNull();
      expect(await tryJoin('other')).toBeNull();
      expect(await tryJoin(null)).toBeNull();
    });

    it('gives its charge back when its repeat is gone before anything was sent', async () => {
      await makeKept();
      const run = await join();
      await run.outcome;
      run.detach(caller(), false);
      await lender.returned();
      await forgetKept();
      expect(await bench.wallet()).toBe(untouched);
    });

    it('stays paid for when its repeat left in the middle of its answer, unless the service cut it off', async () => {
      await makeKept();
      const left = await join();
      await left.outcome;
      left.markOffered();
      left.detach(caller(), false);
      await lender.returned();
      await forgetKept();
      expect(await bench.wallet()).toBe(charged);
    });

    it('gives its charge back when the other service stops in the middle of the answer', async () => {
      await makeKept();
      const run = await join();
      await run.outcome;
      borrower.cutOff();
      run.markOffered();
      run.detach(caller(), false);
      await lender.returned();
      await forgetKept();
      expect(await bench.wallet()).toBe(untouched);
    });

    it('is not handed over once its charge was returned, and stands for nothing then', async () => {
      const kept = await makeKept();
      const run = await join();
      await run.outcome;
      bench.chargesStand = false;
      expect(await run.mayHandOver()).toBe(false);
      await expect.poll(() => kept.returned, patience).toBe(true);
      expect(await tryJoin()).toBeNull();
    });

    it('is a 429 where there is no memory for it', async () => {
      await makeKept();
      const others = budget.open(null);
      others.count(budgetBytes);
      const run = await join();
      expect(await run.outcome).toMatchObject({ kind: 'failed', error: { code: 'rate_limit' } });
      run.detach(caller(), false);
      others.end();
      const again = await join();
      expect(await picturesOf(again)).toHaveLength(1);
    });
  });

  describe('a run that another process works on', () => {
    it('is waited for, and goes on for its repeat when its first caller has left', async () => {
      const first = await bench.start();
      bench.leave(first);
      const run = await join(null);
      bench.clock.advance(graceMs);
      bench.upstream.call().finish(pictureBytes);
      expect(await picturesOf(run)).toEqual(await picturesOf(first));
      expect(await bench.wallet()).toBe(charged);
    });

    it('may have several large pictures', async () => {
      const first = await bench.start({ key: 'k', request: { n: 2 } });
      first.attach(caller());
      const run = await join('k', { n: 2 });
      bench.upstream.call(0).finish(largeBytes);
      bench.upstream.call(1).finish(largeBytes + 1);
      const pictures = await picturesOf(run);
      expect(pictures.map(({ bytes }) => bytes.length)).toEqual([largeBytes, largeBytes + 1]);
      expect(pictures).toEqual(await picturesOf(first));
      expect(budget.used).toBe(2 * largeBytes + 1);
      run.detach(caller(), true);
      expect(budget.used).toBe(0);
    });

    it('is left by a repeat that is gone before it is done', async () => {
      const first = await bench.start();
      bench.leave(first);
      const run = await join(null);
      run.detach(caller(), false);
      await lender.returned();
      expect(await run.outcome).toMatchObject({ kind: 'failed' });
      bench.clock.advance(graceMs);
      await first.outcome;
      expect(bench.upstream.call().signal.aborted).toBe(true);
      expect(await bench.wallet()).toBe(untouched);
    });

    it('fails for its repeat as it does for its caller', async () => {
      const first = await bench.start({ key: 'k' });
      const run = await join();
      bench.upstream.call().fail('refused');
      const [one, other] = await Promise.all([first.outcome, run.outcome]);
      if (one.kind !== 'failed' || other.kind !== 'failed') throw new Error('both fail');
      const told = ({ code, message, param, retryAfterSeconds, retryable }: typeof one.error) => {
        return { code, message, param, retryAfterSeconds, retryable };
      };
      expect(told(other.error)).toEqual(told(one.error));
      expect(await bench.wallet()).toBe(untouched);
    });

    it('is waited for no longer than its deadline', async () => {
      await bench.start({ key: 'k' });
      const run = await join();
      workers.freeze(1);
      bench.clock.advance(deadlineMs);
      expect(await run.outcome).toMatchObject({ kind: 'failed', error: { code: 'rate_limit' } });
    });
  });

  describe('a process that dies', () => {
    it('fails what others wait for from it', async () => {
      await bench.start({ key: 'k' });
      const run = await join();
      workers.kill(1);
      expect(await run.outcome).toMatchObject({ kind: 'failed', error: { code: 'unavailable' } });
      expect(cuts).toBe(0);
    });

    it('hands nothing over any more by others, and what they hand over is cut', async () => {
      await makeKept();
      const [waiting, sending] = [await join(), await join()];
      await Promise.all([waiting.outcome, sending.outcome]);
      expect(await sending.mayHandOver()).toBe(true);
      workers.kill(1);
      await expect.poll(() => cuts, patience).toBe(1);
      await expect(waiting.mayHandOver()).rejects.toMatchObject({ code: 'unavailable' });
    });

    it('is waited for no longer than it may take to a piece', async () => {
      const first = await bench.start({ key: 'k' });
      first.attach(caller());
      const run = await join();
      let isOver = false;
      void run.outcome.then(() => {
        isOver = true;
      });
      // It says that the picture is done, and hears nothing more.
      workers.freeze(1);
      const read = bench.clock.sleepingFor(borrowLimits.pieceMs);
      bench.upstream.call().finish(pictureBytes);
      await first.outcome;
      await bench.clock.untilSleepingFor(borrowLimits.pieceMs, read + 1);
      bench.clock.advance(borrowLimits.pieceMs - 1);
      await new Promise(setImmediate);
      expect(isOver).toBe(false);
      bench.clock.advance(1);
      expect(await run.outcome).toMatchObject({ kind: 'failed', error: { code: 'unavailable' } });
    });

    it('changes nothing for an answer that is paid for', async () => {
      const kept = await makeKept();
      kept.markDelivered();
      const run = await join();
      await run.outcome;
      bench.chargesStand = false;
      expect(await run.mayHandOver()).toBe(true);
      workers.kill(1);
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(cuts).toBe(0);
      expect(await run.mayHandOver()).toBe(true);
    });

    it('gives back what its siblings lent it', async () => {
      await makeKept();
      const run = await join();
      await run.outcome;
      workers.kill(2);
      await lender.returned();
      await forgetKept();
      expect(await bench.wallet()).toBe(untouched);
      expect(await violationsOf(bench.database)).toEqual([]);
    });
  });
});
