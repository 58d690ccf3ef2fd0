/** The words of a check box and of a switch are in the middle of what a finger can hit. */
import { it } from 'vitest';
import { describeConsole } from './support/console.ts';
import { expect } from './support/expect.ts';

describeConsole((console) => {
  it.each([
    ['check box', '/admin/upstreams/sandbox?tab=test', 'I agree to the cost.'],
    ['switch', '/account?tab=preferences', 'Single-key shortcuts'],
  ])('of a %s', async (_kind, path, words) => {
    const user = await console.addUser({ role: 'admin' });
    const { page } = await console.visit(path, { user, size: 'phone' });
    const label = page.locator('label', { hasText: words });
    await expect(label).toBeVisible();
    const { target, text } = await label.evaluate((each) => {
      const middleOf = ({ top, bottom }: DOMRect) => (top + bottom) / 2;
      const range = document.createRange();
      range.selectNodeContents(each.querySelector('span') ?? each);
      return {
        target: middleOf(each.getBoundingClientRect()),
        text: middleOf(range.getBoundingClientRect()),
      };
    });
    expect(Math.abs(target - text)).toBeLessThanOrEqual(1);
  });
});
