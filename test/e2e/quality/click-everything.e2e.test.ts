/** Every link leads somewhere and every button does something without an error in the browser. */
import type { Page } from '@playwright/test';
import { beforeAll, expect, it } from 'vitest';
import { type ConsoleBench, describeConsole, type Visit } from '../support/console.ts';
import { type Demo, makeDemo } from '../support/demo.ts';
import { everyPage, type Visitor } from '../support/every-page.ts';
import { settle } from '../support/settle.ts';
import { walkTo } from '../support/walk.ts';

/** What these buttons end cannot be had back, or the others would have nothing left to be clicked on. */
const destructive =
  /delete|remove|revoke|disable|clear|sign out|discard|rotate|take back|end (the )?session|restore/i;
/** Not a page of the console: the browser would leave it. */
const otherDocument = /^a \/[\w/]+\.json$/;
const walkMsMax = 1_200_000;

describeConsole(
  (console) => {
    let demo: Demo;
    beforeAll(async () => {
      demo = await makeDemo(console.app);
    });

    it.each(['nobody', 'user', 'newcomer', 'admin'] as const)(
      'B86 every link and button that %s has can be clicked without an error',
      async (who) => {
        const visit = await console.visit('/login');
        if (who !== 'nobody') await console.signIn(visit.context, demo[who]);
        expect(await clickThrough(console, visit, demo, who)).toBeGreaterThan(5);
      },
      walkMsMax,
    );
  },
  // The browser logs what is not there or not allowed, which some of the pages are about.
  { isBare: true, expectedMessages: /status of 40[0134]/ },
);

/** How much there was to click. */
async function clickThrough(
  console: ConsoleBench,
  { page }: Visit,
  demo: Demo,
  who: Visitor,
): Promise<number> {
  const clicked = new Set<string>();
  for (const { name, href } of everyPage(demo).filter((each) => each.who === who)) {
    await load(page, href);
    const here = addressOf(page);
    for (const target of await targetsOf(page)) {
      // Links to the same kind of page are the same link; buttons belong to their page.
      const key = target.startsWith('a ') ? target : `${name} ${target}`;
      if (clicked.has(key) || destructive.test(target)) continue;
      clicked.add(key);
      if (otherDocument.test(target)) {
        expect((await page.request.get(target.slice('a '.length))).status()).toBe(200);
        continue;
      }
      await clickOn(page, target);
      await page.keyboard.press('Escape');
      const hasDialog = (await page.getByRole('dialog').count()) > 0;
      if (addressOf(page) === here && !hasDialog) continue;
      expect(page.url()).toContain(console.app.baseUrl);
      if (hasDialog) await load(page, here);
      else await walkTo(page, here);
    }
  }
  return clicked.size;
}

/** Without the origin. */
function addressOf(page: Page): string {
  const { origin, href } = new URL(page.url());
  return href.slice(origin.length);
}

async function load(page: Page, href: string): Promise<void> {
  await page.goto(href);
  await settle(page);
}

/** What can be clicked, by its kind and its name or address; of many rows, the first. */
function targetsOf(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const found = new Set<string>();
    for (const element of document.querySelectorAll('a[href], button')) {
      const mark = markOf(element);
      if (mark === null || found.has(mark)) continue;
      found.add(mark);
      element.setAttribute('data-clickable', mark);
    }
    return [...found];

    function markOf(element: Element): string | null {
      if (!element.checkVisibility({ visibilityProperty: true })) return null;
      if (element.matches(':disabled, [aria-disabled=true], [aria-hidden=true] *')) return null;
      const name = element.getAttribute('aria-label') ?? element.textContent ?? '';
      const plain = (text: string) => text.replace(/\b\w*\d[\w-]*/g, '#').trim();
      if (!(element instanceof HTMLAnchorElement)) return `button ${plain(name)}`;
      const { origin, pathname, search } = new URL(element.href);
      return origin === location.origin ? `a ${plain(pathname + search)}` : null;
    }
  });
}

/** It may be gone by now, by what was clicked before it. */
async function clickOn(page: Page, target: string): Promise<void> {
  const [kind = ''] = target.split(' ');
  const place = page.locator(`${kind}[data-clickable=${JSON.stringify(target)}]`).first();
  if ((await place.count()) === 0) await targetsOf(page);
  if ((await place.count()) === 0) return;
  await page.evaluate(markLeaving);
  await place.click({ force: true, noWaitAfter: true });
  // The mark goes with its document. A page that is still being left would undo where we go next.
  await page.waitForFunction(() => !document.documentElement.hasAttribute('data-leaving'));
}

/** Marks the document as soon as it begins to make room for another one. */
function markLeaving(): void {
  navigation.addEventListener('navigate', ({ destination, downloadRequest }) => {
    if (destination.sameDocument || downloadRequest !== null) return;
    document.documentElement.setAttribute('data-leaving', '');
  });
}
