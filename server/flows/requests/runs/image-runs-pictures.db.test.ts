import { beforeEach, describe, expect, it } from 'vitest';
import { forEachEngine } from '../../../../test/support/databases/databases.ts';
import { caller, pictureBytes, RunBench } from '../../../../test/support/requests/run-bench.ts';
import type { ReferenceImage } from '../../../images/image-request.ts';
import type { ImageRun } from './image-run.ts';

const picture: ReferenceImage = {
  format: 'png',
  width: 1,
  height: 1,
  hasAlpha: false,
  bytes: Buffer.from('a picture'),
};
const referenceImages = [picture];

forEachEngine((engine) => {
  let bench: RunBench;
  let dropped: boolean[];
  beforeEach(async () => {
    bench = await RunBench.set(await engine.open());
    dropped = [];
  });

  /** With somebody there until the run has ended. */
  async function runToEnd(run: ImageRun, end: () => void): Promise<void> {
    const content = caller();
    run.attach(content);
    end();
    expect(dropped).toEqual([]);
    await run.outcome;
    run.detach(content, true);
    await bench.untilNoDoubt();
  }

  describe('the pictures of a request', () => {
    it('are read by nobody when every call has made its picture', async () => {
      const run = await bench.start({ request: { n: 2, referenceImages }, dropped });
      await runToEnd(run, () => {
        for (const index of [0, 1]) bench.upstream.call(index).finish();
      });
      expect(dropped).toEqual([false]);
    });

    it('are read by nobody while the answer is kept for a repeat', async () => {
      const run = await bench.start({ key: 'k', request: { referenceImages }, dropped });
      await runToEnd(run, () => bench.upstream.call().finish());
      expect(dropped).toEqual([false]);
      expect(bench.findByKey('k', { referenceImages })).toEqual({ run, same: true });
      await bench.runs.finish();
      expect(dropped).toEqual([false]);
    });

    it('are held as long as nobody knows whether the answer was taken', async () => {
      const run = await bench.start({ request: { referenceImages }, dropped });
      await bench.take(run);
      expect(dropped).toEqual([]);
      await bench.untilNoDoubt();
      expect(dropped).toEqual([false]);
    });

    it('are told to be gone as the run ends where there are none', async () => {
      const run = await bench.start({ dropped });
      await bench.take(run);
      expect(bench.runs.knows(run.traceId)).toBe(true);
      expect(dropped).toEqual([false]);
      await bench.untilNoDoubt();
      expect(dropped).toEqual([false]);
    });

    it('are told of by their size, also where the run is forgotten as it ends', async () => {
      bench.runs = bench.createRuns({ replayBytesMax: 0 });
      const run = await bench.start({ key: 'k' });
      bench.leave(run);
      bench.upstream.call().finish(pictureBytes);
      await run.outcome;
      expect(bench.runs.knows(run.traceId)).toBe(false);
      expect(bench.made).toEqual([pictureBytes]);
    });

    it('may be read still by a call that failed', async () => {
      const run = await bench.start({ request: { n: 2, referenceImages }, dropped });
      await runToEnd(run, () => {
        bench.upstream.call(0).finish();
        bench.upstream.call(1).fail('timeout');
      });
      expect(dropped).toEqual([true]);
    });

    it('may be read still by a call that was given up', async () => {
      const run = await bench.start({ request: { referenceImages }, dropped });
      await runToEnd(run, () => run.abandon());
      expect(dropped).toEqual([true]);
    });
  });
});
