/** Where the focus is, for those who work with the keyboard. */
import type { Locator, Page } from '@playwright/test';
import { beforeAll, it } from 'vitest';
import { describeConsole } from '../support/console.ts';
import { type Demo, makeDemo } from '../support/demo.ts';
import { expect } from '../support/expect.ts';
import { rowsOf } from '../support/ledger-page.ts';
import { visitMaskEditor } from '../support/mask-page.ts';
import { settle } from '../support/settle.ts';

describeConsole(
  (console) => {
    let demo: Demo;
    beforeAll(async () => {
      demo = await makeDemo(console.app);
    });

    it.each(['desktop', 'phone'] as const)(
      'B74 Tab reaches all of the playground in the order it is seen in, on a %s',
      async (size) => {
        const { page } = await console.visit('/playground', { user: demo.user, size });
        await settle(page);
        await page.getByRole('textbox', { name: 'Prompt' }).fill('a fox');
        const { stops, missed } = await tabThrough(page);
        expect(missed).toEqual([]);
        expect(stops.filter(({ hasRing }) => !hasRing)).toEqual([]);
        expect(stops.filter(({ isCovered }) => isCovered)).toEqual([]);
        const backwards = stops.filter((stop, at) => {
          const before = stops[at - 1];
          if (!before || before.isPinned || stop.isPinned) return false;
          const isBelow = stop.top >= before.top - rowPx;
          const isBeside = stop.left >= before.right - 1;
          return !isBelow && !isBeside;
        });
        expect(backwards).toEqual([]);
      },
    );

    it('stays at the filters when a key clears them, above the list and in its place', async () => {
      const { page } = await console.visit('/usage?range=30d&op=edit', { user: demo.user });
      const first = page.getByRole('combobox', { name: 'Range' });
      await page.getByRole('button', { name: 'Clear', exact: true }).press('Enter');
      await expect(page).toHaveURL(/\/usage$/);
      await expect(first).toBeFocused();
      await page.goto('/usage?model=nothing');
      await page.getByRole('button', { name: 'Clear filters' }).press('Enter');
      await expect(page).toHaveURL(/\/usage$/);
      await expect(first).toBeFocused();
    });

    it('goes from the button to the form for a password, and back when that closes', async () => {
      const { page } = await console.visit('/account?tab=security', { user: demo.user });
      const button = page.getByRole('button', { name: 'Set a password' });
      await button.press('Enter');
      await expect(page.getByLabel('New password')).toBeFocused();
      await page.getByRole('button', { name: 'Cancel' }).press('Enter');
      await expect(button).toBeFocused();
    });

    it('stays at a button that cannot be used for a while', async () => {
      const { page, editor } = await visitMaskEditor(console, { width: 120, height: 80 });
      await editor.stroke([0.3, 0.3], [0.6, 0.6]);
      await editor.saveButton.focus();
      await page.keyboard.press('Control+z');
      await expect(editor.saveButton).toHaveAttribute('aria-disabled', 'true');
      await expect(editor.saveButton).toBeFocused();
      // Elsewhere the editor would not hear it.
      await page.keyboard.press('Control+y');
      await expect(editor.saveButton).not.toHaveAttribute('aria-disabled');
      await expect(editor.saveButton).toBeFocused();
    });

    it('goes from the mask that is taken away to the way to another one', async () => {
      const { page, editor } = await visitMaskEditor(console, { width: 120, height: 80 });
      await editor.stroke([0.3, 0.3], [0.6, 0.6]);
      await editor.save();
      await page.getByRole('button', { name: 'Remove the mask of image 1' }).press('Enter');
      await expect(page.getByRole('button', { name: 'Paint a mask on image 1' })).toBeFocused();
    });

    it('comes back to the button of a mask that is saved, which is called so and has all of its ring', async () => {
      const { page, editor } = await visitMaskEditor(console, { width: 120, height: 80 });
      await editor.stroke([0.3, 0.3], [0.6, 0.6]);
      await editor.saveButton.press('Enter');
      const button = page.getByRole('button', { name: 'Change the mask of image 1' });
      await expect(button).toBeFocused();
      expect(await cutOffRing(button)).toBe(0);
    });

    it('B75 the heading has the focus on every page that is gone to', async () => {
      const { page } = await console.visit('/quickstart', { user: demo.admin });
      const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
      const names = await links.allInnerTexts();
      expect(names.length).toBeGreaterThan(12);
      for (const name of names) {
        if (name === 'Quickstart') continue;
        await links.filter({ hasText: name }).first().click();
        await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
      }
    });

    it.each([
      ['/usage?range=30d', 'user'],
      ['/wallet?range=30d', 'user'],
      ['/keys', 'user'],
      ['/admin/log?range=30d', 'admin'],
    ] as const)('B75 the row of %s has the focus when its panel closes', async (path, who) => {
      const { page } = await console.visit(path, { user: demo[who] });
      const link = rowsOf(page).nth(1).getByRole('link').first();
      await link.click();
      const panel = page.getByRole('dialog');
      await expect(panel.getByRole('heading').first()).toBeFocused();
      // Read by itself, it says what the panel is about, and the way to close it comes next.
      await page.keyboard.press('Tab');
      await expect(panel.getByRole('button', { name: 'Close' })).toBeFocused();
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toBeHidden();
      await expect(page).toHaveURL(`${console.app.baseUrl}${path}`);
      await expect(link).toBeFocused();
    });

    it('stays where it is in a panel whose words come late', async () => {
      const { page } = await console.visit('/wallet?range=30d', { user: demo.user });
      const late = Promise.withResolvers<void>();
      // Those of the request that a charge belongs to.
      await page.route('**/assets/usage-*.js', async (route) => {
        await late.promise;
        await route.continue();
      });
      await rowsOf(page).nth(1).getByRole('link').first().click();
      const panel = page.getByRole('dialog');
      const close = panel.getByRole('button', { name: 'Close' });
      await expect(panel.getByRole('heading').first()).toBeFocused();
      await close.focus();
      late.resolve();
      await expect(panel.getByText('Balance after')).toBeVisible();
      await expect(close).toBeFocused();
    });

    it('begins at the first field of a form that opens over the page', async () => {
      const { page } = await console.visit('/keys', { user: demo.user });
      await page.getByRole('link', { name: 'Create key' }).press('Enter');
      await expect(page.getByRole('dialog').getByLabel('Name')).toBeFocused();
      await page.keyboard.press('Escape');
      await console.signIn(page.context(), demo.admin);
      await page.goto('/admin/models');
      await page.getByRole('button', { name: 'Add a model' }).press('Enter');
      await expect(page.getByRole('dialog').getByLabel('Model ID')).toBeFocused();
    });

    it('begins at the title of what asks, not at a button', async () => {
      const { page } = await console.visit('/admin/users?list=invitations', { user: demo.admin });
      await rowsOf(page).first().getByRole('button').press('Enter');
      await expect(page.getByRole('dialog').getByRole('heading')).toBeFocused();
    });
  },
  { isBare: true },
);

