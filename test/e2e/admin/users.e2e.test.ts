/** Users, their money and how they get in. */

import { it } from 'vitest';
import { describeConsole } from '../support/console.ts';
import { expect } from '../support/expect.ts';
import { loseAnswer } from '../support/lose-answer.ts';

describeConsole(
  (console) => {
    it.each(['desktop', 'phone', 'narrow'] as const)(
      'shows on a %s whether somebody is active, however much they have',
      async (size) => {
        const admin = await console.addUser({ role: 'admin' });
        const called = `somebody-with-quite-a-long-name-on-a-${size}`;
        await console.addUser({ called });
        const { page } = await console.visit('/account', { user: admin, size });
        await page.route('**/api/console/admin/users?*', async (route) => {
          const response = await route.fetch();
          const { users, ...rest }: { users: object[] } = await response.json();
          const micros = 9_007_199_254_123_456;
          const rich = { balance: { micros }, held: { micros }, spend_30d: { micros } };
          const json = { ...rest, users: users.map((user) => ({ ...user, ...rich })) };
          await route.fulfill({ response, json });
        });
        await page.goto(`/admin/users?q=${called}`);
        await expect(page.getByText('$9,007,199,254.123456').first()).toBeInViewport({ ratio: 1 });
        await expect(page.getByRole('table').getByText('Active', { exact: true })).toBeInViewport({
          ratio: 1,
        });
      },
    );

    it('B68 does to a wallet what the preview said, once, and never without a reason', async () => {
      const admin = await console.addUser({ role: 'admin' });
      const user = await console.addUser({ money: '4.96' });
      const { page } = await console.visit(`/admin/users/${user.id}?tab=wallet`, { user: admin });
      const form = page.getByRole('form', { name: 'Adjust the balance' });
      await form.getByLabel('Amount').fill('10');
      await expect(form.getByLabel('Preview')).toHaveText('Balance $4.96 → $14.96');
      await form.getByRole('button', { name: 'Add $10.00' }).click();
      await expect(form.getByText('This has to be filled in.')).toBeVisible();
      await expect(form.getByLabel('Reason')).toBeFocused();
      await expect(page.getByRole('row')).toHaveCount(2);

      await form.getByLabel('Reason').fill('Bank transfer 4711');
      await form.getByRole('button', { name: 'Add $10.00' }).dblclick();
      await expect(page.getByText('Entry made: +$10.00. The balance is $14.96 now.')).toBeVisible();
      const entries = page.getByRole('row', { name: /Bank transfer 4711/ });
      await expect(entries).toHaveCount(1);
      await expect(entries).toContainText('+$10.00');
      await expect(entries).toContainText('$14.96');
      await expect(page.getByRole('row')).toHaveCount(3);
    });

    it('shows a change whose answer was lost, and makes it no second time', async () => {
      const user = await console.addUser({ money: '5' });
      const { page } = await console.visit(`/admin/users/${user.id}?tab=wallet`, {
        user: await console.addUser({ role: 'admin' }),
      });
      await loseAnswer(page, '**/wallet/orders');
      const form = page.getByRole('form', { name: 'Adjust the balance' });
      await form.getByLabel('Amount').fill('10');
      await form.getByLabel('Reason').fill('Bank transfer 4711');
      await form.getByRole('button', { name: 'Add $10.00' }).click();
      await expect(form.getByText('The service cannot be reached')).toBeVisible();
      const entries = page.getByRole('row', { name: /Bank transfer 4711/ });
      await expect(entries).toHaveCount(1);
      await expect(page.getByRole('main').getByText('$15.00').first()).toBeVisible();
      await form.getByRole('button', { name: 'Add $10.00' }).click();
      await expect(page.getByText('The balance is $15.00 now.')).toBeVisible();
      await expect(entries).toHaveCount(1);
    });

    it('tells a change from another one whose answer was lost, and makes it when it is sent again', async () => {
      const user = await console.addUser({ money: '5' });
      const { page } = await console.visit(`/admin/users/${user.id}?tab=wallet`, {
        user: await console.addUser({ role: 'admin' }),
      });
      await loseAnswer(page, '**/wallet/orders');
      const form = page.getByRole('form', { name: 'Adjust the balance' });
      const entries = page.getByRole('row', { name: /Bank transfer 4711/ });
      await form.getByLabel('Amount').fill('10');
      await form.getByLabel('Reason').fill('Bank transfer 4711');
      await form.getByRole('button', { name: 'Add $10.00' }).click();
      await expect(form.getByText('The service cannot be reached')).toBeVisible();
      await form.getByLabel('Amount').fill('1');
      await form.getByRole('button', { name: 'Add $1.00' }).click();
      await expect(form.getByRole('alert')).toContainText('The other change that you sent before');
      await expect(entries).toHaveCount(1);
      await form.getByRole('button', { name: 'Add $1.00' }).click();
      await expect(page.getByText('The balance is $16.00 now.')).toBeVisible();
      await expect(entries).toHaveCount(2);
    });

    it('takes a comma for the decimal point, and refuses it where it may stand for thousands', async () => {
      const user = await console.addUser({ money: '5' });
      const { page } = await console.visit(`/admin/users/${user.id}?tab=wallet`, {
        user: await console.addUser({ role: 'admin' }),
      });
      const form = page.getByRole('form', { name: 'Adjust the balance' });
      const field = form.getByLabel('Amount');
      for (const text of ['2,5', '0,035', '1,0005']) {
        await field.fill(text);
        await expect(
          form.getByRole('button', { name: `Add $${text.replace(',', '.')}` }),
        ).toBeVisible();
      }
      await field.fill('');
      await field.pressSequentially('1,000');
      await form.getByLabel('Reason').fill('Bank transfer 4712');
      await form.getByRole('button', { name: 'Add', exact: true }).click();
      await expect(field).toBeFocused();
      await expect(field).toHaveAccessibleDescription(/nothing between thousands/);
      await expect(field).toHaveValue('1,000');
    });

    it('refuses to deduct more than there is, and says how much that would be', async () => {
      const user = await console.addUser({ money: '5' });
      const { page } = await console.visit(`/admin/users/${user.id}?tab=wallet`, {
        user: await console.addUser({ role: 'admin' }),
      });
      const form = page.getByRole('form', { name: 'Adjust the balance' });
      await form.getByText('Deduct', { exact: true }).first().click();
      await form.getByLabel('Amount').fill('6');
      await expect(form.getByLabel('Preview')).toContainText('-1.00');
    });

    it('erases a person only after the address was typed, and the money was seen to', async () => {
      const user = await console.addUser({ money: '5' });
      const { page } = await console.visit(`/admin/users/${user.id}`, {
        user: await console.addUser({ role: 'admin' }),
      });
      await page.getByRole('button', { name: 'Erase personal data' }).click();
      const dialog = page.getByRole('dialog');
      const confirm = dialog.getByRole('button', { name: 'Erase personal data' });
      await expect(confirm).toHaveAttribute('aria-disabled', 'true');
      await dialog.getByLabel('Type the e-mail address').fill(user.email);
      await confirm.click();
      await expect(dialog.getByText('5.00 left in the wallet', { exact: false })).toBeVisible();
      await dialog.getByLabel('Forfeit $5.00').check();
      await confirm.click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(`${user.id}@erased.invalid`);
      await expect(page.getByText('The account is closed for good.')).toBeVisible();
      await expect(page.getByRole('button', { name: 'Enable the user' })).toHaveCount(0);
    });

    it('tells the times of a ledger in the zone whose days are named above it', async () => {
      const user = await console.addUser();
      const search = 'tab=wallet&tz=Asia/Kathmandu';
      const { page } = await console.visit(`/admin/users/${user.id}?${search}`, {
        user: await console.addUser({ role: 'admin' }),
      });
      await expect(page.getByText(/Asia.Kathmandu \(UTC.5:45\)/)).toBeVisible();
      const time = page.getByRole('row', { name: /Top-up/ }).locator('time');
      const at = Date.parse((await time.getAttribute('datetime')) ?? '');
      const there = new Date(at + (5 * 60 + 45) * 60_000).toISOString().slice(11, 19);
      await expect(time).toContainText(there);
    });

    it('finds a user, and keeps what was looked for in the address', async () => {
      const found = await console.addUser();
      const { page } = await console.visit('/admin/users', {
        user: await console.addUser({ role: 'admin' }),
      });
      await page.getByLabel('Name, e-mail or API key').fill(found.email);
      await expect(page.getByRole('row')).toHaveCount(2);
      await expect(page).toHaveURL(new RegExp(`q=${encodeURIComponent(found.email)}`));
      await page.reload();
      await expect(page.getByRole('row')).toHaveCount(2);
      await page.getByRole('link', { name: found.email }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(found.email);
    });

    it('finds whose a leaked key is, and puts no key into an address', async () => {
      const found = await console.addUser();
      const { page } = await console.visit('/admin/users', {
        user: await console.addUser({ role: 'admin' }),
      });
      const asked: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      await page.getByLabel('Name, e-mail or API key').fill(`key: ${found.apiKey}`);
      await expect(page.getByRole('row')).toHaveCount(2);
      await expect(page.getByRole('link', { name: found.email })).toBeVisible();
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').getByRole('combobox').fill(found.apiKey);
      await expect(page.getByRole('dialog').getByText(found.email).first()).toBeVisible();
      expect([page.url(), ...asked].join(' ')).not.toContain(found.apiKey.slice(0, -4));
    });

    it('adds a user, whom it then disables and enables again', async () => {
      const { page } = await console.visit('/admin/users/new', {
        user: await console.addUser({ role: 'admin' }),
      });
      await page.getByLabel('E-mail').fill('new.person@example.com');
      await page.getByLabel('Money to begin with').fill('-1');
      await page.getByRole('button', { name: 'Add the user' }).click();
      await expect(page.getByLabel('Money to begin with')).toHaveAccessibleDescription(
        /Write an amount with up to 6 decimals/,
      );
      await page.getByLabel('Money to begin with').fill('2.50');
      await page.getByRole('button', { name: 'Add the user' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('new.person@example.com');
      await expect(page.getByLabel('Overview').getByText('$2.50')).toBeVisible();
      await page.getByRole('button', { name: 'Disable the user' }).click();
      const dialog = page.getByRole('dialog', { name: 'Disable new.person@example.com?' });
      await dialog.getByRole('button', { name: 'Disable the user' }).click();
      await expect(page.getByText('Disabled since')).toBeVisible();
      await page.getByRole('button', { name: 'Enable the user' }).click();
      await expect(page.getByText('Disabled since')).toBeHidden();
    });

    it('takes nothing to begin with for none', async () => {
      const { page } = await console.visit('/admin/users/new', {
        user: await console.addUser({ role: 'admin' }),
      });
      await page.getByLabel('E-mail').fill('poor.person@example.com');
      await page.getByLabel('Money to begin with').fill('0');
      await page.getByRole('button', { name: 'Add the user' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('poor.person@example.com');
    });

    it('shows an invitation link once, and takes the invitation back', async () => {
      const { page } = await console.visit('/admin/users', {
        user: await console.addUser({ role: 'admin' }),
      });
      await page.getByRole('button', { name: 'Invite' }).click();
      await page.getByRole('dialog').getByLabel('E-mail').fill('guest@example.com');
      await page.getByRole('dialog').getByRole('button', { name: 'Make the link' }).click();
      const link = page.getByLabel('Invitation link');
      await expect(link).toHaveText(/\/invitation#[\w-]{43}$/);
      const shown = await link.innerText();
      await page.getByLabel('I have copied the link').check();
      await page.getByRole('button', { name: 'Done' }).click();
      await page.getByRole('link', { name: 'Invitations' }).click();
      const row = page.getByRole('row', { name: /guest@example\.com/ });
      await expect(row).toContainText('Open');
      expect(await page.content()).not.toContain(shown.split('#')[1]);
      await row.getByRole('button', { name: 'Take back' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Take it back' }).click();
      await expect(row).toContainText('Taken back');
    });

    it('signs a user out, and stops a key', async () => {
      const user = await console.addUser();
      const theirs = await console.visit('/usage', { user });
      const { page } = await console.visit(`/admin/users/${user.id}?tab=sessions`, {
        user: await console.addUser({ role: 'admin' }),
      });
      await page.getByRole('button', { name: 'Sign out everywhere' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click();
      await expect(page.getByText('The user is not signed in anywhere.').last()).toBeVisible();
      await theirs.page.goto('/usage');
      await expect(theirs.page.getByRole('heading', { level: 1 })).toHaveText('Sign in');

      await page.getByRole('navigation', { name: 'Parts of the user' }).getByText('Keys').click();
      // As its owner sees it, and may read it out.
      await expect(page.getByText(`sk-tin-…${user.apiKey.slice(-4)}`)).toBeVisible();
      await page.getByRole('button', { name: 'Actions for the key test' }).click();
      await page.getByRole('menuitem', { name: 'Revoke' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke the key' }).click();
      await expect(page.getByRole('row', { name: /test/ })).toContainText('Revoked');
      const refused = await console.app.post('/v1/images/generations', user, {
        model: 'gen-image-2',
        prompt: 'a boat',
      });
      expect(refused.status).toBe(401);
    });
  },
  { expectedMessages: /400|401|ERR_CONNECTION_RESET/ },
);
