/** What happens while requests take their time, which passes here only when the test says so. */

import { it } from 'vitest';
import { addMember, goodPassword } from '../../support/console/visitor.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { describeConsole } from '../support/console.ts';
import { expect } from '../support/expect.ts';
import { requestsOf, visitPlayground } from '../support/playground-page.ts';
import { recordTexts } from '../support/recorded-texts.ts';

const clock = new ManualClock(Date.now());
const slow = '[[delay=90s]]';
const slowMs = 90_000;

describeConsole(
  (console) => {
    it('B19 goes on while another page is looked at', async () => {
      const { playground, page, user } = await visitPlayground(console);
      await playground.generate(`a fox ${slow}`);
      await pass(() => expect(playground.state('Running')).toBeVisible({ timeout: 500 }));
      await page.getByRole('link', { name: 'Usage', exact: true }).click();
      await expect(playground.prompt).toHaveCount(0);
      const running = page.getByRole('link', { name: '1 running' });
      await expect(running).toBeVisible();
      await running.click();
      await expect(playground.prompt).toHaveValue(`a fox ${slow}`);
      await expect(playground.state('Running')).toBeVisible();
      clock.advance(slowMs);
      await pass(() => expect(playground.result).toBeVisible({ timeout: 500 }));
      expect(await requestsOf(console, user)).toHaveLength(1);
    });

    it('B24 waits for a slot and starts by itself', async () => {
      const { playground, page, user } = await visitPlayground(console, { slotsMax: 1 });
      await playground.generate(`a fox ${slow}`);
      await pass(() => expect(playground.state('Running')).toBeVisible({ timeout: 500 }));
      await playground.prompt.fill('a hare');
      const strip = page.getByRole('navigation', { name: 'Recent images' }).getByRole('listitem');
      await expect(async () => {
        // So soon after the first, a click may still be taken for a part of it.
        if ((await strip.count()) === 1) await playground.generateButton.click();
        expect(await strip.count()).toBe(2);
      }).toPass();
      await expect(playground.state('Waiting')).toBeVisible();
      await expect(playground.cost).toContainText('1 waiting');
      clock.advance(slowMs);
      await pass(() =>
        expect(playground.result).toHaveAttribute('alt', 'Generated image: a hare', {
          timeout: 500,
        }),
      );
      const requests = await requestsOf(console, user);
      expect(requests.map(({ status }) => status)).toEqual(['succeeded', 'succeeded']);
    });

    it('sends nothing that waited as somebody else, and goes on once its own user is back', async () => {
      const user = await addMember(console.app, { money: '4.96', slotsMax: 1 });
      const other = await console.addUser({ money: '4.96' });
      const { playground, page, context } = await visitPlayground(console, {}, { user });
      await playground.generate(`a fox ${slow}`);
      await pass(() => expect(playground.state('Running')).toBeVisible({ timeout: 500 }));
      await playground.generate('a hare');
      await expect(playground.state('Waiting')).toBeVisible();
      // In another window of the same browser.
      await console.signIn(context, other);
      clock.advance(slowMs);
      const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
      await pass(() => expect(dialog).toBeVisible({ timeout: 500 }));
      expect(await requestsOf(console, other)).toEqual([]);
      await dialog.getByLabel('Password', { exact: true }).fill(goodPassword);
      await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
      await pass(() =>
        expect(playground.result).toHaveAttribute('alt', 'Generated image: a hare', {
          timeout: 500,
        }),
      );
      expect(await requestsOf(console, other)).toEqual([]);
      const requests = await requestsOf(console, user);
      expect(requests.map(({ status }) => status)).toEqual(['succeeded', 'succeeded']);
    });

    it('B24 waits as well when the slots are taken elsewhere', async () => {
      const { playground, user } = await visitPlayground(console, { slotsMax: 1 });
      const elsewhere = console.app.post('/v1/images/generations', user, {
        model: 'gen-image-2',
        prompt: `a hare ${slow}`,
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
      clock.advance(slowMs);
      await pass(() => expect(playground.result).toBeVisible({ timeout: 500 }));
      expect((await elsewhere).status).toBe(200);
    });

    it('B17 is not charged before a preview was shown', async () => {
      const { playground, page, user } = await visitPlayground(console);
      await playground.generate(`a fox ${slow} [[first=80s]]`);
      clock.advance(10_000);
      await pass(() => expect(playground.state('Running')).toBeVisible({ timeout: 500 }));
      const stage = await recordTexts(page, '[aria-label=Image]');
      await page.getByRole('button', { name: 'Cancel' }).click();
      await expect(page.getByText('Cancelled. Not charged.')).toBeVisible();
      expect((await stage()).join(' ')).toContain('Cancelling');
      expect(await requestsOf(console, user)).toMatchObject([{ status: 'canceled', cost: 0 }]);
      await expect(page.getByRole('link', { name: 'Balance $4.96' })).toBeVisible();
      await expect(playground.cost).toContainText('Balance $4.96');
      await page.goto('/usage');
      await expect(page.getByRole('row').filter({ hasText: 'Cancelled' })).toContainText('$0.00');
    });

    it('B18 is charged and shown when it comes too late', async () => {
      const { playground, page, user } = await visitPlayground(console);
      await playground.choose('Previews', '1');
      await playground.generate(`a fox ${slow}`);
      await pass(() => expect(playground.state('Running')).toBeVisible({ timeout: 500 }));
      clock.advance(slowMs / 2);
      await pass(() => expect(playground.preview.last()).toBeVisible({ timeout: 500 }));
      await page.getByRole('button', { name: 'Cancel' }).click();
      await expect(
        page.getByText('A preview was shown already, so the request runs to its end'),
      ).toBeVisible();
      clock.advance(slowMs / 2);
      await pass(() => expect(playground.result).toBeVisible({ timeout: 500 }));
      await expect(page.getByText('It had already finished when you cancelled.')).toBeVisible();
      await expect(playground.receipt).toContainText('Charged $0.08');
      expect(await requestsOf(console, user)).toMatchObject([
        { status: 'succeeded', cost: 80_000 },
      ]);
    });
  },
  { clock, expectedMessages: /status of (401|429)/ },
);

/** Lets a little time pass until something is so: the service may not have begun to wait yet. */
async function pass(isSo: () => Promise<void>): Promise<void> {
  await expect(async () => {
    clock.advance(500);
    await isSo();
  }).toPass();
}
