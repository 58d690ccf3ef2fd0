/** What is left to go by where a browser has no locks; with them, pages are tried in a browser. */
import { describe, expect, it } from 'vitest';
import { keptIn } from './kept-texts.ts';
import { livesByTab } from './page-lives.ts';

/** A tab that shows one page after the other; `from` is another one that it is a copy of. */
class Tab {
  readonly texts: Map<string, string>;
  #page = new EventTarget();

  constructor(from?: Tab) {
    this.texts = new Map(from?.texts);
  }

  open(pageId: string) {
    this.#page = new EventTarget();
    // What the browser has is asked for by these alone.
    const storage = {
      getItem: (name: string) => this.texts.get(name) ?? null,
      setItem: (name: string, text: string) => void this.texts.set(name, text),
      removeItem: (name: string) => void this.texts.delete(name),
    } as Storage;
    return livesByTab(
      keptIn(() => storage),
      { name: 'page', pageId, page: this.#page },
    );
  }

  leave(): void {
    this.#page.dispatchEvent(new Event('pagehide'));
  }

  comeBack(): void {
    this.#page.dispatchEvent(new Event('pageshow'));
  }
}

function endedFor(tab: Tab, ...ids: readonly string[]): readonly string[] {
  const lives = tab.open('latest');
  const ended: string[] = [];
  for (const id of ids) lives.afterEnd(id, async () => void ended.push(id));
  return ended;
}

describe('without locks, a page takes for gone', () => {
  it('the one that was in its tab before, and no other', () => {
    const tab = new Tab();
    tab.open('first');
    tab.leave();
    tab.open('second');
    tab.leave();
    expect(endedFor(tab, 'first', 'second', 'elsewhere')).toEqual(['second']);
  });

  it('none of which its tab is a copy, for that is still there', () => {
    const tab = new Tab();
    tab.open('first');
    tab.leave();
    tab.open('second');
    expect(endedFor(new Tab(tab), 'first', 'second')).toEqual([]);
  });

  it('none that came back, as when somebody goes back to it', () => {
    const tab = new Tab();
    tab.open('first');
    tab.leave();
    tab.comeBack();
    expect(endedFor(new Tab(tab), 'first')).toEqual([]);
  });
});
