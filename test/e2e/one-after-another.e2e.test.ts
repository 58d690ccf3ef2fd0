/** What was begun for one thing is gone on the page of the next, also where both were open before. */
import type { Page } from '@playwright/test';
import { it } from 'vitest';
import { addModel } from '../../server/flows/models/add-model.ts';
import { setPrice } from '../../server/flows/models/set-price.ts';
import { must } from '../../server/lib/assert.ts';
import { amount } from '../support/console/test-admin.ts';
import { describeConsole } from './support/console.ts';
import { expect } from './support/expect.ts';
import { connect, startHttpUpstream } from './support/http-upstream.ts';

describeConsole((console) => {
  it('keeps a refund, and what came of it, to the page of its request', async () => {
    const user = await console.addUser({ role: 'admin' });
    const make = async () => {
      const body = { model: 'gen-image-2', prompt: 'a boat' };
      const made = await console.app.post('/v1/images/generations', user, body);
      return must(made.headers.get('x-request-id'), 'a trace ID');
    };
    const [first, second] = [await make(), await make()];
    const { page } = await console.visit(`/admin/log/${first}`, { user });
    const refund = page.getByRole('button', { name: 'Refund', exact: true });
    await expect(refund).toBeVisible();
    await jump(page, second);
    await expect(page).toHaveURL(`/admin/log/${second}`);
    const dialog = page.getByRole('dialog', { name: 'Refund this charge?' });
    await refund.click();
    await dialog.getByLabel('Reason').fill('The boat sinks');
    await page.goBack();
    await leave(page);
    await expect(page).toHaveURL(`/admin/log/${first}`);
    await expect(dialog).toBeHidden();

    await refund.click();
    await dialog.getByLabel('Reason').fill('The boat sinks');
    await dialog.getByRole('button', { name: 'Refund $0.03' }).click();
    const done = page.getByText(/\$0\.03 refunded/);
    await expect(done).toBeVisible();
    await page.goForward();
    await expect(page).toHaveURL(`/admin/log/${second}`);
    await expect(done).toBeHidden();
  });

  it('keeps the price typed for a model to that model', async () => {
    const { admin } = console.app;
    for (const id of ['typed-one', 'typed-two']) {
      await addModel(admin, { id, description: '', extendedQualities: false });
      await setPrice(admin, { modelId: id, price: amount('0.04') });
    }
    const { page } = await console.visit('/admin/models', {
      user: await console.addUser({ role: 'admin' }),
    });
    const price = page.getByLabel('Price per request');
    await page.getByRole('link', { name: 'typed-one' }).click();
    await expect(price).toHaveValue('0.04');
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'typed-two' }).click();
    await price.fill('0.5');
    // As by the list that browsers have at their Back.
    await page.evaluate(() => history.go(-2));
    await leave(page);
    await expect(page.getByRole('dialog', { name: 'typed-one' })).toBeVisible();
    await expect(price).toHaveValue('0.04');
  });

  it('asks only on the page of a user whether that user is to be signed out', async () => {
    const [first, second] = [await console.addUser(), await console.addUser()];
    for (const user of [first, second]) await console.visit('/usage', { user });
    const { page } = await console.visit(`/admin/users/${first.id}?tab=sessions`, {
      user: await console.addUser({ role: 'admin' }),
    });
    await expect(page.getByRole('row')).toHaveCount(2);
    await jump(page, second.email);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(second.email);
    await page.getByRole('link', { name: 'Sessions' }).click();
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    const dialog = page.getByRole('dialog', { name: 'Sign the user out everywhere?' });
    await expect(dialog).toBeVisible();
    await page.evaluate(() => history.go(-2));
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(first.email);
    await expect(dialog).toBeHidden();
  });

  it('tells only at an upstream itself what came of reading its list', async () => {
    const upstream = await startHttpUpstream('studio-one');
    await connect(console.app, upstream, { name: 'studio' });
    const { page } = await console.visit('/admin/upstreams/sandbox?tab=models', {
      user: await console.addUser({ role: 'admin' }),
    });
    await jump(page, 'studio');
    await page.getByRole('link', { name: 'Model list' }).click();
    await page.getByRole('button', { name: 'Refresh the list' }).click();
    const note = page.getByText(/1 model listed/);
    await expect(note).toBeVisible();
    await page.evaluate(() => history.go(-2));
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('sandbox');
    await expect(note).toBeHidden();
    await upstream.stop();
  });
});

/** What was typed is not to be kept. */
async function leave(page: Page): Promise<void> {
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  await question.getByRole('button', { name: 'Leave' }).click();
}

async function jump(page: Page, to: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').fill(to);
  await page.getByRole('option').first().click();
}
