/** What becomes of a repeat that is answered through a process that does not have its run. */
import { beforeEach, describe, expect, it } from 'vitest';
import { forEachEngine } from '../../../../test/support/databases/databases.ts';
import { violationsOf } from '../../../../test/support/money/spending.ts';
import { patience } from '../../../../test/support/patience.ts';
import {
  caller,
  charged,
  deadlineMs,
  graceMs,
  pictureBytes,
  type RunBench,
  untouched,
} from '../../../../test/support/requests/run-bench.ts';
import { picturesOf, SiblingBench } from '../../../../test/support/requests/sibling-bench.ts';
import { ringLimits } from '../../../cluster/switchboard.ts';
import { borrowLimits } from './borrowed-run.ts';

/** More than two processes say to each other at once. */
const largeBytes = 600_000;
const base64Length = (bytes: number) => Math.ceil(bytes / 3) * 4;

forEachEngine((engine) => {
  let two: SiblingBench;
  let bench: RunBench;
  beforeEach(async () => {
    two = await SiblingBench.set(await engine.open());
    ({ bench } = two);
  });

  describe('a run that another process works on', () => {
    it('is waited for, and goes on for its repeat when its first caller has left', async () => {
      const first = await bench.start();
      bench.leave(first);
      const run = await two.join(null);
      bench.clock.advance(graceMs);
      bench.upstream.call().finish(pictureBytes);
      expect(await picturesOf(run)).toEqual(await picturesOf(first));
      expect(await bench.wallet()).toBe(charged);
    });

    it('counts as running at both until it is done, and is stopped with the rest', async () => {
      await bench.start({ key: 'k' });
      const run = await two.join();
      expect([bench.runs.size, two.borrowerRuns.size]).toEqual([1, 1]);
      await two.borrower.interruptAll();
      const message = expect.stringContaining('is stopping') as string;
      const error = { code: 'unavailable', message };
      expect(await run.outcome).toMatchObject({ kind: 'failed', error });
      await expect.poll(() => two.borrowerRuns.size, patience).toBe(0);
      expect(bench.runs.size).toBe(1);
    });

    /** Its first caller left, and a retry that came to the other process took its answer and is gone. */
    const takeByRetry = async () => {
      const first = await bench.start();
      bench.leave(first);
      const run = await two.join(null);
      bench.upstream.call().finish(pictureBytes);
      await run.outcome;
      run.markDelivered();
      run.detach(caller(), true);
      await two.lender.returned();
      return first;
    };

    it('is found once more when the retry that took it leaves at once', async () => {
      const first = await takeByRetry();
      expect((await two.join(null)).traceId).toBe(first.traceId);
    });

    it('is not found once more while the retry that joined it is there', async () => {
      const first = await bench.start();
      bench.leave(first);
      await two.join(null);
      await two.workers.settle();
      expect(await two.tryJoin(null)).toBe('nobody');
    });

    it('is found by who asks again of a process that stood still, right behind what it asked in vain', async () => {
      const first = await bench.start();
      bench.leave(first);
      two.workers.freeze(1);
      const inVain = two.tryJoin(null);
      await bench.clock.untilSleepingFor(ringLimits.ms);
      bench.clock.advance(ringLimits.ms);
      expect(await inVain).toBe('unsure');
      const again = two.join(null);
      await two.workers.settle();
      two.workers.thaw(1);
      expect((await again).traceId).toBe(first.traceId);
    });

    it('is found by a retry that comes in the moment in which its first caller leaves', async () => {
      const first = await bench.start();
      const retry = two.join(null);
      // The question goes by the supervisor: it has come, and what came with it is not read yet.
      for (let turns = 0; turns < 3; turns++) await new Promise(setImmediate);
      bench.leave(first);
      expect((await retry).traceId).toBe(first.traceId);
    });

    it('is found no more once its retry has had time to tell that it has the answer', async () => {
      await takeByRetry();
      await bench.untilNoDoubt();
      expect(await two.tryJoin(null)).toBe('nobody');
    });

    it('may have several large pictures, in the form they came in, whose memory goes when it is left', async () => {
      const first = await bench.start({ key: 'k', request: { n: 2 } });
      first.attach(caller());
      const run = await two.join('k', { n: 2 });
      bench.upstream.call(0).finish(largeBytes);
      bench.upstream.call(1).finish(largeBytes, 'base64');
      const pictures = await picturesOf(run);
      const lengths = [largeBytes, base64Length(largeBytes)];
      expect(pictures.map(({ bytes }) => bytes.length)).toEqual(lengths);
      expect(pictures.map(({ encoding }) => encoding)).toEqual(['raw', 'base64']);
      expect(pictures).toEqual(await picturesOf(first));
      expect(two.budget.used).toBe(largeBytes + base64Length(largeBytes));
      run.detach(caller(), true);
      expect(two.budget.used).toBe(0);
      const left = await picturesOf(run);
      expect(left.map(({ bytes }) => bytes.length)).toEqual([0, 0]);
    });

    it('leaves no time limit behind when its pictures are here', async () => {
      const first = await bench.start({ key: 'k' });
      first.attach(caller());
      const run = await two.join();
      bench.upstream.call().finish(pictureBytes);
      await Promise.all([first.outcome, run.outcome]);
      const limits = [deadlineMs, borrowLimits.pieceMs];
      expect(limits.map((ms) => bench.clock.sleepingFor(ms))).toEqual([0, 0]);
    });

    it('is left by a repeat that is gone before it is done', async () => {
      const first = await bench.start();
      bench.leave(first);
      const run = await two.join(null);
      run.detach(caller(), false);
      await two.lender.returned();
      await expect.poll(() => two.workers.switchboard.size, patience).toBe(0);
      expect(await run.outcome).toMatchObject({ kind: 'failed' });
      bench.clock.advance(graceMs);
      await first.outcome;
      expect(bench.upstream.call().signal.aborted).toBe(true);
      expect(await bench.wallet()).toBe(untouched);
    });

    it.each([
      ['by its upstream', () => bench.upstream.call().fail('refused'), { retryable: false }],
      [
        'by a field of it',
        () => bench.upstream.call().fail('bad_request', { upstreamParam: 'size' }),
        { param: 'size' },
      ],
      ['by the end of the service', () => bench.runs.interruptAll(), { retryAfterSeconds: 5 }],
    ])('fails for its repeat as it does for its caller: %s', async (_by, fail, expected) => {
      const first = await bench.start({ key: 'k' });
      const run = await two.join();
      await fail();
      const [one, other] = await Promise.all([first.outcome, run.outcome]);
      if (one.kind !== 'failed' || other.kind !== 'failed') throw new Error('both fail');
      const told = ({ code, message, param, retryAfterSeconds, retryable }: typeof one.error) => {
        return { code, message, param, retryAfterSeconds, retryable };
      };
      expect(told(other.error)).toEqual(told(one.error));
      expect(other.error).toMatchObject(expected);
      expect(await bench.wallet()).toBe(untouched);
    });

    it('is waited for no longer than its deadline', async () => {
      await bench.start({ key: 'k' });
      const run = await two.join();
      two.workers.freeze(1);
      bench.clock.advance(deadlineMs);
      const message = expect.stringContaining('is still running') as string;
      const error = { code: 'rate_limit', message };
      expect(await run.outcome).toMatchObject({ kind: 'failed', error });
    });
  });

  describe('a process that dies', () => {
    it('fails what others wait for from it', async () => {
      await bench.start({ key: 'k' });
      const run = await two.join();
      two.workers.kill(1);
      expect(await run.outcome).toMatchObject({ kind: 'failed', error: { code: 'unavailable' } });
      expect(two.cuts).toBe(0);
    });

    it('hands nothing over any more by others, and what they hand over is cut', async () => {
      await two.makeKept();
      const [waiting, sending] = [await two.join(), await two.join()];
      await Promise.all([waiting.outcome, sending.outcome]);
      expect(await sending.mayHandOver()).toBe(true);
      two.workers.kill(1);
      await expect.poll(() => two.cuts, patience).toBe(1);
      await expect(waiting.mayHandOver()).rejects.toMatchObject({ code: 'unavailable' });
    });

    it('is waited for no longer than it may take to a piece', async () => {
      const first = await bench.start({ key: 'k' });
      first.attach(caller());
      const run = await two.join();
      let isOver = false;
      void run.outcome.then(() => {
        isOver = true;
      });
      // It says that the picture is done, and hears nothing more.
      two.workers.freeze(1);
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
      const kept = await two.makeKept();
      kept.markDelivered();
      const run = await two.join();
      await run.outcome;
      bench.chargesStand = false;
      expect(await run.mayHandOver()).toBe(true);
      two.workers.kill(1);
      await expect.poll(() => two.workers.switchboard.size, patience).toBe(0);
      await two.workers.settle();
      expect(two.cuts).toBe(0);
      expect(await run.mayHandOver()).toBe(true);
    });

    it('changes nothing for an answer that was handed over, nor for a connection that has left it', async () => {
      await two.makeKept();
      const [taken, left] = [await two.join(), await two.join()];
      for (const run of [taken, left]) {
        await run.outcome;
        expect(await run.mayHandOver()).toBe(true);
      }
      taken.markDelivered();
      left.detach(caller(), false);
      two.workers.kill(1);
      await two.workers.settle();
      expect(two.cuts).toBe(0);
      expect(await taken.mayHandOver()).toBe(true);
    });

    it('leaves what it was about to hand over to whoever comes back for it', async () => {
      const first = await bench.start();
      bench.leave(first);
      const run = await two.join(null);
      bench.upstream.call().finish(pictureBytes);
      await run.outcome;
      two.workers.kill(2);
      await two.lender.returned();
      await bench.untilNoDoubt();
      expect(bench.findAbandoned()).toBe(first);
      bench.clock.advance(graceMs);
      await bench.runs.finish();
      expect(await bench.wallet()).toBe(untouched);
      expect(await violationsOf(bench.database)).toEqual([]);
    });

    it('gives back what its siblings lent it', async () => {
      await two.makeKept();
      const run = await two.join();
      await run.outcome;
      two.workers.kill(2);
      await two.lender.returned();
      await two.forgetKept();
      expect(await bench.wallet()).toBe(untouched);
      expect(await violationsOf(bench.database)).toEqual([]);
    });
  });
});
