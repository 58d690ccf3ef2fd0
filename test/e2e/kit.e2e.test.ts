/** Every component in all its states. */

import { describe, it } from 'vitest';
import { kitFolder } from '../../web/build/build-console.ts';
import { colourViolationsOf, violationsOf } from './support/axe.ts';
import { describeConsole } from './support/console.ts';
import { expect } from './support/expect.ts';
import { motionFaults } from './support/page-geometry.ts';

describeConsole(
  (console) => {
    describe.each(['light', 'dark'] as const)('in %s', (theme) => {
      it.each(['desktop', 'phone'] as const)('axe finds nothing wrong on a %s', async (size) => {
        const { page } = await console.visit('/_kit', {
          user: await console.addUser(),
          theme,
          size,
        });
        expect(await violationsOf(page)).toEqual([]);
      });

      it('what a button says is read as easily where it cannot be used', async () => {
        const { page } = await console.visit('/_kit', { user: await console.addUser(), theme });
        const unusable = page.getByRole('button', { name: 'Not now' });
        await expect(unusable).toHaveCount(4);
        // For axe, what cannot be used need not be read.
        await unusable.evaluateAll((buttons) =>
          buttons.forEach((button) => button.removeAttribute('aria-disabled')),
        );
        expect(await colourViolationsOf(page)).toEqual([]);
      });

      it.each(['Dialog', 'Confirm', 'Panel', 'Popover', 'More'])(
        'axe finds nothing wrong with an open %s, and Escape gives the focus back',
        async (name) => {
          const { page } = await console.visit('/_kit', { user: await console.addUser(), theme });
          const opener = page.getByRole('button', { name, exact: true });
          await opener.click();
          await expect(page.getByRole(/More/.test(name) ? 'menu' : 'dialog')).toBeVisible();
          expect(await violationsOf(page)).toEqual([]);
          await page.keyboard.press('Escape');
          await expect(opener).toBeFocused();
        },
      );
    });

    it('nothing scrolls sideways at 320 px, and every target is large enough', async () => {
      const { page } = await console.visit('/_kit', {
        user: await console.addUser(),
        size: 'narrow',
      });
      const { overflow, small } = await page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        const targets = [...document.querySelectorAll('main button, main a, main input')];
        const small = targets
          .filter((element) => element.checkVisibility({ opacityProperty: true }))
          // A link within a sentence has the height of its line.
          .filter((element) => !element.matches('a[class*="underline"], label *, [aria-hidden]'))
          .map((element) => ({
            name: element.outerHTML.slice(0, 90),
            box: element.getBoundingClientRect(),
          }))
          .filter(({ box }) => box.width < 24 || box.height < 24)
          .map(({ name, box }) => `${name}: ${Math.round(box.width)} × ${Math.round(box.height)}`);
        return { overflow: scrollWidth - clientWidth, small };
      });
      expect(overflow).toBe(0);
      expect(small).toEqual([]);
    });

    it('labels of charts are at least 11 px high on a phone', async () => {
      const { page } = await console.visit('/_kit', {
        user: await console.addUser(),
        size: 'phone',
      });
      const sizes = await page.evaluate(() =>
        [...document.querySelectorAll('svg[role="img"] text')].map((text) => {
          const { fontSize } = getComputedStyle(text);
          const scale = text.getBoundingClientRect().height / Number.parseFloat(fontSize);
          return scale > 1 ? Number.parseFloat(fontSize) : 0;
        }),
      );
      expect(sizes.length).toBeGreaterThan(10);
      expect(Math.min(...sizes)).toBeGreaterThanOrEqual(11);
    });

    it('B78 stands still for whoever asked for it, and for nobody else', async () => {
      const { page } = await console.visit('/_kit', { user: await console.addUser() });
      expect(await motionFaults(page)).toEqual([]);
      await page.emulateMedia({ reducedMotion: 'no-preference' });
      expect((await motionFaults(page)).length).toBeGreaterThan(20);
    });

    it('walks through a chart by arrow keys, and shows the same as a table', async () => {
      const { page } = await console.visit('/_kit', { user: await console.addUser() });
      const walker = page.getByRole('slider', { name: /^Spend per day/ });
      await walker.focus();
      await page.keyboard.press('ArrowLeft');
      await expect(walker).toHaveAttribute('aria-valuetext', /^29 Nov 2025: \$/);
      const charts = page.getByRole('region', { name: 'Charts' });
      await charts.getByRole('button', { name: 'Show as table' }).first().click();
      await expect(charts.getByRole('row')).toHaveCount(31);
    });
  },
  { webFolder: kitFolder },
);
