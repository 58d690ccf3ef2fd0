/** Requests that fail, and several that are sent at once. */

import { describe, it } from 'vitest';
import { setEnabledOfModel } from '../../../server/flows/models/enable-model.ts';
import { describeConsole } from '../support/console.ts';
import { expect } from '../support/expect.ts';
import { makeImage } from '../support/gallery-page.ts';
import { chargesOf, picture, requestsOf, visitPlayground } from '../support/playground-page.ts';

describeConsole(
  (console) => {
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
          await boss.playground.stage.getByRole('link', { name: 'Enable it' }).click();
          await expect(
            boss.page.getByRole('heading', { name: 'gen-image-2', exact: true }),
          ).toBeVisible();
        } finally {
          await setEnabledOfModel(admin, { modelId: 'gen-image-2', enabled: true });
        }
      });

      it('says that a proxy refuses a request of this size, and leads to its images', async () => {
        const { playground, page } = await visitPlayground(console);
        await playground.attach(await picture('one.png', 'teal'));
        await page.route('**/api/console/images/edits', (route) =>
          route.fulfill({ status: 413, body: '<html>413 Request Entity Too Large</html>' }),
        );
        await playground.generate('a fox');
        const failure = playground.stage.getByRole('alert');
        await expect(failure).toContainText('A proxy in front of the service refuses');
        await failure.getByRole('button', { name: 'Show field' }).click();
        await expect(page.locator('[data-field=images] :focus')).toHaveCount(1);
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

      it('shows the request that is made instead, so that nobody asks for it twice', async () => {
        const { playground, page, user } = await visitPlayground(console);
        // Before the next failure: after some in a row the upstream is asked for nothing.
        await makeImage(playground, 'a hare');
        await playground.generate('a fox [[fail=unavailable]]');
        await expect(playground.state('Failed')).toBeVisible({ timeout: 20_000 });
        await makeImage(playground, 'an owl');
        const strip = page.getByRole('navigation', { name: 'Recent images' });
        await strip.getByRole('button', { name: /a fox/ }).click();
        await expect(playground.state('Failed')).toBeVisible();
        await playground.stage.getByRole('button', { name: 'Retry' }).dblclick();
        await expect(strip.getByRole('button').first()).toHaveAttribute('aria-current', 'true');
        await expect(playground.state('Failed')).toBeVisible({ timeout: 20_000 });
        expect(await requestsOf(console, user)).toHaveLength(4);
        await makeImage(playground, 'a badger');
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
  },
  { expectedMessages: /status of (400|413|429|502|503)/ },
);
