/** Requests whose page is gone, and the pages that come after it. */
import { describe, expect, it } from 'vitest';
import { galleryRun } from '../../test/support/console/gallery-runs.ts';
import type { Kept } from './job.ts';
import { trace } from './job-bench.ts';
import { jobLimits } from './job-limits.ts';
import { LeftBench } from './left-bench.ts';

type Page = ReturnType<LeftBench['open']>;

/** A page with a request of which the service has said its trace ID. */
async function withRunning(
  browser: LeftBench,
): Promise<Page & { job: ReturnType<Page['jobs']['start']> }> {
  const page = browser.open();
  const job = page.jobs.start();
  page.jobs.sent().open();
  await page.jobs.settled();
  return { ...page, job };
}

describe('a request under way', () => {
  it('is written down with all that is needed to ask for it again, once it is known to have arrived', async () => {
    const browser = new LeftBench();
    const { jobs, left, pageId } = browser.open();
    const job = jobs.start();
    await jobs.settled();
    expect(browser.ids()).toEqual([]);
    jobs.now += 2_000;
    browser.wallMs += 2_000;
    jobs.sent().open();
    expect(left.has(job().id)).toBe(false);
    await jobs.settled();
    const { id, order, mask, price, createdAt } = job();
    expect([...browser.stored.values()]).toEqual([
      {
        ...{ id, order, mask, price, createdAt, pageId },
        traceId: trace,
        sentAt: '2026-01-01T00:00:00.000Z',
      },
    ]);
    expect(left.has(id)).toBe(true);
  });

  it('is written down no longer once the gallery has its picture', async () => {
    const browser = new LeftBench();
    const { jobs, job, left } = await withRunning(browser);
    jobs.sent().finish();
    await jobs.settled();
    expect(browser.ids()).toEqual([job().id]);
    const run = await browser.open().gallery.saveRun(galleryRun(1));
    jobs.kept.resolve({ kind: 'saved', run });
    await jobs.settled();
    expect(browser.ids()).toEqual([]);
    expect(left.has(job().id)).toBe(false);
  });

  it('stays written down while there is no room for its picture, until somebody wants that no more', async () => {
    const browser = new LeftBench();
    const { jobs, job } = await withRunning(browser);
    const full: Kept = { kind: 'failed', isFull: true };
    jobs.kept.resolve(full);
    jobs.sent().finish();
    await jobs.settled();
    expect(browser.ids()).toEqual([job().id]);
    jobs.runner.forget(job().id);
    await jobs.settled();
    expect(browser.ids()).toEqual([]);
  });

  it.each(['failed', 'canceled'] as const)(
    'is written down no longer once it has %s',
    async (status) => {
      const browser = new LeftBench();
      const { jobs } = await withRunning(browser);
      jobs.record = { status };
      jobs.sent().refuse('upstream_error');
      await jobs.settled();
      expect(browser.ids()).toEqual([]);
    },
  );

  it('goes on though it cannot be written down, and ends with its page then', async () => {
    const browser = new LeftBench();
    browser.saves.push(Promise.reject(new DOMException('full', 'QuotaExceededError')));
    const { jobs, job, left } = await withRunning(browser);
    expect(left.has(job().id)).toBe(false);
    jobs.sent().finish();
    await jobs.settled();
    expect(job().state.kind).toBe('done');
  });

  it('that ends while it is being written down is not left there', async () => {
    const browser = new LeftBench();
    const { promise, resolve } = Promise.withResolvers<void>();
    browser.saves.push(promise);
    const { jobs, job } = await withRunning(browser);
    jobs.record = { status: 'failed' };
    jobs.sent().refuse('upstream_error');
    await jobs.settled();
    expect(job().state.kind).toBe('failed');
    resolve();
    await jobs.settled();
    expect(browser.ids()).toEqual([]);
  });

  it('that has to wait for a slot after all is not written down', async () => {
    const browser = new LeftBench();
    const { jobs } = await withRunning(browser);
    jobs.sent().refuse('rate_limit');
    await jobs.settled();
    expect(browser.ids()).toEqual([]);
    await jobs.pass();
    expect([jobs.calls.length, browser.ids()]).toEqual([2, []]);
  });

  it('goes with the gallery when everything is deleted, and is written down again with the next picture', async () => {
    const browser = new LeftBench();
    const { jobs, job, gallery, left } = await withRunning(browser);
    await gallery.forget();
    await jobs.settled();
    expect([browser.ids(), left.has(job().id)]).toEqual([[], false]);
    jobs.sent().show();
    await jobs.settled();
    expect(browser.ids()).toEqual([]);
    await gallery.saveRun(galleryRun(1));
    await jobs.settled();
    expect([browser.ids(), left.has(job().id)]).toEqual([[job().id], true]);
  });

  it('is written down nowhere when nothing is to be kept', async () => {
    const browser = new LeftBench();
    browser.tabs.isKept = false;
    const { job, left } = await withRunning(browser);
    expect([browser.ids(), left.has(job().id)]).toEqual([[], false]);
  });
});

