/** A picture that the gallery could not take, once there is room for it. */
import { expect, it } from 'vitest';
import { galleryRun } from '../../test/support/console/gallery-runs.ts';
import { createMemoryGallery } from '../gallery/kept/memory-gallery.ts';
import type { Job, Kept } from './job.ts';
import { JobBench } from './job-bench.ts';

const full: Kept = { kind: 'failed', isFull: true };
const broken: Kept = { kind: 'failed', isFull: false };
const saved: Kept = {
  kind: 'saved',
  run: await createMemoryGallery().saveRun(galleryRun(1)),
};

/** With a picture that was made, and not kept for this. */
async function notKept(why: Kept) {
  const bench = new JobBench();
  bench.keeps.push(why);
  const job = bench.start();
  bench.sent().finish();
  await bench.settled();
  return { bench, job };
}

it('is put there when somebody asks for it, and is no longer here as well', async () => {
  const { bench, job } = await notKept(broken);
  bench.keeps.push(saved);
  expect(await bench.runner.keepAgain(job().id)).toBe(saved);
  expect(resultOf(job())).toMatchObject({ kept: { kind: 'saved' }, image: null });
  expect(await bench.runner.keepAgain(job().id)).toBeNull();
});

it('stays where it is when that fails again, and may be tried again', async () => {
  const { bench, job } = await notKept(full);
  for (const again of [full, broken]) {
    bench.keeps.push(again);
    expect(await bench.runner.keepAgain(job().id)).toEqual(again);
    expect(resultOf(job())).toMatchObject({ kept: again, image: expect.any(Blob) });
  }
});

it('is put there once, however often it is asked for at the same time', async () => {
  const { bench, job } = await notKept(full);
  bench.keeps.push(saved);
  const tries = [1, 2].map(() => bench.runner.keepAgain(job().id));
  expect(await Promise.all(tries)).toEqual([saved, null]);
});

it('is put there by itself when something was deleted, if that was what was missing', async () => {
  const bench = new JobBench();
  bench.keeps.push(full, broken, full);
  const jobs = [0, 1, 2].map((index) => {
    const job = bench.start();
    bench.sent(index).finish();
    return job;
  });
  await bench.settled();
  bench.keeps.push(saved, full);
  await bench.runner.keepFull();
  expect(jobs.map((job) => resultOf(job())?.kept)).toEqual([saved, broken, full]);
});

it('is tried one after the other, once for all that happens meanwhile', async () => {
  const { bench, job } = await notKept(full);
  bench.keeps.push(saved);
  await Promise.all([bench.runner.keepFull(), bench.runner.keepFull()]);
  expect(resultOf(job())?.kept).toBe(saved);
  expect(bench.keeps).toEqual([]);
});

it('is tried once more where something was deleted while it was tried', async () => {
  const { bench, job } = await notKept(full);
  bench.keeps.push(full, saved);
  await Promise.all([bench.runner.keepFull(), bench.runner.keepFull()]);
  expect(resultOf(job())?.kept).toBe(saved);
});

function resultOf({ state }: Job) {
  return state.kind === 'done' ? state.result : null;
}
