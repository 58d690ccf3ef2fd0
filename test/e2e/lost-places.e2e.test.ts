/** Addresses of lists that name a place which the list does not have, or days that are none: mangled, or gone meanwhile. */
import { beforeAll, it } from 'vitest';
import { describeConsole } from './support/console.ts';
import { type Demo, makeDemo } from './support/demo.ts';
import { expect } from './support/expect.ts';
import { rowsOf } from './support/ledger-page.ts';
import { settle } from './support/settle.ts';

describeConsole(
  (console) => {
    let demo: Demo;
    beforeAll(async () => {
      demo = await makeDemo(console.app);
    });

    const beforeAllIds = 'older-00000000000000000000000000';
    it.each([
      ['/usage?range=30d', 'older-nonsense', 'user'],
      ['/wallet?range=30d', 'nonsense', 'user'],
      ['/keys', 'nonsense', 'user'],
      ['/keys', beforeAllIds, 'user'],
      ['/admin/log?range=30d', 'older-nonsense', 'admin'],
      ['/admin/audit?range=30d', 'nonsense', 'admin'],
      ['/admin/audit?range=30d', beforeAllIds, 'admin'],
      ['/admin/users', 'zzzz', 'admin'],
      ['/admin/users', 'x'.repeat(400), 'admin'],
      ['/admin/users?list=invitations', '00000000000000000000000000', 'admin'],
    ] as const)(
      'leads from a lost place of %s back to its first page: %s',
      async (path, cursor, who) => {
        const join = path.includes('?') ? '&' : '?';
        const { page } = await console.visit(`${path}${join}cursor=${cursor}`, { user: demo[who] });
        await expect(page.getByText('This place in the list does not exist')).toBeVisible();
        await expect(page.getByRole('alert')).toHaveCount(0);
        await page.getByRole('link', { name: 'Go to the first page' }).click();
        await expect(page).toHaveURL(`${console.app.baseUrl}${path}`);
        await expect(rowsOf(page).first()).toBeVisible();
        await expect(page.locator('main')).toBeFocused();
      },
    );

    it.each(['/usage', '/wallet'])(
      'says once of %s that its range ends too early',
      async (path) => {
        const range = 'from=2026-11-20&to=2026-11-10&tz=UTC';
        const { page } = await console.visit(`${path}?${range}`, { user: demo.user });
        const notice = page.getByRole('alert');
        await expect(notice).toContainText('The range ends before it begins.');
        await settle(page);
        await expect(notice).toHaveCount(1);
        // The same days again would be refused again.
        await expect(notice.getByRole('button', { name: 'Retry' })).toHaveCount(0);
        await page.getByLabel('To', { exact: true }).fill('2026-11-21');
        await expect(notice).toHaveCount(0);
      },
    );
  },
  { isBare: true, expectedMessages: /status of 400/ },
);
