/** A request from the click to its receipt. */
import { expect, type Page } from '@playwright/test';
import { describe, it } from 'vitest';
import { setEnabledOfModel } from '../../server/flows/enable-model.ts';
import { describeConsole, sizes } from './support/console.ts';
import { chargesOf, requestsOf, visitPlayground } from './support/playground-page.ts';

describeConsole(
  (console) => {
    describe('while it runs', () => {
      it('B13 shows three previews in order, then the picture', async () => {
        const { playground, page } = await visitPlayground(console);
        await playground.choose('Previews', '3');
        await watch(page, '[data-testid=mat]', 'preview-labels');
        await playground.generate('a fox [[delay=2s]]');
        await playground.expectResult();
        const labels = (await watched(page, 'preview-labels')).filter((text) =>
          text.includes('Preview'),
        );
        expect([...new Set(labels)]).toEqual([
          'Preview 1 of 3',
          'Preview 2 of 3',
          'Preview 3 of 3',
        ]);
        await expect(playground.preview).toHaveCount(0);
      });

      it('B13 shows a preview within 100 ms of its event', async () => {
        const { playground, page } = await visitPlayground(console);
        await page.evaluate(() => {
          const times: number[] = [];
          Object.assign(window, { previewTimes: times });
          // The blob of a preview is made when its event has arrived, its address when it is shown.
          const create = URL.createObjectURL.bind(URL);
          const made = new WeakMap<Blob, number>();
          window.Blob = class extends Blob {
            constructor(parts?: BlobPart[], options?: BlobPropertyBag) {
              super(parts, options);
              made.set(this, performance.now());
            }
          };
          URL.createObjectURL = (blob: Blob) => {
            const at = made.get(blob);
            const url = create(blob);
            if (at !== undefined) {
              requestAnimationFrame(() => times.push(performance.now() - at));
            }
            return url;
          };
        });
        await playground.choose('Previews', '3');
        await playground.generate('a fox [[delay=2s]]');
        await playground.expectResult();
        const times = await page.evaluate(
          // Put there above.
          () => (window as unknown as { previewTimes: number[] }).previewTimes,
        );
        expect(times.length).toBeGreaterThanOrEqual(3);
        expect(times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]).toBeLessThan(100);
      });

      it('B14 B15 B16 counts real seconds, speaks of events only, and invents nothing', async () => {
        const { playground, page } = await visitPlayground(console);
        await playground.choose('Previews', '3');
        await watch(page, '[data-testid=announcements]', 'announced');
        await watch(page, '[aria-label=Image]', 'stage');
        await page.clock.install();
        await playground.generate('a fox [[delay=4s]]');
        await expect(playground.state('Running')).toBeVisible();
        const before = await secondsOf(page);
        await page.clock.fastForward(60_000);
        await expect(async () => {
          const passed = (await secondsOf(page)) - before;
          expect(passed).toBeGreaterThanOrEqual(59);
          expect(passed).toBeLessThanOrEqual(66);
        }).toPass();
        expect(await page.title()).toMatch(/^\(1:\d\d\) Playground/);
        await playground.expectResult();
        expect(await page.title()).toMatch(/^✓ Playground/);
        const announced = (await watched(page, 'announced')).filter((text) => text !== '');
        expect(announced).toEqual([
          'Request started.',
          'Preview 1.',
          'Preview 2.',
          'Preview 3.',
          'Image finished.',
        ]);
        for (const text of await watched(page, 'stage')) {
          expect(text).not.toMatch(/\d\s?%|painting|rendering|almost|processing/i);
        }
      });

      it('B19 goes on while another page is looked at', async () => {
        const { playground, page, user } = await visitPlayground(console);
        await playground.generate('a fox [[delay=3s]]');
        await expect(playground.state('Running')).toBeVisible();
        await page.getByRole('link', { name: 'Usage', exact: true }).click();
        await expect(playground.prompt).toHaveCount(0);
        const running = page.getByRole('link', { name: '1 running' });
        await expect(running).toBeVisible();
        await running.click();
        await expect(playground.prompt).toHaveValue('a fox [[delay=3s]]');
        await expect(playground.state('Running')).toBeVisible();
        await playground.expectResult();
        expect(await requestsOf(console, user)).toHaveLength(1);
      });

      it('B20 asks before the tab is closed, and only then', async () => {
        const { playground, page } = await visitPlayground(console);
        let asked = 0;
        page.on('dialog', (dialog) => {
          asked++;
          void dialog.dismiss();
        });
        await playground.generate('a fox [[delay=60s]]');
        await expect(playground.state('Running')).toBeVisible();
        await page.evaluate(() => window.location.reload());
        await expect.poll(() => asked).toBe(1);
        await expect(playground.state('Running')).toBeVisible();
        await page.getByRole('button', { name: 'Cancel' }).click();
        await expect(playground.state('Cancelled')).toBeVisible();
        await page.reload();
        await playground.model.waitFor();
        expect(asked).toBe(1);
      });

      it('B24 waits for a slot and starts by itself', async () => {
        const { playground, user } = await visitPlayground(console, { slotsMax: 1 });
        await playground.generate('a fox [[delay=2s]]');
        await expect(playground.state('Running')).toBeVisible();
        await expect(async () => {
          await playground.prompt.fill('a hare');
          await playground.generateButton.click();
          await expect(playground.state('Waiting')).toBeVisible({ timeout: 500 });
        }).toPass();
        await expect(playground.cost).toContainText('1 waiting');
        await expect(playground.result).toHaveAttribute('alt', 'Generated image: a hare');
        const requests = await requestsOf(console, user);
        expect(requests.map(({ status }) => status)).toEqual(['succeeded', 'succeeded']);
      });

      it('B24 waits as well when the slots are taken elsewhere', async () => {
        const { playground, user } = await visitPlayground(console, { slotsMax: 1 });
        const elsewhere = console.app.post('/v1/images/generations', user, {
          model: 'gen-image-2',
          prompt: 'a hare [[delay=3s]]',
        });
        await expect
          .poll(async () => (await requestsOf(console, user)).map(({ status }) => status))
          .toEqual(['running']);
        await playground.generate('a fox');
        await expect(
          playground.stage.getByText('You have 1 request running, the limit is 1.', {
            exact: false,
          }),
        ).toBeVisible();
        await playground.expectResult();
        expect((await elsewhere).status).toBe(200);
      });
    });

    describe('when it is canceled', () => {
      it('B17 is not charged before a preview was shown', async () => {
        const { playground, page, user } = await visitPlayground(console);
        await playground.generate('a fox [[delay=60s]] [[first=50s]]');
        await expect(playground.state('Running')).toBeVisible();
        await watch(page, '[aria-label=Image]', 'stage');
        await page.getByRole('button', { name: 'Cancel' }).click();
        await expect(page.getByText('Cancelled. Not charged.')).toBeVisible();
        expect((await watched(page, 'stage')).join(' ')).toContain('Cancelling');
        expect(await requestsOf(console, user)).toMatchObject([{ status: 'canceled', cost: 0 }]);
        await expect(page.getByRole('link', { name: 'Balance $4.96' })).toBeVisible();
        await expect(playground.cost).toContainText('Balance $4.96');
      });

      it('B18 is charged and shown when it comes too late', async () => {
        const { playground, page, user } = await visitPlayground(console);
        await playground.choose('Previews', '1');
        await playground.generate('a fox [[delay=6s]]');
        await playground.expectPreview();
        await page.getByRole('button', { name: 'Cancel' }).click();
        await expect(
          page.getByText('A preview was shown already, so the request runs to its end'),
        ).toBeVisible();
        await playground.expectResult();
        await expect(page.getByText('It had already finished when you cancelled.')).toBeVisible();
        expect(await requestsOf(console, user)).toMatchObject([
          { status: 'succeeded', cost: 80_000 },
        ]);
      });
    });

    describe('when it fails', () => {
      it('B25 sends users to another model, and administrators to what is missing', async () => {
        const { admin } = console.app;
        const user = await visitPlayground(console);
        const boss = await visitPlayground(console, { role: 'admin' });
        await user.playground.chooseModel('gen-image-2');
        await boss.playground.chooseModel('gen-image-2');
        await setEnabledOfModel(admin, { modelId: 'gen-image-2', enabled: false });
        try {
          await expect(async () => {
            const { status } = await console.app.post('/v1/images/generations', user.user, {
              model: 'gen-image-2',
              prompt: 'a fox',
            });
            expect(status).toBe(503);
          }).toPass();
          await user.playground.generate('a fox');
          await expect(
            user.playground.stage.getByText('gen-image-2 is not available right now.', {
              exact: false,
            }),
          ).toBeVisible();
          await user.page.getByRole('button', { name: 'Choose another model' }).click();
          await expect(user.playground.model).toBeFocused();
          await expect(user.page.getByText('It is disabled.')).toHaveCount(0);
          await boss.playground.generate('a fox');
          await expect(boss.playground.stage.getByText('It is disabled.')).toBeVisible();
          await expect(
            boss.playground.stage.getByRole('link', { name: 'Enable it' }),
          ).toHaveAttribute('href', '/admin/models/gen-image-2');
        } finally {
          await setEnabledOfModel(admin, { modelId: 'gen-image-2', enabled: true });
        }
      });

      it('B26 names the trace ID of an upstream error, to copy and to open', async () => {
        const { playground, page, context, user } = await visitPlayground(console);
        await context.grantPermissions(['clipboard-read', 'clipboard-write']);
        await playground.generate('a fox [[fail=unavailable]]');
        await expect(playground.state('Failed')).toBeVisible({ timeout: 20_000 });
        const [request] = await requestsOf(console, user);
        const traceId = request?.trace_id ?? '';
        const link = playground.stage.getByRole('link', { name: `Trace ID ${traceId}` });
        await expect(link).toHaveAttribute('href', `/t/${traceId}`);
        await page.getByRole('button', { name: `Copy trace ID ${traceId}` }).click();
        expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(traceId);
        await expect(page.getByText('You were not charged.')).toBeVisible();
        await link.click();
        await expect(page).toHaveURL(new RegExp(`/usage/${traceId}`));
      });
    });

    it('B35 sends variations as requests of their own, and said what they cost', async () => {
      const { playground, user } = await visitPlayground(console, { slotsMax: 4 });
      await playground.choose('Variations', '3');
      await expect(playground.cost).toContainText('3 × $0.08 = $0.24');
      await playground.generate('a fox');
      await expect
        .poll(async () => (await requestsOf(console, user)).map(({ status }) => status))
        .toEqual(['succeeded', 'succeeded', 'succeeded']);
      expect(await chargesOf(console, user)).toEqual([-80_000, -80_000, -80_000]);
    });

    it.each(Object.keys(sizes) as (keyof typeof sizes)[])(
      'B37 keeps the picture within the mat in every state (%s)',
      async (size) => {
        const { playground, page } = await visitPlayground(console, {}, { size });
        for (const shape of ['1:1', '3:2', '2:3']) {
          await playground.choose('Size', shape);
          await playground.generate(`a fox ${shape} [[delay=3s]]`);
          await playground.expectPreview();
          expect(await overhang(page, 'preview')).toBe(0);
          await playground.expectResult();
          expect(await overhang(page, 'result')).toBe(0);
        }
        await page.getByRole('button', { name: 'Compare' }).click();
        const slider = page.getByRole('slider', { name: 'How much of the other image is shown' });
        await expect(slider).toBeVisible();
        await slider.focus();
        await page.keyboard.press('Shift+ArrowRight');
        await expect(slider).toHaveAttribute('aria-valuetext', '60 %');
        await page.keyboard.press('ArrowLeft');
        await expect(slider).toHaveAttribute('aria-valuetext', '59 %');
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
          sizes[size].width,
        );
      },
    );
  },
  { expectedMessages: /status of (400|429|502|503)/ },
);

