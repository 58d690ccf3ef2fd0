/** What becomes of a repeat that is answered through a process that does not have its run. */
import { beforeEach, describe, expect, it } from 'vitest';
import { forEachEngine } from '../../../../test/support/databases/databases.ts';
import { patience } from '../../../../test/support/patience.ts';
import {
  caller,
  charged,
  pictureBytes,
  type RunBench,
  untouched,
} from '../../../../test/support/requests/run-bench.ts';
import {
  budgetBytes,
  picturesOf,
  SiblingBench,
} from '../../../../test/support/requests/sibling-bench.ts';
import { AnswerElsewhere } from './answer-elsewhere.ts';

forEachEngine((engine) => {
  let two: SiblingBench;
  let bench: RunBench;
  beforeEach(async () => {
    two = await SiblingBench.set(await engine.open());
    ({ bench } = two);
  });

  describe('a run that another process keeps', () => {
    it('gives its repeat the same pictures, is paid for then, and lets go of their memory', async () => {
      const kept = await two.makeKept();
      const expected = await picturesOf(kept);
      const run = await two.join();
      expect(run.traceId).toBe(kept.traceId);
      expect(await picturesOf(run)).toEqual(expected);
      expect(two.budget.used).toBe(pictureBytes);
      expect(await run.mayHandOver()).toBe(true);
      run.markDelivered();
      run.detach(caller(), true);
      expect(two.delivered).toEqual([run.traceId]);
      expect(two.budget.used).toBe(0);
      await two.lender.returned();
      expect(bench.delivered).toEqual([run.traceId]);
      await two.forgetKept();
      expect(await bench.wallet()).toBe(charged);
    });

    it('is found by the same request only', async () => {
      await two.makeKept();
      expect(await two.tryJoin('k', { prompt: 'a hare' })).toBe('nobody');
      expect(await two.tryJoin('other')).toBe('nobody');
      expect(await two.tryJoin(null)).toBe('nobody');
    });

    it('is lent no more by a process that stops', async () => {
      await two.makeKept();
      bench.runs.close();
      expect(await two.tryJoin()).toBe('nobody');
    });

    it('is waited for until it is returned, also what was lent meanwhile', async () => {
      await two.makeKept();
      const first = await two.join();
      let isReturned = false;
      const returned = two.lender.returned().then(() => {
        isReturned = true;
      });
      const second = await two.join();
      first.detach(caller(), false);
      await two.workers.settle();
      expect(isReturned).toBe(false);
      second.detach(caller(), false);
      await returned;
    });

    it('gives its charge back when its repeat is gone before anything was sent', async () => {
      await two.makeKept();
      const run = await two.join();
      await run.outcome;
      run.detach(caller(), false);
      await two.lender.returned();
      await two.forgetKept();
      expect(await bench.wallet()).toBe(untouched);
    });

    it('gives it back for the reason that its repeat was not answered for', async () => {
      const kept = await two.makeKept();
      const run = await two.join();
      await run.outcome;
      run.markWithheld('unavailable');
      run.detach(caller(), false);
      await two.lender.returned();
      await two.forgetKept();
      expect(await bench.wallet()).toBe(untouched);
      expect(await bench.recordOf(kept)).toMatchObject({ status: 'failed', code: 'unavailable' });
    });

    it('stays paid for when its repeat left in the middle of its answer', async () => {
      await two.makeKept();
      const left = await two.join();
      await left.outcome;
      left.markOffered();
      left.detach(caller(), false);
      await two.lender.returned();
      await two.forgetKept();
      expect(await bench.wallet()).toBe(charged);
    });

    it('gives its charge back when the other process stops in the middle of the answer', async () => {
      await two.makeKept();
      const run = await two.join();
      await run.outcome;
      two.borrower.cutOff();
      run.markOffered();
      run.detach(caller(), false);
      await two.lender.returned();
      await two.forgetKept();
      expect(await bench.wallet()).toBe(untouched);
    });

    it('stays paid for when somebody else leaves in the middle of it after that', async () => {
      const kept = await two.makeKept();
      const cutOff = await two.join();
      await cutOff.outcome;
      two.borrower.cutOff();
      cutOff.markOffered();
      cutOff.detach(caller(), false);
      await two.lender.returned();
      const own = caller();
      kept.attach(own);
      kept.markOffered();
      kept.detach(own, false);
      await two.forgetKept();
      expect(await bench.wallet()).toBe(charged);
    });

    it('is not handed over once its charge was returned, and stands for nothing then', async () => {
      const kept = await two.makeKept();
      const run = await two.join();
      await run.outcome;
      bench.chargesStand = false;
      expect(await run.mayHandOver()).toBe(false);
      await expect.poll(() => kept.returned, patience).toBe(true);
      expect(await two.tryJoin()).toBe('nobody');
    });

    it('is a 429 over a connection that is closed where there is no memory for it', async () => {
      await two.makeKept();
      const others = two.budget.open(null);
      others.count(budgetBytes);
      const run = await two.join();
      const outcome = await run.outcome;
      expect(outcome.kind === 'failed' && outcome.error).toBeInstanceOf(AnswerElsewhere);
      const message = expect.stringContaining('has no memory left') as string;
      expect(outcome).toMatchObject({ error: { message } });
      run.detach(caller(), false);
      others.end();
      const again = await two.join();
      expect(await picturesOf(again)).toHaveLength(1);
    });
  });
});
