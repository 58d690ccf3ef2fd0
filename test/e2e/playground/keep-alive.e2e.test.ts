/** A request that takes longer than a proxy waits for a silent connection. */

import { it } from 'vitest';
import { ManualClock } from '../../support/manual-clock.ts';
import { describeConsole } from '../support/console.ts';
import { CuttingProxy } from '../support/cutting-proxy.ts';
import { expect } from '../support/expect.ts';
import { PlaygroundPage, requestsOf, visitPlayground } from '../support/playground-page.ts';

const clock = new ManualClock(Date.now());
const idleMs = 60_000;
const generationMs = 90_000;
/** The service says something every ten seconds. */
const stepMs = 10_000;

describeConsole(
  (console) => {
    it('B22 lives through 90 s behind a proxy that cuts silent connections after 60 s', async () => {
      const now = () => clock.monotonic();
      const proxy = await CuttingProxy.start(console.app.baseUrl, { idleMs, now });
      const { page, user } = await visitPlayground(console);
      await page.goto(`${proxy.url}/playground`);
      const playground = new PlaygroundPage(page);
      await playground.choose('Previews', '0');
      await playground.generate(`a fox [[delay=${generationMs / 1_000}s]]`);
      await expect
        .poll(async () => (await requestsOf(console, user)).map(({ status }) => status))
        .toEqual(['running']);
      // The headers, with which the trace ID comes.
      clock.advance(500);
      await expect(playground.state('Running')).toBeVisible();
      for (let passed = 0; passed < generationMs; passed += stepMs) {
        const before = proxy.pieces;
        clock.advance(stepMs);
        await proxy.untilMoreThan(before);
        proxy.cutIdle();
      }
      await playground.expectResult();
      await expect(page.getByText('The image was fetched again', { exact: false })).toHaveCount(0);
      expect(await requestsOf(console, user)).toMatchObject([{ status: 'succeeded' }]);
      await page.close();
      await proxy.stop();
    });
  },
  { clock, expectedMessages: /request to elsewhere: http:\/\/127\.0\.0\.1/ },
);