describe('a request that a page has left', () => {
  it('is checked, joined and kept by the next one, without a new request', async () => {
    const browser = new LeftBench();
    const before = await withRunning(browser);
    await browser.end(before.pageId);
    browser.wallMs += 90_000;
    const { jobs, left } = browser.open();
    await left.look();
    await jobs.until(() => jobs.runner.jobs().length === 1);
    const { id } = before.job();
    const [taken] = jobs.runner.jobs();
    expect(taken).toMatchObject({
      ...{ id, traceId: trace, sentAtMs: -90_000 },
      state: { kind: 'checking', cut: { afterMs: null } },
    });
    expect(left.has(id)).toBe(true);
    await jobs.until(() => jobs.calls.length === 1);
    expect(jobs.sent().wish).toMatchObject({ key: id, isRepeat: true });
    jobs.sent().open();
    expect(jobs.runner.jobs()).toMatchObject([
      { state: { kind: 'running' }, recovered: { afterMs: null } },
    ]);
  });

  it('is nobody else’s as long as its page is there, and the next one’s as soon as that is gone', async () => {
    const browser = new LeftBench();
    const before = await withRunning(browser);
    const [one, other] = [browser.open(), browser.open()];
    await one.left.look();
    await other.left.look();
    expect([one, other].map(({ runner }) => runner.jobs())).toEqual([[], []]);
    await browser.end(before.pageId);
    expect([one, other].map(({ runner }) => runner.jobs().length)).toEqual([1, 0]);
    await one.left.look();
    expect(one.runner.jobs()).toHaveLength(1);
    await browser.end(one.pageId);
    await other.left.look();
    await other.jobs.until(() => other.runner.jobs().length === 1);
  });

  it('that failed meanwhile ends so, and is written down no longer', async () => {
    const browser = new LeftBench();
    const before = await withRunning(browser);
    await browser.end(before.pageId);
    const { jobs, left } = browser.open();
    jobs.record = { status: 'failed', code: 'upstream_error' };
    await left.look();
    await jobs.settled();
    expect(jobs.runner.jobs()).toMatchObject([{ state: { kind: 'failed', error: null } }]);
    expect(jobs.calls).toEqual([]);
    expect(browser.ids()).toEqual([]);
  });

  it('so long ago that nobody can answer for it any more is forgotten without a word', async () => {
    const browser = new LeftBench();
    const before = await withRunning(browser);
    await browser.end(before.pageId);
    browser.wallMs += jobLimits.leftMsMax + 1;
    const { jobs, left } = browser.open();
    await left.look();
    await jobs.settled();
    expect([jobs.runner.jobs(), browser.ids(), jobs.looks]).toEqual([[], [], 0]);
  });

  it('stays where it is while its user is not signed in on the page', async () => {
    const browser = new LeftBench();
    const before = await withRunning(browser);
    await browser.end(before.pageId);
    const { jobs, left } = browser.open({ isSignedIn: false });
    await left.look();
    await jobs.settled();
    expect([jobs.runner.jobs(), browser.ids()]).toEqual([[], [before.job().id]]);
  });
});
