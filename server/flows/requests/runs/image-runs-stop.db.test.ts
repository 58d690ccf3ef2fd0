import { setImmediate as everythingDone } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { forEachEngine } from '../../../../test/support/databases/databases.ts';
import {
  caller,
  charged,
  RunBench,
  untouched,
} from '../../../../test/support/requests/run-bench.ts';

forEachEngine((engine) => {
  let bench: RunBench;
  beforeEach(async () => {
    bench = await RunBench.set(await engine.open());
  });

  describe('a service that stops', () => {
    it('ends what nobody waits for, and lets the rest finish', async () => {
      const [left, keyed, waited] = [
        await bench.start(),
        await bench.start({ key: 'k' }),
        await bench.start(),
      ];
      bench.leave(left);
      bench.leave(keyed);
      waited.attach(caller());
      bench.runs.close();
      expect(bench.upstream.calls.map(({ signal }) => signal.aborted)).toEqual([true, true, false]);
      bench.upstream.call(2).finish();
      await bench.runs.drained();
      expect(await bench.wallet()).toBe(charged);
      expect(bench.runs.size).toBe(0);
    });

    it('gives back what was charged and not taken, and forgets everything', async () => {
      const run = await bench.start({ key: 'k' });
      bench.leave(run);
      bench.upstream.call().finish();
      await run.outcome;
      bench.runs.close();
      await bench.runs.drained();
      bench.runs.cutOff();
      await bench.runs.finish();
      expect(await bench.wallet()).toBe(untouched);
      expect(await bench.recordOf(run)).toMatchObject({ code: 'client_gone', cost: 0 });
      expect(bench.runs.knows(run.traceId)).toBe(false);
      // No timer keeps the process alive.
      expect(bench.clock.sleeping).toBe(0);
    });

    it('gives back what it cuts off, and what was left in the middle before: nobody can come back for it', async () => {
      const [cut, left] = [await bench.start(), await bench.start()];
      const [staying, leaving] = [caller(), caller()];
      cut.attach(staying);
      left.attach(leaving);
      for (const call of [0, 1]) bench.upstream.call(call).finish();
      await Promise.all([cut.outcome, left.outcome]);
      left.markOffered();
      left.detach(leaving, false);
      bench.runs.close();
      bench.runs.cutOff();
      cut.markOffered();
      cut.detach(staying, false);
      await bench.runs.finish();
      expect(await bench.recordOf(cut)).toMatchObject({ code: 'interrupted', cost: 0 });
      expect(await bench.recordOf(left)).toMatchObject({ code: 'interrupted', cost: 0 });
      expect(await bench.wallet()).toBe(untouched);
    });

    it.each([
      ['none', 1, 0],
      ['one', 2, 1],
    ])(
      'ends what takes too long without a charge, and says so: %s of %i was made',
      async (_made, n, made) => {
        const run = await bench.start({ request: { n } });
        run.attach(caller());
        for (let index = 0; index < made; index++) bench.upstream.call(index).finish();
        await everythingDone();
        bench.runs.close();
        await bench.runs.interruptAll();
        expect(await run.outcome).toMatchObject({ kind: 'failed', error: { code: 'unavailable' } });
        expect(await bench.recordOf(run)).toMatchObject({
          status: 'failed',
          code: 'interrupted',
          images: 0,
          cost: 0,
        });
        expect(await bench.wallet()).toBe(untouched);
      },
    );

    it('waits for nobody who may have left as their answer was sent', async () => {
      const before = bench.clock.sleeping;
      const run = await bench.start();
      await bench.take(run, { by: { ...caller(), hasLeft: () => true } });
      expect(bench.findAbandoned()).toBe(run);
      bench.runs.close();
      expect(bench.findAbandoned()).toBeNull();
      expect(bench.runs.knows(run.traceId)).toBe(false);
      expect(bench.clock.sleeping).toBe(before);
    });

    it('waits for nobody who leaves now', async () => {
      const run = await bench.start();
      const leaving = caller();
      run.attach(leaving);
      bench.runs.close();
      run.detach(leaving, false);
      expect(bench.upstream.call().signal.aborted).toBe(true);
    });
  });
});
