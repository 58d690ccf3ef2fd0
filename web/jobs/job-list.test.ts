import { expect, it, onTestFinished, vi } from 'vitest';
import { JobBench } from './job-bench.ts';

it('a picture is kept, and the next request begins, though somebody fails who only watches', async () => {
  const reported = vi.fn<typeof reportError>();
  vi.stubGlobal('reportError', reported);
  onTestFinished(() => void vi.unstubAllGlobals());
  const bench = new JobBench({ slots: 1 });
  const failure = new Error('no notices here');
  bench.runner.watch(({ kind }) => {
    if (kind === 'finished') throw failure;
  });
  const [first, second] = [bench.start(), bench.start()];
  bench.kept.resolve({ kind: 'failed', isFull: false });
  bench.sent().finish();
  await bench.settled();
  expect(first().state).toMatchObject({ result: { kept: { kind: 'failed' } } });
  expect(second().state.kind).toBe('sending');
  expect(reported.mock.calls).toEqual([[failure]]);
});
