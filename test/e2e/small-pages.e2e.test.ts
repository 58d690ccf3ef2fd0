/** Pages on a phone: all of what they say is there, and in line with what is around it. */
import type { Locator } from '@playwright/test';
import { it } from 'vitest';
import { adjustWallet } from '../../server/flows/money/adjust-wallet.ts';
import { inviteUser } from '../../server/flows/users/invite-user.ts';
import { must } from '../../server/lib/assert.ts';
import { zero } from '../../shared/money.ts';
import { amount } from '../support/console/test-admin.ts';
import { addUsageRows, usageRow } from '../support/history/usage-rows.ts';
import { describeConsole } from './support/console.ts';
import { expect } from './support/expect.ts';
import { seedRuns, visitGallery } from './support/gallery-page.ts';
import { settle } from './support/settle.ts';

describeConsole((console) => {
  it('shows all of the address that an invitation is for, and opens the account with it', async () => {
    const email = 'somebody.with.a.rather.long.name@a-department.example.com';
    const invited = { email, role: 'user', topUp: zero } as const;
    const { secret } = await inviteUser(console.app.admin, invited);
    const { page } = await console.visit(`/invitation#${secret}`, { size: 'narrow' });
    const address = page.getByText(email);
    await expect(address).toBeInViewport({ ratio: 1 });
    expect(await address.evaluate((text) => text.scrollWidth - text.clientWidth)).toBe(0);
    await page.getByLabel('Your name').fill('Somebody');
    await page.getByLabel('Password').fill('a good long password');
    await page.getByRole('button', { name: 'Open the account' }).click();
    await page.getByRole('heading', { level: 1, name: 'Playground' }).waitFor();
  });

  it.each(['phone', 'desktop'] as const)(
    'shows amounts of nine digits on one line each, on a %s',
    async (size) => {
      const { id } = await console.addUser({ money: '999999999' });
      const admin = { ...console.app.admin, reason: 'a mistake' };
      await adjustWallet(admin, { user: id, amount: amount('-123456789.123456') });
      const user = await console.addUser({ role: 'admin' });
      const { page } = await console.visit(`/admin/users/${id}?tab=wallet`, { user, size });
      await settle(page);
      const shown = page.locator('dl dd.text-title');
      await expect(shown).toHaveCount(10);
      const lines = await shown.evaluateAll((texts) =>
        texts.map((text) => {
          const range = document.createRange();
          range.selectNodeContents(text);
          const isWhole = text.scrollWidth <= text.clientWidth;
          return isWhole ? range.getClientRects().length : 'cut off';
        }),
      );
      expect(lines).toEqual(lines.map(() => 1));
    },
  );

  it('keeps a balance of ten digits, and for how much it is enough, within the card of the wallet', async () => {
    const user = await console.addUser({ money: '8876543210.876543' });
    const { page } = await console.visit('/wallet', { user, size: 'narrow' });
    const card = page.getByRole('region', { name: 'Available' });
    await expect(card.getByText('gen-image-2.5-sunburst')).toBeVisible();
    await settle(page);
    const { left, right } = await boxOf(card);
    const padding = (await boxOf(card.getByRole('heading').first())).left - left;
    const ends = await card.locator('h2, p, li').evaluateAll((parts) =>
      parts.map((part) => {
        const range = document.createRange();
        range.selectNodeContents(part);
        return range.getBoundingClientRect().right;
      }),
    );
    expect(Math.max(...ends)).toBeLessThanOrEqual(right - padding);
    const available = card.getByText('$8,876,543,210.876543');
    expect(await available.evaluate((text) => text.getClientRects().length)).toBe(1);
  });

  it('ends an address that has no room beside a large balance with dots, before the balance', async () => {
    const { email } = await console.addUser({ money: '876543209.836544' });
    const user = await console.addUser({ role: 'admin' });
    const { page } = await console.visit('/admin/users', { user, size: 'narrow' });
    const row = page.getByRole('row', { name: new RegExp(email) });
    const balance = await boxOf(row.getByText('$876,543,209.836544'));
    expect((await boxOf(row.getByRole('link'))).right).toBeLessThanOrEqual(balance.left);
  });

  it('has the way to more filters of the gallery beside the search', async () => {
    const { page, user, gallery } = await visitGallery(console, { size: 'phone' });
    await seedRuns(page, user, 1);
    await page.reload();
    const more = page.getByRole('button', { name: 'More filters' });
    expect((await boxOf(more)).bottom).toBe((await boxOf(gallery.search)).bottom);
  });

  it('ends the place of an image in the gallery where what is above and below it ends', async () => {
    const { page, user, gallery } = await visitGallery(console, { size: 'phone' });
    await seedRuns(page, user, 3);
    await page.reload();
    await gallery.tiles.last().getByRole('link').click();
    const place = await boxOf(page.getByText('3 of 3'));
    const facts = await boxOf(page.getByText('seeded picture 0').last());
    const download = await boxOf(page.getByRole('button', { name: 'Download' }));
    expect(download.left).toBe(facts.left);
    expect(390 - place.right).toBe(facts.left);
  });
});

describeConsole((console) => {
  it('leaves no gap in the middle of a trace ID that has no room', async () => {
    const user = await console.addUser();
    const model = 'a-model-of-a-long-name-in-a-table';
    await addUsageRows(console.app.database, [
      usageRow({ userId: user.id }, Date.now() - 1000, { model }),
    ]);
    const { page } = await console.visit('/usage', { user });
    await settle(page);
    const link = page.getByRole('link', { name: /Trace ID/ }).first();
    const [beginning, end] = await Promise.all([
      boxOf(link.locator('span span').first()),
      boxOf(link.locator('span span').last()),
    ]);
    const character = (end.right - end.left) / 4;
    const characters = (beginning.right - beginning.left) / character;
    // Cut off, and after a whole character.
    expect(characters).toBeLessThan(20);
    expect(characters).toBeCloseTo(Math.round(characters), 1);
  });
});

async function boxOf(part: Locator) {
  const { x, y, width, height } = must(await part.boundingBox(), 'a part that is shown');
  return { left: x, right: x + width, bottom: y + height };
}