/** By how many pixels a picture reaches beyond the mat on any side. */
async function overhang(page: Page, picture: 'preview' | 'result'): Promise<number> {
  return page.evaluate((name) => {
    const mat = document.querySelector('[data-testid=mat]')?.getBoundingClientRect();
    const box = [...document.querySelectorAll(`[data-testid=${name}]`)]
      .at(-1)
      ?.getBoundingClientRect();
    if (!mat || !box || box.width === 0) throw new Error('there is no picture on the mat');
    return Math.max(
      0,
      mat.left - box.left,
      mat.top - box.top,
      box.right - mat.right,
      box.bottom - mat.bottom,
    );
  }, picture);
}

async function secondsOf(page: Page): Promise<number> {
  const [minutes = '0', seconds = '0'] = (await page.getByTestId('elapsed').innerText()).split(':');
  return Number(minutes) * 60 + Number(seconds);
}

/** Collects every text that an element had. */
async function watch(page: Page, selector: string, name: string): Promise<void> {
  await page.waitForSelector(selector, { state: 'attached' });
  await page.evaluate(
    ([selector, name]) => {
      const texts: string[] = [];
      Object.assign(window, { [`watched-${name}`]: texts });
      const note = () => {
        const text = document.querySelector(selector)?.textContent ?? '';
        if (texts.at(-1) !== text) texts.push(text);
      };
      new MutationObserver(note).observe(document.body, {
        subtree: true,
        childList: true,
        characterData: true,
      });
    },
    [selector, name] as const,
  );
}

function watched(page: Page, name: string): Promise<readonly string[]> {
  return page.evaluate(
    // Put there by `watch`.
    (name) => (window as unknown as Record<string, string[]>)[`watched-${name}`] ?? [],
    name,
  );
}
