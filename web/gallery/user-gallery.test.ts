import { describe, expect, it } from 'vitest';
import { galleryRun } from '../../test/support/console/gallery-runs.ts';
import { fullError } from './gallery.ts';
import { createMemoryGallery } from './kept/memory-gallery.ts';
import { TabBench } from './tab-bench.ts';

/** A browser with one user, and as many tabs as a test opens. */
class Browser extends TabBench {
  /** What outlives the pages. */
  kept = createMemoryGallery();
  opened = 0;

  constructor() {
    super({
      open: () => {
        this.opened++;
        return { ...this.kept };
      },
      clear: () => (this.kept = createMemoryGallery()),
    });
  }
}

const until = '2026-08-01T12:00:00.000Z';

describe('the gallery of a user', () => {
  it('keeps pictures beyond the page', async () => {
    const browser = new Browser();
    await browser.openTab().saveRun(galleryRun(1));
    expect(await browser.openTab().findIds({})).toEqual(['run-1']);
  });

  it('tells this tab and the others of each change', async () => {
    const browser = new Browser();
    const [here, there] = [browser.openTab(), browser.openTab()];
    const heard: string[] = [];
    here.subscribe(() => heard.push('here'));
    there.subscribe(() => heard.push('there'));
    await here.saveRun(galleryRun(1));
    expect(new Set(heard)).toEqual(new Set(['here', 'there']));
  });

  it('deletes everything when nothing is to be kept, and keeps the rest of the visit in memory', async () => {
    const browser = new Browser();
    const [here, there] = [browser.openTab(), browser.openTab()];
    await here.saveRun(galleryRun(1));
    await here.setKept(false);
    await here.saveRun(galleryRun(2));
    expect(await here.findIds({})).toEqual(['run-2']);
    expect(await browser.kept.findIds({})).toEqual([]);
    expect(there.isKept()).toBe(false);
    expect(browser.openTab().isKept()).toBe(false);
  });

  it('keeps what the visit made when pictures are to be kept again', async () => {
    const browser = new Browser();
    browser.isKept = false;
    const here = browser.openTab();
    await here.saveRun(
      galleryRun(1, { references: [{ name: 'fox.png', image: new Blob(['fox']) }] }),
    );
    await here.setStarred('run-1', true);
    await here.setKept(true);
    const [run] = await browser.kept.listRuns({ limit: 1 });
    expect(run).toMatchObject({ id: 'run-1', isStarred: true, references: [{ name: 'fox.png' }] });
  });

  it('loses nothing of the visit when there is no room to keep it', async () => {
    const browser = new Browser();
    browser.isKept = false;
    browser.kept = { ...browser.kept, restoreRun: () => Promise.reject(fullError()) };
    const here = browser.openTab();
    await here.saveRun(galleryRun(1));
    await expect(here.setKept(true)).rejects.toThrow('full');
    expect([here.isKept(), browser.isKept]).toEqual([false, false]);
    expect(await here.findIds({})).toEqual(['run-1']);
  });

  it('leaves out what is marked as deleted, in every tab, until that is taken back', async () => {
    const browser = new Browser();
    const [here, there] = [browser.openTab(), browser.openTab()];
    for (const number of [1, 2]) await here.saveRun(galleryRun(number));
    await here.markDeleted(['run-1'], until);
    expect(await there.findIds({})).toEqual(['run-2']);
    expect(await there.findRun('run-1')).toBeNull();
    expect(await there.readFacts()).toMatchObject({ runs: 1 });
    await here.unmarkDeleted(['run-1']);
    expect(await there.findIds({ order: 'oldest' })).toEqual(['run-1', 'run-2']);
  });

  it('keeps what was imported again after it had been marked as deleted', async () => {
    const here = new Browser().openTab();
    for (const number of [1, 2]) await here.saveRun(galleryRun(number));
    await here.markDeleted(['run-1', 'run-2'], until);
    expect(await here.restoreRun({ ...galleryRun(1), isStarred: false })).toBe(true);
    await here.deleteMarked(['run-1', 'run-2']);
    expect(await here.findIds({})).toEqual(['run-1']);
  });

  it('that is forgotten is not opened again before there is something to keep', async () => {
    const browser = new Browser();
    const [here, there] = [browser.openTab(), browser.openTab()];
    await here.saveRun(galleryRun(1));
    await here.forget();
    const { opened } = browser;
    expect([await here.findIds({}), await there.findIds({})]).toEqual([[], []]);
    expect(browser.opened).toBe(opened);
    expect([here.isForgotten(), there.isForgotten()]).toEqual([true, true]);
    await there.saveRun(galleryRun(2));
    expect(there.isForgotten()).toBe(false);
    expect(await browser.kept.findIds({})).toEqual(['run-2']);
  });
});