/** What stands in one row may begin at slightly different heights. */
const rowPx = 12;
const stopsMax = 120;

interface Stop {
  what: string;
  top: number;
  left: number;
  right: number;
  hasRing: boolean;
  isCovered: boolean;
  /** Stays where it is while the page scrolls. */
  isPinned: boolean;
}

/** From the top of the page until the focus leaves it, and what it never came to. */
async function tabThrough(
  page: Page,
): Promise<{ stops: readonly Stop[]; missed: readonly string[] }> {
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    window.scrollTo(0, 0);
  });
  const stops: Stop[] = [];
  for (let count = 0; count < stopsMax; count++) {
    await page.keyboard.press('Tab');
    const stop = await page.evaluate(readStop);
    if (stop === null) break;
    stops.push(stop);
  }
  return { stops, missed: await page.evaluate(readMissed) };
}

/** Of what has the focus; null at the end of the page. */
function readStop(): Stop | null {
  const { activeElement: element } = document;
  if (!element || element === document.body || element.hasAttribute('data-reached')) return null;
  element.setAttribute('data-reached', '');
  const label = element instanceof HTMLInputElement ? element.labels?.[0] : undefined;
  const ringed = [element, ...(label ? [label] : [])].map((each) => getComputedStyle(each));
  const { top, left, right, width, height } = element.getBoundingClientRect();
  const hit = document.elementFromPoint(left + width / 2, top + height / 2);
  const isHit =
    !!hit && [element, label].some((each) => each?.contains(hit) || hit.contains(each ?? null));
  const pinned = ['fixed', 'sticky'];
  let isPinned = false;
  for (let each: Element | null = element; each; each = each.parentElement) {
    isPinned ||= pinned.includes(getComputedStyle(each).position);
  }
  return {
    what: (element.getAttribute('aria-label') ?? element.textContent ?? '').slice(0, 40),
    top: top + window.scrollY,
    left,
    right,
    hasRing: ringed.some(
      ({ outlineStyle, outlineWidth }) =>
        outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2,
    ),
    isCovered: !isHit,
    isPinned,
  };
}

function readMissed(): readonly string[] {
  const controls = 'a[href], button, input, textarea, select, summary, [tabindex="0"]';
  return (
    [...document.querySelectorAll<HTMLElement>(controls)]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }))
      .filter((element) => element.tabIndex >= 0 && !element.closest('[aria-hidden=true], [inert]'))
      .filter(
        (element) => !element.matches(':disabled, [data-reached], [data-base-ui-focus-guard]'),
      )
      // Of several that exclude each other, the chosen one has the focus for all.
      .filter(
        (element) =>
          !(element instanceof HTMLInputElement && element.type === 'radio' && !element.checked),
      )
      .map((element) => element.outerHTML.slice(0, 120))
  );
}

/** How many pixels of it something that hides what hangs out of it takes away, on the side where it is the most. */
function cutOffRing(element: Locator): Promise<number> {
  return element.evaluate((inner) => {
    const { outlineWidth, outlineOffset } = getComputedStyle(inner);
    const ring = Number.parseFloat(outlineWidth) + Number.parseFloat(outlineOffset);
    const { left, top, right, bottom } = inner.getBoundingClientRect();
    let most = 0;
    for (let each = inner.parentElement; each; each = each.parentElement) {
      if (getComputedStyle(each).overflow === 'visible') continue;
      const edge = each.getBoundingClientRect();
      const over = [edge.left - left, edge.top - top, right - edge.right, bottom - edge.bottom];
      most = Math.max(most, ...over.map((side) => side + ring));
    }
    return most;
  });
}
