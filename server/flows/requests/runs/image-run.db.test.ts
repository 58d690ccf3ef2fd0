import { setImmediate as everythingDone } from 'node:timers/promises';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { forEachEngine } from '../../../../test/support/databases/databases.ts';
import { failing } from '../../../../test/support/databases/failing-database.ts';
import { violationsOf } from '../../../../test/support/money/spending.ts';
import { patience } from '../../../../test/support/patience.ts';
import {
  caller,
  charged,
  deadlineMs,
  graceMs,
  RunBench,
  untouched,
} from '../../../../test/support/requests/run-bench.ts';

forEachEngine((engine) => {
  let bench: RunBench;
  beforeEach(async () => {
    bench = await RunBench.set(await engine.open());
  });

  /** Over a connection that fails as it is told to. */
  const startOverFailing = async () => {
    const connection = failing(bench.database);
    bench = await RunBench.set(connection);
    const run = await bench.start();
    run.attach(caller());
    return { connection, run };
  };

  describe('a caller that stays', () => {
    it('gets the picture, which is charged before it is told of', async () => {
      const run = await bench.start();
      run.attach(caller());
      bench.upstream.call().finish();
      expect(await run.outcome).toMatchObject({
        kind: 'succeeded',
        result: { charged: { cost: 100_000, balance: 900_000 } },
      });
      expect(await bench.wallet()).toBe(charged);
    });

    it('pays for the pictures that came, when some of n fail', async () => {
      const run = await bench.start({ request: { n: 3 } });
      run.attach(caller());
      bench.upstream.call(0).finish();
      bench.upstream.call(1).fail('unavailable');
      bench.upstream.call(2).finish();
      const outcome = await run.outcome;
      expect(outcome).toMatchObject({ result: { charged: { cost: 200_000 } } });
      expect(outcome.kind === 'succeeded' && outcome.result.pictures).toHaveLength(2);
      expect(await bench.recordOf(run)).toMatchObject({
        status: 'succeeded',
        images: 2,
        cost: 200_000,
      });
      expect(await bench.wallet()).toBe('0.80 balance, 0.00 held, 0 slots');
      expect(await violationsOf(bench.database)).toEqual([]);
    });

    it('pays for the pictures that came in time, when others take too long', async () => {
      const run = await bench.start({ request: { n: 2 } });
      run.attach(caller());
      bench.upstream.call(0).finish();
      await everythingDone();
      bench.clock.advance(deadlineMs);
      expect(await run.outcome).toMatchObject({
        kind: 'succeeded',
        result: { charged: { cost: 100_000 } },
      });
      expect(bench.upstream.call(1).signal.aborted).toBe(true);
    });

    it('pays nothing when all of n fail', async () => {
      const run = await bench.start({ request: { n: 2 } });
      run.attach(caller());
      bench.upstream.call(0).fail('unavailable');
      bench.upstream.call(1).fail('protocol');
      expect(await run.outcome).toMatchObject({
        kind: 'failed',
        error: { code: 'upstream_error' },
      });
      expect(await bench.recordOf(run)).toMatchObject({ status: 'failed', images: 0, cost: 0 });
      expect(await bench.wallet()).toBe(untouched);
    });

    it('pays nothing when it takes too long', async () => {
      const run = await bench.start();
      run.attach(caller());
      await bench.clock.untilSleeping();
      bench.clock.advance(deadlineMs);
      expect(await run.outcome).toMatchObject({ error: { code: 'upstream_error' } });
      expect(await bench.wallet()).toBe(untouched);
    });

    it('gets nothing, and pays nothing, when the hold expired meanwhile', async () => {
      const run = await bench.start();
      run.attach(caller());
      await bench.database.kysely
        .updateTable('holds')
        .set({ state: 'expired', ended_at: 1 })
        .where('trace_id', '=', run.traceId)
        .execute();
      bench.upstream.call().finish();
      expect(await run.outcome).toMatchObject({
        kind: 'failed',
        error: { code: 'upstream_error' },
      });
    });
  });

  it('that could not be charged is not sent, and frees its money when the database is back', async () => {
    const { connection, run } = await startOverFailing();
    connection.fates = Array.from({ length: 8 }, () => 'is lost');
    bench.upstream.call().finish();
    while (connection.fates.length > 0) {
      await everythingDone();
      bench.clock.advance(2_000);
    }
    expect(await run.outcome).toMatchObject({ kind: 'failed', error: { code: 'unavailable' } });
    await vi.waitFor(async () => expect(await bench.wallet()).toBe(untouched), patience);
    expect(await bench.recordOf(run)).toMatchObject({ status: 'failed', code: 'unavailable' });
    expect(await bench.calledFor(run)).toEqual([bench.upstream.route.upstream.name]);
  });

  it('that failed while the database is gone is told of after two seconds, and frees its money later', async () => {
    const { connection, run } = await startOverFailing();
    connection.fates = Array.from({ length: 6 }, () => 'is lost');
    bench.upstream.call().fail('unavailable');
    for (let ms = 0; ms < 2_000; ms += 100) {
      await everythingDone();
      bench.clock.advance(100);
    }
    expect(await run.outcome).toMatchObject({ kind: 'failed', error: { code: 'upstream_error' } });
    expect(connection.fates).toEqual(['is lost']);
    expect(await bench.wallet()).not.toBe(untouched);
    for (let tries = 0; tries < 2; tries++) {
      bench.clock.advance(2_000);
      await everythingDone();
    }
    await vi.waitFor(async () => expect(await bench.wallet()).toBe(untouched), patience);
    expect(await bench.recordOf(run)).toMatchObject({ status: 'failed', code: 'upstream_error' });
  });

  it('whose charge is a bug is not sent, and frees its money before that is told', async () => {
    const { connection, run } = await startOverFailing();
    connection.fates = ['is refused'];
    bench.upstream.call().finish();
    expect(await run.outcome).toMatchObject({ kind: 'failed', error: { code: 'internal_error' } });
    expect(await bench.wallet()).toBe(untouched);
    expect(await bench.recordOf(run)).toMatchObject({ status: 'failed', code: 'internal_error' });
    expect(await bench.calledFor(run)).toEqual([bench.upstream.route.upstream.name]);
  });

  it('that could not be claimed in time is worth another try', async () => {
    const run = await bench.start({ key: 'k' });
    bench.upstream.call().finish();
    await run.outcome;
    const canceled = Object.assign(new Error('canceled'), { code: '57014' });
    bench.chargesStand = Promise.reject(canceled);
    await expect(run.mayHandOver()).rejects.toMatchObject({
      code: 'unavailable',
      retryAfterSeconds: 5,
      message: expect.stringContaining('was not sent'),
    });
  });

  describe('a caller that leaves after a partial image', () => {
    const request = { stream: true, partialImages: 1 } as const;
    const leaveAfterPartial = async (options: { abandonedMax?: number } = {}) => {
      const run = await bench.start({ request, ...options });
      const viewer = caller();
      run.attach(viewer);
      bench.upstream.call().partial();
      await viewer.shown;
      run.detach(viewer, false);
      return run;
    };

    it('is charged for the picture, because it saw it', async () => {
      const run = await leaveAfterPartial();
      bench.clock.advance(graceMs);
      expect(bench.upstream.call().signal.aborted).toBe(false);
      bench.upstream.call().finish();
      await run.outcome;
      bench.clock.advance(graceMs);
      expect(await bench.wallet()).toBe(charged);
      expect(bench.delivered).toEqual([run.traceId]);
    });

    it('gets the whole picture for the one charge when it comes back after that', async () => {
      const run = await leaveAfterPartial();
      bench.clock.advance(graceMs);
      bench.upstream.call().finish();
      await run.outcome;
      bench.clock.advance(graceMs - 1);
      expect(bench.findAbandoned(request)).toBe(run);
      expect(bench.runs.knows(run.traceId)).toBe(true);
      bench.clock.advance(1);
      expect(await bench.wallet()).toBe(charged);
      expect(bench.findAbandoned(request)).toBeNull();
    });

    it('is not charged when the picture fails after all', async () => {
      const run = await leaveAfterPartial();
      bench.upstream.call().fail('unavailable');
      await run.outcome;
      expect(await bench.wallet()).toBe(untouched);
      expect(await bench.recordOf(run)).toMatchObject({ status: 'failed', code: 'upstream_error' });
    });

    it('goes on although more have left than may', async () => {
      await leaveAfterPartial({ abandonedMax: 0 });
      expect(bench.upstream.call().signal.aborted).toBe(false);
    });
  });

  it('whose caller had left before a partial image, which was read first, costs nothing', async () => {
    const run = await bench.start({ request: { stream: true, partialImages: 1 } });
    let hasLeft = false;
    const viewer = { ...caller(), hasLeft: () => hasLeft };
    run.attach(viewer);
    bench.upstream.call().partial();
    setImmediate(() => {
      hasLeft = true;
    });
    await everythingDone();
    await everythingDone();
    await everythingDone();
    run.detach(viewer, false);
    bench.clock.advance(graceMs);
    await run.outcome;
    expect(await bench.wallet()).toBe(untouched);
  });

  it('of which a partial image could be shown to nobody costs nothing when its caller leaves', async () => {
    const run = await bench.start({ request: { stream: true, partialImages: 1 } });
    const { promise: passedBy, resolve } = Promise.withResolvers<void>();
    const clogged = { onPartial: () => (resolve(), null), hasLeft: () => false };
    run.attach(clogged);
    bench.upstream.call().partial();
    await passedBy;
    run.detach(clogged, false);
    bench.clock.advance(graceMs);
    await everythingDone();
    expect(bench.upstream.call().signal.aborted).toBe(true);
    await run.outcome;
    expect(await bench.recordOf(run)).toMatchObject({ status: 'canceled', code: 'client_gone' });
    expect(await bench.wallet()).toBe(untouched);
  });
});
