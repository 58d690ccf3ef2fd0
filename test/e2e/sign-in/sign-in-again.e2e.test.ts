/** Signing in again, and proving who one is, beside a page that asks for it and keeps what was written there. */
import type { Page } from '@playwright/test';
import { beforeAll, it } from 'vitest';
import type { Config } from '../../../server/config.ts';
import { inviteUser } from '../../../server/flows/users/invite-user.ts';
import { must } from '../../../server/lib/assert.ts';
import { zero } from '../../../shared/money.ts';
import { addMember } from '../../support/console/visitor.ts';
import type { TestIssuer } from '../../support/services/openid-issuer.ts';
import { describeConsole } from '../support/console.ts';
import { openConsoleIssuer } from '../support/console-issuer.ts';
import { expect } from '../support/expect.ts';
import { forgetProofs } from '../support/forget-proofs.ts';
import { signIn } from '../support/sign-in.ts';

const prompt = 'a ship in a bottle';
const config: Partial<Config> = {};
let theIssuer: TestIssuer | null = null;

// Before the service starts, which is told where it is.
beforeAll(async () => {
  const { issuer, options } = await openConsoleIssuer();
  theIssuer = issuer;
  Object.assign(config, options);
  return () => issuer.close();
});

describeConsole(
  (console) => {
    const issuer = () => must(theIssuer, 'an issuer that has started');

    it('in another window, and the page that asked for it goes on', async () => {
      const user = await addMember(console.app, { money: '10' });
      const { page, context } = await console.visit('/playground', { user });
      await endSession(page);
      const beside = await context.newPage();
      await beside.goto('/login');
      await signIn(beside, user.email);
      await expect(page.getByTestId('result')).toBeVisible();
      await expect(page.getByLabel('Prompt')).toHaveValue(prompt);
    });

    it('by the issuer in a window beside the page that asks, where what was written stays', async () => {
      const user = await addMember(console.app, { money: '10' });
      const { email } = user;
      issuer().person = { subject: 'asked again', email, emailVerified: true };
      const { page, context } = await console.visit('/playground', { user });
      await endSession(page);
      const opened = context.waitForEvent('page');
      await page.getByRole('button', { name: 'Sign in with Example ID' }).click();
      const beside = await opened;
      await expect(beside.getByRole('heading', { level: 1, name: 'Playground' })).toBeVisible();
      await expect(page.getByTestId('result')).toBeVisible();
      await expect(page.getByLabel('Prompt')).toHaveValue(prompt);
    });

    it('not by an issuer that does not answer, beside the page that asks', async () => {
      const user = await addMember(console.app, { money: '10' });
      const { page, context } = await console.visit('/playground', { user });
      await endSession(page);
      await page.route('**/api/console/sign-in/issuer', (route) => route.abort());
      await page.getByRole('button', { name: 'Sign in with Example ID' }).click();
      await expect(page.getByText('The sign-in service does not answer.')).toBeVisible();
      await expect.poll(() => context.pages()).toEqual([page]);
    });

    it('not by an issuer that does not answer to an invitation', async () => {
      const wish = { email: null, role: 'user', topUp: zero } as const;
      const { secret } = await inviteUser(console.app.admin, wish);
      const { page } = await console.visit(`/invitation#${secret}`);
      await page.route('**/api/console/sign-in/issuer', (route) => route.abort());
      await page.getByRole('button', { name: 'Sign in with Example ID' }).click();
      await expect(page.getByText('The sign-in service does not answer.')).toBeVisible();
    });

    it('proves by the issuer, in a window beside the page, that it is the same person', async () => {
      const user = await addMember(console.app);
      issuer().person = { subject: 'proven', email: user.email, emailVerified: true };
      const { page, context } = await console.visit('/account?tab=security', { user });
      await forgetProofs(console, user.id);
      await page.getByRole('button', { name: 'Change password' }).click();
      await page.getByLabel('New password').fill('another staple of horses');
      await page.getByRole('button', { name: 'Set a password' }).click();
      const proof = page.getByRole('dialog', { name: 'Confirm that it is you' });
      const opened = context.waitForEvent('page');
      await proof.getByRole('button', { name: 'Sign in with Example ID' }).click();
      await expect(
        (await opened).getByRole('heading', { level: 1, name: 'Account' }),
      ).toBeVisible();
      await expect(page.getByText('Password set.')).toBeVisible();
    });
  },
  // A session that ended is a 401, a missing proof a 403, a service that does not answer a failure.
  { config, expectedMessages: /40[13]|ERR_FAILED|request to elsewhere: http:\/\/127\.0\.0\.1/ },
);

/** While a picture is asked for. */
async function endSession(page: Page): Promise<void> {
  await page.getByLabel('Prompt').fill(prompt);
  await page.context().clearCookies();
  await page.getByRole('button', { name: 'Generate' }).click();
  await expect(page.getByRole('dialog', { name: 'Your session has ended' })).toBeVisible();
}
